#include <tg/ptx/machine_steps.hpp>

#include <doctest/doctest.h>

#include <string>

#include <tg/ptx/parse.hpp>

using namespace tg::ptx;

namespace {

std::vector<machine_step> steps_of(const std::string& body) {
  const module m = parse(".version 7.0\n.target sm_80\n.address_size 64\n"
                         ".visible .entry k(.param .u64 k_param_0, .param .u32 k_param_1)\n{\n"
                         ".reg .pred %p<4>;\n.reg .b32 %r<9>;\n.reg .f32 %f<9>;\n.reg .b64 %rd<9>;\n" + body + "ret;\n}\n");
  return to_machine_steps(m.functions[0]);
}

std::string names(const std::vector<machine_step>& steps) {
  std::string out;
  for (const machine_step& s : steps) out += (out.empty() ? "" : " ") + std::string(s.op == opcode::label ? "label" : name(s.op));
  return out;
}

constexpr const char* index = "ld.param.u64 %rd1, [k_param_0];\ncvta.to.global.u64 %rd2, %rd1;\nmov.u32 %r1, %tid.x;\n"
                              "mul.wide.u32 %rd3, %r1, 4;\nadd.s64 %rd4, %rd2, %rd3;\n";

}  // namespace

TEST_CASE("parameters, uniform integers and widened indices are no values of a thread") {
  CHECK(names(steps_of(std::string(index) + "ld.global.f32 %f1, [%rd4];\nst.global.f32 [%rd4], %f1;\n")) == "mov add ld st ret");
  CHECK(names(steps_of("mov.u32 %r1, %ctaid.x;\nld.param.u32 %r2, [k_param_1];\nmad.lo.u32 %r3, %r1, %r2, 7;\nmov.u32 %r4, %tid.x;\n"
                       "add.u32 %r5, %r4, %r3;\nst.shared.u32 [%r5], %r4;\n")) == "mov add st ret");
}

TEST_CASE("what depends on the thread is a value") {
  CHECK(names(steps_of("mov.u32 %r1, %tid.x;\nld.param.u32 %r2, [k_param_1];\nmad.lo.u32 %r3, %r1, %r2, 7;\n"
                       "st.shared.u32 [%r3], %r1;\n")) ==
        "mov mad st ret");
}

TEST_CASE("the add of a widened index reads the index") {
  const auto steps = steps_of(std::string(index) + "ld.global.f32 %f1, [%rd4];\nst.global.f32 [%rd4], %f1;\n");
  REQUIRE(steps.size() == 5);
  CHECK(steps[1].reads == steps[0].writes);
  CHECK(steps[2].latency > steps[1].latency);
  CHECK(steps[2].order == step_order::load);
  CHECK(steps[3].order == step_order::store);
}

TEST_CASE("a short branch over plain instructions guards them, one over a barrier stays") {
  const std::string compare = "mov.u32 %r1, %tid.x;\nsetp.lt.u32 %p1, %r1, 9;\n@%p1 bra $A;\n";
  const auto guarded = steps_of(compare + "st.shared.u32 [%r1], %r1;\n$A:\n");
  CHECK(names(guarded) == "mov setp st ret");
  CHECK(guarded[2].is_guarded);
  CHECK(names(steps_of(compare + "bar.sync 0;\n$A:\n")) == "mov setp bra bar label ret");
}

TEST_CASE("long sequences need registers of their own") {
  const auto steps = steps_of("mov.u32 %r1, %tid.x;\nmov.u32 %r2, %tid.y;\ndiv.u32 %r3, %r1, %r2;\nadd.u32 %r4, %r1, %r2;\n"
                              "st.shared.u32 [%r3], %r4;\n");
  REQUIRE(steps.size() == 6);
  CHECK(steps[2].temporaries > 0);
  CHECK(steps[3].temporaries == 0);
}
