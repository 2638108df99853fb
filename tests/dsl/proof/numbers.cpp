#include <tg/dsl/proof/numbers.hpp>

#include <doctest/doctest.h>

namespace pf = tg::proof;

TEST_CASE("a register is read as the number that its bits mean") {
  pf::symbols s(4);
  const pf::conditions c(s);
  pf::numbers n(s, c);
  const pf::form lane = pf::each({0, 1, 2, 3});
  const pf::form below = pf::add(lane, pf::constant(-1));
  CHECK(n.as_number(below, 32, false).at(0) == 0xffffffff);
  CHECK(n.as_number(below, 32, false).at(1) == 0);
  CHECK(n.as_number(below, 32, true).at(0) == -1);
  CHECK(n.as_number(pf::constant(0x80000000), 32, true).base == -0x80000000ll);
  CHECK(n.as_number(pf::add(lane, pf::constant(255)), 8, false).at(1) == 0);
  // An argument of 32 bits plus one may be 0: a symbol that knows where it comes from.
  const auto x = pf::single(s.make({.shared = pf::sharing::launch, .low = 0, .high = 0xffffffff, .is_free = true}));
  const pf::form next = n.as_number(pf::add(x, pf::constant(1)), 32, false);
  REQUIRE(next.terms.size() == 1);
  CHECK(s[next.terms[0].symbol].low == 0);
  CHECK(s[next.terms[0].symbol].high == 0xffffffff);
  CHECK(s.expanded(next).terms.size() == 2);
  CHECK(n.as_number(x, 32, false) == x);
  CHECK_FALSE(n.as_number(x, 32, true) == x);
}

TEST_CASE("no overflow is assumed of sums that can stay in their type, never of data, of cuts, or below 0") {
  pf::symbols s(4);
  const pf::conditions c(s);
  pf::numbers n(s, c, true);
  const auto x = pf::single(s.make({.shared = pf::sharing::launch, .low = 0, .high = 0xffffffff, .is_free = true}));
  const pf::form next = pf::add(x, pf::constant(1));
  CHECK(n.as_number(next, 32, false) == next);
  CHECK_FALSE(n.as_number(next, 32, false, true) == next);
  CHECK_FALSE(n.as_number(pf::add(x, pf::constant(-1)), 32, false) == pf::add(x, pf::constant(-1)));
  const pf::form hash = pf::add(pf::scaled(x, 3), pf::constant(1ll << 33));
  CHECK_FALSE(n.as_number(hash, 32, false) == hash);
  const pf::form below = pf::add(pf::scaled(x, -4), pf::constant(-(1ll << 33)));
  CHECK_FALSE(n.as_number(below, 32, true) == below);
  const pf::form data = pf::add(pf::single(s.make({.low = 0, .high = 0xffffffff, .is_data = true})), pf::constant(1));
  CHECK_FALSE(n.as_number(data, 32, false) == data);
}

TEST_CASE("conditions on the way prove that a number stays in its type, elsewhere they do not") {
  pf::symbols s(4);
  pf::conditions c(s);
  pf::numbers n(s, c);
  const auto x = pf::single(s.make({.shared = pf::sharing::launch, .low = 0, .high = 0xffffffff, .is_free = true}));
  const pf::form next = pf::add(x, pf::constant(1));
  pf::path everywhere, below_100;
  everywhere.must = everywhere.may = c.everyone();
  below_100 = everywhere.with(c, {c.at_most(pf::add(x, pf::constant(-99)))});
  n.come_by(everywhere);
  CHECK_FALSE(n.as_number(next, 32, false) == next);
  n.come_by(below_100);
  CHECK(n.as_number(next, 32, false) == next);
}
