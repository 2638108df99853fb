#include <tg/ptx/meaning/known_multiples.hpp>

#include <doctest/doctest.h>

#include <string>

#include <tg/ptx/parse/parse.hpp>

using namespace tg::ptx;

namespace {

// What divides %r1, which is stored behind `body`.
std::int64_t known_of(const std::string& body) {
  const module m = parse(".version 7.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u32 k_param_0)\n{\n"
                         ".reg .pred %p<3>;\n.reg .b32 %r<9>;\nmov.u32 %r2, %tid.x;\n" +
                         body + "st.shared.u32 [%r2], %r1;\nret;\n}\n");
  const function& f = m.functions[0];
  return known_multiples(f)[f.body[f.body.size() - 2][1].id];
}

}  // namespace

TEST_CASE("the power of two in a number") {
  static_assert(power_in(0) == 16 && power_in(64) == 16 && power_in(-2) == 2 && power_in(12) == 4 && power_in(7) == 1);
  CHECK(power_in(-24) == 8);
}

TEST_CASE("shifts and products by constants multiply, sums keep the lesser power, masks the greater") {
  CHECK(known_of("mov.u32 %r1, %r2;\n") == 1);
  CHECK(known_of("ld.param.u32 %r1, [k_param_0];\n") == 1);
  CHECK(known_of("shl.b32 %r1, %r2, 3;\n") == 8);
  CHECK(known_of("shl.b32 %r1, %r2, 7;\n") == 16);
  CHECK(known_of("mul.lo.u32 %r1, %r2, 12;\n") == 4);
  CHECK(known_of("mul.hi.u32 %r1, %r2, 12;\n") == 1);
  CHECK(known_of("shl.b32 %r3, %r2, 3;\nadd.u32 %r1, %r3, 4;\n") == 4);
  CHECK(known_of("shl.b32 %r3, %r2, 3;\nmad.lo.u32 %r1, %r2, 64, %r3;\n") == 8);
  CHECK(known_of("and.b32 %r1, %r2, -8;\n") == 8);
}

TEST_CASE("what a loop carries is a multiple of what its start and its step are") {
  const auto with = [](const std::string& start, const std::string& step) {
    return known_of("mov.u32 %r1, " + start + ";\n$L:\nadd.u32 %r1, %r1, " + step +
                    ";\nsetp.lt.u32 %p1, %r1, %r2;\n@%p1 bra $L;\n");
  };
  CHECK(with("0", "64") == 16);
  CHECK(with("0", "8") == 8);
  CHECK(with("4", "8") == 4);
  CHECK(with("0", "%r2") == 1);
}
