#include <tg/dsl/proof/limits.hpp>

#include <doctest/doctest.h>

namespace pf = tg::proof;

TEST_CASE("a fact limits what ranges do not") {
  pf::symbols s(2);
  const auto n = s.make({.shared = pf::sharing::launch, .low = 0});
  const auto i = s.make({.shared = pf::sharing::block, .low = 0});
  const pf::form lane = pf::each({0, 1});
  pf::limits known(s, pf::first_threads(2), {});
  const pf::form above = pf::add(pf::add(pf::single(i), lane), pf::single(n), -1);
  CHECK_FALSE(known.keeps_to({pf::scaled(above, 4)}, -4));
  known.know(pf::add(above, pf::constant(1)));
  CHECK(known.keeps_to({pf::scaled(above, 4)}, -4));
  CHECK_FALSE(known.keeps_to({pf::scaled(above, 4)}, -5));
}

TEST_CASE("the smaller of two is limited by either") {
  pf::symbols s(1);
  const auto n = pf::single(s.make({.low = 0, .high = 100}));
  const auto least = s.computed(pf::operation::minimum, n, pf::constant(3), 0, 100);
  const auto most = s.computed(pf::operation::maximum, n, pf::constant(3), 0, 100);
  const pf::limits known(s, pf::first_threads(1), {});
  CHECK(known.keeps_to({least}, 3));
  CHECK_FALSE(known.keeps_to({most}, 3));
  CHECK(known.keeps_to({pf::scaled(most, -1)}, -3));
}

TEST_CASE("threads share arguments and not what is their own") {
  pf::symbols s(1);
  const auto n = s.make({.shared = pf::sharing::launch}), own = s.make({.shared = pf::sharing::thread});
  const pf::form f = pf::renamed(s, pf::add(pf::single(n), pf::single(own)));
  REQUIRE(f.terms.size() == 2);
  CHECK(f.terms[0].symbol == n);
  CHECK(f.terms[1].symbol == (own | pf::second_thread));
}
