#include <tg/ptx/registers/guard_branches.hpp>

#include <doctest/doctest.h>

#include <string>

#include <tg/ptx/ir/opcode_name.hpp>
#include <tg/ptx/parse/parse.hpp>

using namespace tg::ptx;

namespace {

struct outcome {
  std::string names;
  tg::dynamic_array<machine_step> steps;
};

outcome guarded(const std::string& body) {
  const module m = parse(".version 7.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 k_param_0)\n{\n"
                         ".reg .pred %p<4>;\n.reg .b32 %r<20>;\nmov.u32 %r1, %tid.x;\nsetp.lt.u32 %p1, %r1, 9;\n" +
                         body + "ret;\n}\n");
  outcome out{"", to_machine_steps(m.functions[0], 80).steps};
  guard_branches(out.steps, m.functions[0].label_count);
  for (const machine_step& s : out.steps)
    out.names +=
        (out.names.empty() ? "" : " ") + std::string(s.op == opcode::label ? "label" : name(s.op)) + (s.is_guarded ? "?" : "");
  return out;
}

}  // namespace

TEST_CASE("a short branch guards what it jumps over") {
  const outcome o = guarded("@%p1 bra $A;\nst.shared.u32 [%r1], %r1;\n$A:\n");
  CHECK(o.names == "mov setp st? ret");
  CHECK(std::find(o.steps[2].reads.begin(), o.steps[2].reads.end(), o.steps[1].writes[0]) != o.steps[2].reads.end());
}

TEST_CASE("a branch over a barrier or over much stays") {
  CHECK(guarded("@%p1 bra $A;\nbar.sync 0;\n$A:\n").names == "mov setp bra? bar label ret");
  std::string many;
  for (int k = 2; k < 14; ++k) many += "st.shared.u32 [%r1+" + std::to_string(4 * k) + "], %r1;\n";
  CHECK(guarded("@%p1 bra $A;\n" + many + "$A:\n").names.find("bra? st st") != std::string::npos);
}

TEST_CASE("both sides are guarded, and what both write is written") {
  const outcome o =
      guarded("@%p1 bra $A;\nadd.u32 %r2, %r1, 1;\nbra $B;\n$A:\nadd.u32 %r2, %r1, 2;\n$B:\nst.shared.u32 [%r1], %r2;\n");
  CHECK(o.names == "mov setp add? add st ret");
  CHECK(o.steps[2].writes.empty());
  CHECK(o.steps[3].writes == o.steps[4].stored);
}

TEST_CASE("a branch to where the next jump goes as well guards what is between them") {
  CHECK(guarded("$A:\nbar.sync 0;\n@%p1 bra $A;\nst.shared.u32 [%r1], %r1;\nbra $A;\n").names ==
        "mov setp label bar st? bra ret");
  CHECK(guarded("$A:\nbar.sync 0;\n@%p1 bra $A;\nbar.sync 1;\nbra $A;\n").names == "mov setp label bar bra? bar bra ret");
}

TEST_CASE("a loop that is entered behind its test has the test at its end") {
  const std::string body = "$B:\nst.shared.u32 [%r1], %r1;\nbra $T;\n$E:\nbar.sync 0;\n";
  const outcome o = guarded("bra $B;\n$T:\nadd.u32 %r1, %r1, 4;\nsetp.eq.u32 %p2, %r1, 64;\n@%p2 bra $E;\n" + body);
  CHECK(o.names == "mov setp label st add setp bra? bar ret");
  CHECK(o.steps[6].is_negated);
  CHECK(o.steps[6].label == o.steps[2].label);
  const outcome entered = guarded("$T:\nadd.u32 %r1, %r1, 4;\nsetp.eq.u32 %p2, %r1, 64;\n@%p2 bra $E;\n" + body);
  CHECK(entered.names.find("label add setp bra?") != std::string::npos);
}

TEST_CASE("a branch to the next step is none, and a jump over a jump is turned round") {
  CHECK(guarded("bra $A;\n$A:\nst.shared.u32 [%r1], %r1;\n").names == "mov setp st ret");
  CHECK(guarded("@%p1 bra $A;\nbra $B;\n$A:\nst.shared.u32 [%r1], %r1;\n$B:\n").names == "mov setp st? ret");
}

TEST_CASE("an assumption is no step, and no reason to branch") {
  CHECK(guarded("@%p1 bra $A;\n//tg:assume %p1;\nst.shared.u32 [%r1], %r1;\n$A:\n").names == "mov setp st? ret");
}
