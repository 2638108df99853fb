#include <tg/dsl/proof/memory.hpp>

#include <doctest/doctest.h>

namespace pf = tg::proof;

TEST_CASE("uses since the last barrier, and those behind it") {
  tg::ptx::module m;
  m.files.push_back("k.cpp");
  m.variables.push_back({.space = tg::ptx::token::shared, .count = 64});
  m.functions.emplace_back().body.resize(4);
  const tg::dynamic_array<pf::parameter_fact> none;
  pf::values v(m.functions[0], {16, 1, 1}, none);
  pf::ledger l(m, {16, 1, 1});
  pf::memory memory(v, l, m, none, {true, false, false});
  pf::use u{.instruction = 0, .where = {true, 0}, .bytes = 4, .writes = true};
  u.offset = pf::add(v.form_of(tg::ptx::operand::named(tg::ptx::operand_kind::variable, 0)),
                     pf::scaled(v.form_of(tg::ptx::operand::special(tg::ptx::special::tid_x)), 4));
  u.way.must = u.way.may = v.predicates().everyone();
  memory.touch(u);
  CHECK(memory.now().uses.size() == 1);
  memory.barrier(1);
  CHECK(memory.now().uses.empty());
  CHECK(!memory.barriers().is_needed(1));
  u.instruction = 2;
  u.offset = pf::add(v.form_of(tg::ptx::operand::named(tg::ptx::operand_kind::variable, 0)), pf::constant(8));
  u.reads = true;
  u.writes = false;
  memory.touch(u);
  CHECK(memory.barriers().is_needed(1));
  for (const auto& f : l.take()) CHECK(f.answer == tg::answer::proved);
}
