#include <tg/dsl/proof/ways.hpp>

#include <doctest/doctest.h>

namespace pf = tg::proof;

TEST_CASE("a way says of two threads what it says of one, each in names of its own") {
  pf::symbols s(4);
  pf::conditions c(s);
  const std::uint32_t own = s.make({.shared = pf::sharing::thread, .low = 0, .high = 100});
  const std::uint32_t block = s.make({.shared = pf::sharing::block, .low = 0, .high = 100});
  const pf::form sum = pf::add(pf::single(own), pf::single(block), -1);
  pf::path way;
  way.must = way.may = c.everyone();
  const pf::path below = way.with(c, {c.at_most(sum), true, {}});
  const pf::path above = way.with(c, {c.at_most(sum), false, {}});
  pf::ways all(s, c);
  for (int again = 0; again < 2; ++again) {
    CHECK(all.facts_of(way).of_first.empty());
    const pf::way_facts& facts = all.facts_of(below);
    REQUIRE(facts.of_first.size() == 1);
    CHECK(facts.of_first[0].first == sum);
    CHECK(facts.of_second[0].first == pf::renamed(s, sum));
    CHECK(facts.of_other_block[0].first == pf::renamed(s, sum, true));
    CHECK_FALSE(facts.of_second[0].first == facts.of_other_block[0].first);
    CHECK(all.facts_of(above).of_first[0].first == pf::add(pf::constant(1), sum, -1));
  }
}
