#include <tg/dsl/proof/path.hpp>

#include <doctest/doctest.h>

namespace pf = tg::proof;

TEST_CASE("a choice takes threads along a path, or data decides") {
  pf::symbols s(4);
  pf::conditions c(s);
  const auto n = s.make({.shared = pf::sharing::launch, .low = 0, .high = 100, .is_free = true});
  const pf::form lane = pf::each({0, 1, 2, 3});
  pf::path all;
  all.must = all.may = c.everyone();
  const pf::path below = all.with(c, {c.at_most(pf::add(pf::add(lane, pf::constant(1)), pf::single(n), -1))});
  CHECK(below.may == c.everyone());
  CHECK(below.must.none());
  pf::choice two(s, c, 2, {});
  CHECK(two.takes(below, 1) == true);
  CHECK(two.takes(below, 2) == false);
  CHECK(two.value(pf::single(n, 3), 0) == 6);
  const pf::path on_data = below.with(c, {c.data(false)});
  CHECK_FALSE(two.takes(on_data, 1).has_value());
  CHECK(two.takes(on_data, 3) == false);
  CHECK_FALSE(two.takes(all.with(c, {c.data(true)}), 3).has_value());
  CHECK(below.facts(c).size() == 1);
}

// The exclusive or of n comparisons, each of which asks twice for what the one before it says: 2^n ways through it.
TEST_CASE("a condition that is a part of many others is decided once") {
  pf::symbols s(4);
  pf::conditions c(s);
  const auto n = s.make({.shared = pf::sharing::launch, .low = 0, .high = 1000, .is_free = true});
  auto parity = c.at_most(pf::single(n));
  for (int k = 1; k < 200; ++k) {
    const auto next = c.at_most(pf::add(pf::single(n), pf::constant(-k)));
    parity = c.either(c.both(parity, c.inverse(next)), c.both(c.inverse(parity), next));
  }
  pf::path all;
  all.must = all.may = c.everyone();
  const pf::path odd = all.with(c, {parity});
  CHECK(pf::choice(s, c, 0, {}).takes(odd, 1) == false);
  CHECK(pf::choice(s, c, 1, {}).takes(odd, 1) == true);
  CHECK(pf::choice(s, c, 198, {}).takes(odd, 1) == false);
  CHECK(pf::choice(s, c, 199, {}).takes(odd, 2) == true);
}

TEST_CASE("a number that is a part of many others is computed once") {
  pf::symbols s(1);
  pf::conditions c(s);
  const auto n = s.make({.shared = pf::sharing::launch, .low = 0, .high = 1000, .is_free = true});
  pf::form x = pf::single(n);
  for (int k = 0; k < 200; ++k)
    x = pf::single(
        s.make({.op = pf::operation::bit_xor, .left = pf::add(x, pf::constant(k)), .right = pf::add(x, pf::constant(-k))}));
  CHECK(pf::choice(s, c, 7, {}).value(x, 0).has_value());
}
