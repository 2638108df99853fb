#include <tg/ptx/ir/opcode_row.hpp>

#include <doctest/doctest.h>

using namespace tg::ptx;

TEST_CASE("a row answers for each of its traits") {
  constexpr opcode_row row{
      effect::pure, 1, instruction_class::arithmetic, calculation::add, 4, 1, trait::cheap | trait::uniform};
  static_assert(row.is(trait::cheap) && row.is(trait::uniform) && row.is(trait::cheap | trait::bitwise));
  static_assert(!row.is(trait::bitwise) && !row.is(trait::none));
  CHECK(row.is(trait::cheap));
  CHECK_FALSE(row.is(trait::texture));
}

TEST_CASE("effects are in the order in which they bind") {
  CHECK(effect::pure < effect::reads_constant);
  CHECK(effect::reads_memory < effect::convergent);
  CHECK(effect::convergent < effect::ordered);
  CHECK(effect::synchronizes < effect::control);
}
