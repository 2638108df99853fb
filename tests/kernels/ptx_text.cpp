// The judges of tests/ptx/text_judge.hpp find what is wrong with the text of a kernel.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <tg/base/dynamic_array.hpp>

#include <kernels/saxpy.hpp>
#include <tg/dsl/kernel/lower.hpp>

#include "../ptx/text_judge.hpp"

namespace {

bool contains(const tg::dynamic_array<std::string>& complaints, std::string_view part) {
  return std::ranges::any_of(complaints, [&](const auto& c) { return c.find(part) != c.npos; });
}

}  // namespace

TEST_CASE("each judge finds what is wrong with a text") {
  using tg::ptx::test::text_complaints;
  auto lowered = tg::lower(tg::kernels::saxpy);
  REQUIRE(text_complaints(lowered.module, lowered.ptx).empty());

  auto other = lowered.ptx;
  other.replace(other.find("fma.rn.f32"), 10, "fma.rz.f32");
  CHECK(text_complaints(lowered.module, other) == tg::dynamic_array<std::string>{"parse gives another module"});

  CHECK(contains(text_complaints(lowered.module, lowered.ptx + "nonsense\n"), "TG30"));
  if (tg::ptx::test::has_ptxas()) CHECK(contains(text_complaints(lowered.module, lowered.ptx + "nonsense\n"), "sm_75"));

  auto newer = lowered.module;
  newer.sm = 80;
  CHECK(contains(text_complaints(newer, tg::ptx::print(newer)), "sm_75 is below the text's sm_80"));

  auto wrong = lowered.module;
  for (auto& i : wrong.functions[0].body) {
    if (i.op == tg::ptx::opcode::fma) i.token_array[0] = tg::ptx::token::lo;
  }
  CHECK(contains(text_complaints(wrong, lowered.ptx), "TG310"));
}

TEST_CASE("the list of forms knows what is no instruction") {
  REQUIRE(tg::ptx::test::find_asked("add.u16") != nullptr);
  CHECK(tg::ptx::test::find_asked("add.u16")->at_sm80);
  REQUIRE(tg::ptx::test::find_asked("add.sat.u16") != nullptr);
  CHECK_FALSE(tg::ptx::test::find_asked("add.sat.u16")->at_sm80);
  CHECK(tg::ptx::test::find_asked("add.lo.u16") == nullptr);
}
