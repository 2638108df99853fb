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
