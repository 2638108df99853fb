#include <tg/dsl/proof/conditions.hpp>

#include <doctest/doctest.h>

namespace pf = tg::proof;

TEST_CASE("conditions on coordinates are exact, those on arguments are what the range says") {
  pf::symbols s(4);
  pf::conditions c(s);
  const pf::form lane = pf::each({0, 1, 2, 3});
  const auto low = c.at_most(pf::add(lane, pf::constant(-1)));
  CHECK(c[low].what == pf::condition::kind::known);
  CHECK(c[low].must.to_ulong() == 3);
  CHECK(c[c.inverse(low)].must.to_ulong() == 12);
  const auto n = s.make({.shared = pf::sharing::launch, .low = 2, .high = 9, .is_free = true});
  const auto below = c.at_most(pf::add(pf::add(lane, pf::constant(1)), pf::single(n), -1));
  CHECK(c[below].must.to_ulong() == 3);
  CHECK(c[below].may.to_ulong() == 15);
  CHECK_FALSE(c[below].is_uniform);
  CHECK(c[c.at_most(pf::add(pf::single(n), pf::constant(-4)))].is_uniform);
  CHECK(c[c.either(below, c.inverse(low))].must.to_ulong() == 15);
  CHECK(c[c.both(below, c.inverse(below))].must.none());
}

TEST_CASE("facts of both, not of either") {
  pf::symbols s(1);
  pf::conditions c(s);
  const auto n = pf::single(s.make({}));
  const auto a = c.at_most(n), b = c.at_most(pf::add(n, pf::constant(-5)));
  tg::dynamic_array<pf::form> facts;
  CHECK(c.facts(c.both(a, b), true, facts));
  CHECK(facts.size() == 2);
  facts.clear();
  CHECK(c.facts(a, false, facts));
  CHECK(facts.front() == pf::add(pf::constant(1), n, -1));
  facts.clear();
  CHECK_FALSE(c.facts(c.either(a, b), true, facts));
}

TEST_CASE("facts of a condition that is a part of many others are told once") {
  pf::symbols s(1);
  pf::conditions c(s);
  const auto n = pf::single(s.make({}));
  auto x = c.both(c.at_most(n), c.at_most(pf::add(n, pf::constant(-1))));
  for (int k = 2; k < 200; ++k) x = c.both(c.both(x, c.at_most(pf::add(n, pf::constant(-k)))), x);
  tg::dynamic_array<pf::form> facts;
  CHECK(c.facts(x, true, facts));
  CHECK(facts.size() == 200);
}

TEST_CASE("a condition of any thread is the same in all of them, and says nothing of one") {
  pf::symbols s(4);
  pf::conditions c(s);
  const auto first = c.known(pf::first_threads(1));
  const auto any = c.any(first);
  CHECK(c[any].what == pf::condition::kind::any);
  CHECK(c[any].is_uniform);
  CHECK(c[any].may == c.everyone());
  CHECK(c[any].must.none());
  tg::dynamic_array<pf::form> facts;
  CHECK_FALSE(c.facts(any, true, facts));
  CHECK(facts.empty());
  CHECK(c[c.any(c.known({}))].may.none());
}
