#include <tg/dsl/proof/values.hpp>

#include <doctest/doctest.h>
#include <tg/ptx/builder.hpp>

namespace pf = tg::proof;

TEST_CASE("registers follow coordinates and arguments") {
  tg::ptx::module m;
  m.functions.emplace_back();
  tg::ptx::builder build(m, 0);
  using tg::ptx::token;
  const auto reg = [](tg::ptx::special x) { return tg::ptx::operand::special(x); };
  const auto t = build.compute(token::b32, tg::ptx::opcode::mov, {token::u32}, {reg(tg::ptx::special::tid_x)});
  const auto block = build.compute(token::b32, tg::ptx::opcode::mov, {token::u32}, {reg(tg::ptx::special::ctaid_x)});
  const auto i = build.compute(token::b32, tg::ptx::opcode::mad, {token::lo, token::u32},
                               {block, tg::ptx::operand::integer(8), t});
  const auto half = build.compute(token::b32, tg::ptx::opcode::div, {token::u32}, {i, tg::ptx::operand::integer(4)});
  const auto low =
      build.compute(token::pred, tg::ptx::opcode::setp, {token::lt, token::u32}, {t, tg::ptx::operand::integer(3)});
  pf::values v(m.functions[0], {8, 1, 1}, {});
  for (const auto& one : m.functions[0].body) v.run(one);
  CHECK(v.form_of(half).at(7) == 1);
  REQUIRE(v.form_of(half).terms.size() == 1);
  CHECK(v.form_of(half).terms[0].factor == 2);
  CHECK(v.predicates()[v.condition_of(low)].must.count() == 3);
  CHECK(v.is_uniform(v[block.id]));
  CHECK_FALSE(v.is_uniform(v[t.id]));
}

TEST_CASE("a register is read as the number that its bits mean") {
  const tg::ptx::function f;
  const std::vector<pf::parameter_fact> none;
  pf::values v(f, {4, 1, 1}, none);
  const pf::form lane = v.form_of(tg::ptx::operand::special(tg::ptx::special::tid_x));
  const pf::form below = pf::add(lane, pf::constant(-1));
  CHECK(v.as_number(below, 32, false).at(0) == 0xffffffff);
  CHECK(v.as_number(below, 32, false).at(1) == 0);
  CHECK(v.as_number(below, 32, true).at(0) == -1);
  CHECK(v.as_number(pf::constant(0x80000000), 32, true).base == -0x80000000ll);
  CHECK(v.as_number(pf::add(lane, pf::constant(255)), 8, false).at(1) == 0);
  // An argument of 32 bits plus one may be 0: a symbol that knows where it comes from.
  auto& s = v.unknowns();
  const auto n = pf::single(s.make({.shared = pf::sharing::launch, .low = 0, .high = 0xffffffff, .is_free = true}));
  const pf::form next = v.as_number(pf::add(n, pf::constant(1)), 32, false);
  REQUIRE(next.terms.size() == 1);
  CHECK(s[next.terms[0].symbol].low == 0);
  CHECK(s[next.terms[0].symbol].high == 0xffffffff);
  CHECK(s.expanded(next).terms.size() == 2);
  CHECK(v.as_number(n, 32, false) == n);
  CHECK_FALSE(v.as_number(n, 32, true) == n);
}

TEST_CASE("no overflow is assumed of sums that can stay in their type, never of data, of cuts, or below 0") {
  const tg::ptx::function f;
  const std::vector<pf::parameter_fact> none;
  pf::values v(f, {4, 1, 1}, none, true);
  auto& s = v.unknowns();
  const auto n = pf::single(s.make({.shared = pf::sharing::launch, .low = 0, .high = 0xffffffff, .is_free = true}));
  const pf::form next = pf::add(n, pf::constant(1));
  CHECK(v.as_number(next, 32, false) == next);
  CHECK_FALSE(v.as_number(next, 32, false, true) == next);
  CHECK_FALSE(v.as_number(pf::add(n, pf::constant(-1)), 32, false) == pf::add(n, pf::constant(-1)));
  const pf::form hash = pf::add(pf::scaled(n, 3), pf::constant(1ll << 33));
  CHECK_FALSE(v.as_number(hash, 32, false) == hash);
  const pf::form data = pf::add(v.fresh(false, 0, 0xffffffff), pf::constant(1));
  CHECK_FALSE(v.as_number(data, 32, false) == data);
}
