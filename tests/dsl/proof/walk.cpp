#include <tg/dsl/proof/walk.hpp>

#include <doctest/doctest.h>

#include <tg/ptx/builder.hpp>

namespace pf = tg::proof;

TEST_CASE("a walk asks what the instructions ask for") {
  tg::ptx::module m;
  m.variables.push_back({.space = tg::ptx::token::shared, .count = 64});
  m.functions.emplace_back();
  tg::ptx::builder build(m, 0);
  using tg::ptx::opcode;
  using tg::ptx::token;
  const auto tile = tg::ptx::operand::address(tg::ptx::operand::named(tg::ptx::operand_kind::variable, 0));
  build.emit(opcode::st, {token::shared, token::u32}, {tile, tg::ptx::operand::integer(1)});
  build.emit(opcode::bar, {token::sync}, {tg::ptx::operand::integer(0)});
  build.emit(opcode::ret, {}, {});
  const std::vector<pf::parameter_fact> none;
  pf::walk walk(m, {32, 1, 1}, none);
  walk.run();
  CHECK(walk.redundant_barriers().size() == 1);
  const auto all = walk.findings();
  REQUIRE(all.size() == 3);
  CHECK(all[0].question == tg::question::shared_race);
  CHECK(all[0].answer == tg::answer::refuted);
  CHECK(all[1].question == tg::question::extents);
  CHECK(all[2].question == tg::question::barrier);
  CHECK(all[2].answer == tg::answer::proved);
}
