#include <tg/ptx/registers/machine_steps.hpp>

#include <doctest/doctest.h>

#include <string>

#include <tg/ptx/ir/opcode_name.hpp>
#include <tg/ptx/parse/parse.hpp>

using namespace tg::ptx;

namespace {

machine_steps made_of(const std::string& body, int sm = 80) {
  const module m = parse(".version 7.0\n.target sm_80\n.address_size 64\n"
                         ".visible .entry k(.param .u64 k_param_0, .param .u32 k_param_1)\n{\n.local .align 4 .b8 words[64];\n"
                         ".reg .pred %p<4>;\n.reg .b32 %r<9>;\n.reg .f32 %f<9>;\n.reg .f64 %fd<3>;\n.reg .b64 %rd<9>;\n" +
                         body + "ret;\n}\n");
  return to_machine_steps(m.functions[0], sm);
}

tg::dynamic_array<machine_step> steps_of(const std::string& body, int sm = 80) { return made_of(body, sm).steps; }

std::string names(const tg::dynamic_array<machine_step>& steps) {
  std::string out;
  for (const machine_step& s : steps)
    out += (out.empty() ? "" : " ") + std::string(s.op == opcode::label ? "label" : name(s.op));
  return out;
}

constexpr const char* lane_index = "ld.param.u64 %rd1, [k_param_0];\ncvta.to.global.u64 %rd2, %rd1;\nmov.u32 %r1, %tid.x;\n"
                                   "mul.wide.u32 %rd3, %r1, 4;\nadd.s64 %rd4, %rd2, %rd3;\n";

}  // namespace

TEST_CASE("parameters, uniform integers and widened indices are no values of a thread") {
  CHECK(names(steps_of(std::string(lane_index) + "ld.global.f32 %f1, [%rd4];\nst.global.f32 [%rd4], %f1;\n")) ==
        "mov add ld st ret");
  CHECK(names(steps_of(
            "mov.u32 %r1, %ntid.x;\nld.param.u32 %r2, [k_param_1];\nmad.lo.u32 %r3, %r1, %r2, 7;\nmov.u32 %r4, %tid.x;\n"
            "add.u32 %r5, %r4, %r3;\nst.shared.u32 [%r5], %r4;\n")) == "mov add st ret");
}

TEST_CASE("the block's place is uniform since sm_90") {
  const std::string text = "mov.u32 %r1, %ctaid.x;\nadd.u32 %r2, %r1, 7;\nmov.u32 %r4, %tid.x;\nadd.u32 %r5, %r4, %r2;\n"
                           "st.shared.u32 [%r5], %r4;\n";
  CHECK(names(steps_of(text, 80)) == "mov add mov add st ret");
  CHECK(names(steps_of(text, 90)) == "mov add st ret");
}

TEST_CASE("what depends on the thread is a value") {
  CHECK(names(steps_of("mov.u32 %r1, %tid.x;\nld.param.u32 %r2, [k_param_1];\nmad.lo.u32 %r3, %r1, %r2, 7;\n"
                       "st.shared.u32 [%r3], %r1;\n")) == "mov mad st ret");
}

TEST_CASE("the add of a widened index reads the index, and since sm_90 a base that is moved first") {
  const auto steps = steps_of(std::string(lane_index) + "ld.global.f32 %f1, [%rd4];\nst.global.f32 [%rd4], %f1;\n");
  REQUIRE(steps.size() == 5);
  CHECK(steps[1].reads == steps[0].writes);
  CHECK(steps[2].latency > steps[1].latency);
  CHECK(steps[2].order == step_order::load);
  CHECK(steps[3].order == step_order::store);
  CHECK(steps[3].stored == steps[2].writes);
  const auto newer = made_of(std::string(lane_index) + "ld.global.f32 %f1, [%rd4];\nst.global.f32 [%rd4], %f1;\n", 90);
  CHECK(names(newer.steps) == "mov mov add ld st ret");
  CHECK(newer.widths[newer.steps[1].writes[0]] == 2);
}

TEST_CASE("a uniform address and a stored constant are moved to registers, zero is not") {
  const std::string base = "ld.param.u64 %rd1, [k_param_0];\ncvta.to.global.u64 %rd2, %rd1;\n";
  CHECK(names(steps_of(base + "st.global.u32 [%rd2], 7;\nst.global.u32 [%rd2+4], 7;\n")) == "mov mov st st ret");
  CHECK(names(steps_of(base + "st.global.u32 [%rd2], 0;\n")) == "mov st ret");
}

TEST_CASE("a scaled index and the inner one of two logic operations are part of their reader") {
  CHECK(names(steps_of("mov.u32 %r1, %tid.x;\nshl.b32 %r2, %r1, 2;\nadd.u32 %r3, %r2, %r1;\nst.shared.u32 [%r3], %r1;\n")) ==
        "mov add st ret");
  CHECK(names(steps_of("mov.u32 %r1, %tid.x;\nand.b32 %r2, %r1, 28;\nxor.b32 %r3, %r2, %r1;\nst.shared.u32 [%r3], %r1;\n")) ==
        "mov xor st ret");
  CHECK(names(steps_of("mov.u32 %r1, %tid.x;\nshl.b32 %r2, %r1, 2;\nst.shared.u32 [%r2], %r1;\n")) == "mov shl st ret");
}

