#include <tg/dsl/proof/division.hpp>

#include <doctest/doctest.h>

namespace pf = tg::proof;

TEST_CASE("one comes and one stays, in a block or in a warp") {
  const tg::ptx::function f;
  const tg::dynamic_array<pf::parameter_fact> none;
  pf::values v(f, {64, 1, 1}, none);
  pf::path way;
  way.must = way.may = v.predicates().everyone();
  CHECK(pf::divided(v, way, 64).what == pf::division::kind::none);
  const pf::path half = way.with(v.predicates(), {v.predicates().known(pf::first_threads(32)), true, {0, 7}});
  const auto d = pf::divided(v, half, 64);
  CHECK(d.what == pf::division::kind::found);
  CHECK(d.comes == 31);
  CHECK(d.stays == 63);
  CHECK(d.branch.line == 7);
  CHECK(pf::divided(v, half, 32).what == pf::division::kind::none);
  const pf::path on_data = way.with(v.predicates(), {v.predicates().data(false)});
  CHECK(pf::divided(v, on_data, 64).what == pf::division::kind::unknown);
}

TEST_CASE("a condition that is a part of many others is judged once") {
  const tg::ptx::function f;
  const tg::dynamic_array<pf::parameter_fact> none;
  pf::values v(f, {64, 1, 1}, none);
  pf::conditions& c = v.predicates();
  const auto n = pf::single(v.unknowns().make({.shared = pf::sharing::launch, .low = 0, .high = 1000, .is_free = true}));
  auto parity = c.at_most(n);
  for (int k = 1; k < 200; ++k) {
    const auto next = c.at_most(pf::add(n, pf::constant(-k)));
    parity = c.either(c.both(parity, c.inverse(next)), c.both(c.inverse(parity), next));
  }
  CHECK(pf::group_sameness(v.unknowns(), c, 64).of_condition(parity));
  const auto mixed = c.both(parity, c.known(pf::first_threads(48)));
  CHECK_FALSE(pf::group_sameness(v.unknowns(), c, 32).of_condition(mixed));
  CHECK(pf::group_sameness(v.unknowns(), c, 16).of_condition(mixed));
}

TEST_CASE("what the lanes of a warp share keeps a warp together, not a block") {
  const tg::ptx::function f;
  const tg::dynamic_array<pf::parameter_fact> none;
  pf::values v(f, {64, 1, 1}, none);
  const auto n = pf::single(v.unknowns().make({.shared = pf::sharing::warp, .low = 0, .is_data = true}));
  pf::path way;
  way.must = way.may = v.predicates().everyone();
  const pf::path some = way.with(v.predicates(), {v.predicates().at_most(n), true});
  CHECK(pf::divided(v, some, 32).what == pf::division::kind::none);
  CHECK(pf::divided(v, some, 64).what != pf::division::kind::none);
}
