#include <tg/dsl/proof/limits_on_ways.hpp>

#include <random>

#include <doctest/doctest.h>

namespace pf = tg::proof;

TEST_CASE("what holds on a way holds on each longer one, and what does not may hold there") {
  pf::symbols s(4);
  pf::conditions c(s);
  const auto n = pf::single(s.make({.shared = pf::sharing::launch, .low = 0}));
  const auto i = pf::single(s.make({.shared = pf::sharing::block, .low = 0}));
  const auto k = pf::single(s.make({.shared = pf::sharing::block, .low = 0}));
  pf::path all;
  all.must = all.may = c.everyone();
  const pf::path below = all.with(c, {c.at_most(pf::add(i, n, -1))});
  const pf::path both = below.with(c, {c.at_most(pf::add(n, pf::constant(-100)))});
  const pf::path other = below.with(c, {c.at_most(k)});
  pf::limits_on_ways known(s, c);
  CHECK(known.keeps_to(pf::add(i, n, -1), 0, below));
  CHECK(known.keeps_to(pf::add(pf::add(i, n, -1), pf::constant(7)), 7, other));
  CHECK_FALSE(known.keeps_to(pf::add(i, n, -1), -1, other));
  CHECK_FALSE(known.keeps_to(i, 100, below));
  CHECK(known.keeps_to(i, 100, both));
  CHECK_FALSE(known.keeps_to(i, 99, both));
  CHECK_FALSE(known.keeps_to(i, 100, other));
  CHECK_FALSE(known.keeps_to(pf::add(i, n, -1), 0, all));
  CHECK_FALSE(known.keeps_to(pf::form{{}, 0, nullptr, true}, 100, both));
}

TEST_CASE("threads that stay away from the longer way do not count on it, but do on the shorter one") {
  pf::symbols s(4);
  pf::conditions c(s);
  const pf::form lane = pf::each({0, 1, 2, 3});
  pf::path all;
  all.must = all.may = c.everyone();
  const pf::path first_two = all.with(c, {c.at_most(pf::add(lane, pf::constant(-1)))});
  pf::limits_on_ways known(s, c);
  CHECK(known.keeps_to(lane, 1, first_two));
  CHECK_FALSE(known.keeps_to(lane, 2, all));
  CHECK(known.keeps_to(lane, 3, all));
  CHECK_FALSE(known.keeps_to(lane, 0, first_two));
  // Without a condition: two of the threads have left before.
  pf::path without_others = all;
  without_others.must = without_others.may = pf::first_threads(2);
  pf::limits_on_ways again(s, c);
  CHECK(again.keeps_to(lane, 1, without_others));
  CHECK_FALSE(again.keeps_to(lane, 1, all));
}

// The judge searches each time with the conditions of the way and nothing kept.
TEST_CASE("random questions on random ways are answered as without a memory") {
  const auto seed = std::random_device{}();
  CAPTURE(seed);
  std::mt19937 random(seed);
  const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  int proved = 0;
  for (int round = 0; round < 20; ++round) {
    pf::symbols s(4);
    pf::conditions c(s);
    tg::dynamic_array<pf::form> unknowns;
    for (int k = 0; k < 4; ++k)
      unknowns.push_back(pf::single(s.make({.shared = pf::sharing::block, .low = 0, .high = below(2) ? 50 : pf::unbounded})));
    const auto sum = [&] {
      pf::form out = below(2) ? pf::each({0, below(4), below(4), 3}) : pf::constant(0);
      for (const pf::form& x : unknowns) out = pf::add(out, x, below(5) - 2);
      return out;
    };
    tg::dynamic_array<pf::path> ways(1);
    ways[0].must = ways[0].may = c.everyone();
    tg::dynamic_array<pf::form> sums;
    for (int k = 0; k < 6; ++k) sums.push_back(sum());
    pf::limits_on_ways known(s, c);
    for (int asked = 0; asked < 400; ++asked) {
      if (ways.size() < 40 && below(3) == 0) {
        const pf::path from = ways[static_cast<std::size_t>(below(static_cast<int>(ways.size())))];
        ways.push_back(
            from.with(c, {c.at_most(pf::add(sums[static_cast<std::size_t>(below(6))], pf::constant(below(9) - 4)))}));
      }
      const pf::path& way = ways[static_cast<std::size_t>(below(static_cast<int>(ways.size())))];
      const pf::form f = pf::add(sums[static_cast<std::size_t>(below(6))], pf::constant(below(20)));
      const pf::number most = below(200) - 20;
      pf::limits fresh(s, way.may, {});
      for (pf::form& fact : way.facts(c)) fresh.know(std::move(fact));
      const bool expected = fresh.keeps_to({f, {}}, most);
      proved += expected;
      REQUIRE(known.keeps_to(f, most, way) == expected);
    }
  }
  CHECK(proved > 400);
}