TEST_CASE("an access knows where it counts from") {
  const auto steps =
      steps_of("mov.u32 %r1, %tid.x;\nadd.u32 %r2, %r1, 16;\nst.shared.u32 [%r2+4], %r1;\nst.shared.v2.u32 [%r1], {%r1, %r2};\n"
               "ld.local.u32 %r3, [words+8];\nst.shared.u32 [%r3], %r3;\n");
  const auto is_store = [](const machine_step& s) { return s.op == opcode::st; };
  const auto first = std::find_if(steps.begin(), steps.end(), is_store),
             second = std::find_if(first + 1, steps.end(), is_store);
  REQUIRE(second != steps.end());
  CHECK(first->base == second->base);
  CHECK(first->offset == 20);
  CHECK(first->bytes == 4);
  CHECK(second->offset == 0);
  CHECK(second->bytes == 8);
}

TEST_CASE("a small array of words is a value, unless a loop over it is kept") {
  const std::string access = "st.local.u32 [words], %r1;\nld.local.u32 %r3, [words];\nst.shared.u32 [%r1], %r3;\n";
  const auto promoted = made_of("mov.u32 %r1, %tid.x;\n" + access);
  CHECK(promoted.widths.back() == 16);
  CHECK(promoted.steps[1].order == step_order::any);
  const auto kept = made_of("mov.u32 %r1, %tid.x;\n$L:\n.pragma \"nounroll\";\n" + access +
                            "add.u32 %r1, %r1, 1;\nsetp.lt.u32 %p1, %r1, 9;\n@%p1 bra $L;\n");
  CHECK(kept.widths.back() < 16);
  CHECK(kept.steps[1].keeps_turns);
}

TEST_CASE("long sequences need registers of their own") {
  const auto steps = steps_of("mov.u32 %r1, %tid.x;\nmov.u32 %r2, %tid.y;\ndiv.u32 %r3, %r1, %r2;\nadd.u32 %r4, %r1, %r2;\n"
                              "st.shared.u32 [%r3], %r4;\n");
  REQUIRE(steps.size() == 6);
  CHECK(steps[2].temporaries > 0);
  CHECK(steps[2].is_called);
  CHECK(steps[3].temporaries == 0);
}

TEST_CASE("a word that is stored far away has an odd register, and half of a pair") {
  const auto made =
      made_of(std::string(lane_index) + "ld.global.f32 %f1, [%rd4];\nst.global.f32 [%rd4], %f1;\nst.shared.u32 [%r1], %r1;\n");
  CHECK(made.odd[made.steps[2].writes[0]] == 1);
  CHECK(made.odd[made.steps[1].writes[0]] == 1);
  CHECK(made.odd[made.steps[0].writes[0]] == 0);
}

TEST_CASE("since sm_90 a double parameter is a value, and the base of bytes stays where it is") {
  const std::string half = "ld.param.f64 %fd1, [k_param_0];\nadd.f64 %fd2, %fd1, %fd1;\nst.local.f64 [words], %fd2;\n";
  CHECK(names(steps_of(half, 80)) == "add st ret");
  CHECK(names(steps_of(half, 90)) == "ld add st ret");
  const std::string bytes = "ld.param.u64 %rd1, [k_param_0];\ncvta.to.global.u64 %rd2, %rd1;\nmov.u32 %r1, %tid.x;\n"
                            "cvt.u64.u32 %rd3, %r1;\nadd.s64 %rd4, %rd2, %rd3;\nst.global.u32 [%rd4], %r1;\n";
  CHECK(names(steps_of(bytes, 90)) == "mov add st ret");
}

TEST_CASE("an atomic that tries until it succeeds and an exchange between unknown lanes end a block") {
  const auto order_of = [](const std::string& body, opcode op) {
    for (const machine_step& s : steps_of("mov.u32 %r1, %tid.x;\n" + body))
      if (s.op == op) return s.order;
    return step_order::any;
  };
  CHECK(order_of("atom.shared.add.f32 %f1, [%r1], 0f3F800000;\n", opcode::atom) == step_order::fence);
  CHECK(order_of("atom.shared.add.u32 %r2, [%r1], 1;\n", opcode::atom) == step_order::store);
  CHECK(order_of("shfl.sync.bfly.b32 %r2, %r1, 1, 31, %r1;\n", opcode::shfl) == step_order::fence);
  CHECK(order_of("shfl.sync.bfly.b32 %r2, %r1, 1, 31, -1;\n", opcode::shfl) == step_order::exchange);
}

TEST_CASE("a comparison knows what divides both sides where one is the same in all threads") {
  const auto compared = [](const std::string& bound) {
    for (const machine_step& s : steps_of("mov.u32 %r1, %tid.x;\nshl.b32 %r2, %r1, 3;\nld.param.u32 %r3, [k_param_1];\n" +
                                          bound + "setp.eq.u32 %p1, %r2, %r4;\n@%p1 st.shared.u32 [%r2], %r1;\n"))
      if (s.op == opcode::setp) return s.multiple;
    return std::int64_t{-1};
  };
  CHECK(compared("and.b32 %r4, %r3, -4;\n") == 4);
  CHECK(compared("mov.u32 %r4, %r3;\n") == 1);
  CHECK(compared("mov.u32 %r4, %tid.y;\n") == 0);
}
