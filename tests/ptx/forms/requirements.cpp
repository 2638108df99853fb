#include <tg/ptx/forms/requirements.hpp>

#include <doctest/doctest.h>

#include <string>

#include <tg/ptx/parse/parse.hpp>

using namespace tg::ptx;

namespace {

module kernel(const std::string& body, const std::string& bounds = ""){return parse(".version 9.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 in)\n" + bounds + "{\n.reg .pred %p<8>; .reg .b32 %r<8>; .reg .b64 %l<8>; .shared .align 8 .b64 bar;\n" + body + "\n}\n.file 1 \"k.cpp\"\n");
}

}  // namespace

TEST_CASE("the floor is PTX 6.0 and sm_50") {
  module m = kernel("ret;");
  const auto r = derive_requirements(m);
  CHECK(m.version == isa_version{6, 0});
  CHECK(m.sm == 50);
  CHECK(r.sm_by.instruction == no_index);
}

TEST_CASE("the first instruction that needs most is named") {
  module m = kernel(
      "shl.b32 %r0, %r1, 2;\n.loc 1 17 0\nnanosleep.u32 5;\n.loc 1 18 0\nredux.sync.add.s32 %r0, %r1, -1;\n"
      ".loc 1 19 0\nredux.sync.add.s32 %r0, %r1, -1;");
  const auto r = derive_requirements(m);
  CHECK(m.version == isa_version{7, 0});
  CHECK(m.sm == 80);
  CHECK(r.sm_by.instruction == 2);
  CHECK(r.sm_by.where.line == 18);
  CHECK(r.isa_by.where.line == 18);
  const auto again = requirements_of(m);  // where the heads are known already
  CHECK(again.least.sm == 80);
  CHECK(again.sm_by.instruction == 2);
  CHECK(again.isa_by.instruction == 2);
}

TEST_CASE("modifiers, special registers and launch bounds count") {
  const auto sm = [](const module& m) { return requirements_of(m).least.sm; };
  const auto isa = [](const module& m) { return requirements_of(m).least.isa; };
  CHECK(sm(kernel("atom.global.add.u32 %r0, [%l0], 1;")) == 50);
  CHECK(sm(kernel("atom.global.sys.add.u32 %r0, [%l0], 1;")) == 60);
  CHECK(sm(kernel("atom.relaxed.gpu.global.add.u32 %r0, [%l0], 1;")) == 70);
  CHECK(sm(kernel("atom.relaxed.cluster.global.add.u32 %r0, [%l0], 1;")) == 90);
  CHECK(isa(kernel("bar.sync 0;")) == 60);
  CHECK(isa(kernel("bar.cta.sync 0;")) == 78);
  CHECK(sm(kernel("ld.global.L2::128B.u32 %r0, [%l0];")) == 75);
  CHECK(sm(kernel("mov.u32 %r0, %cluster_ctarank;")) == 90);
  CHECK(sm(kernel("ret;", ".reqnctapercluster 2, 1, 1\n")) == 90);
  module m = kernel("setmaxnreg.inc.sync.aligned.u32 64;");
  derive_requirements(m);
  CHECK(m.target_suffix == "a");
}
