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

TEST_CASE("what is known of a maximum itself limits it, where its operands have no limits") {
  pf::symbols s(1);
  const auto n = pf::single(s.make({.low = 0, .high = 100})), x = pf::single(s.make({.low = 0}));
  const auto most = s.computed(pf::operation::maximum, x, pf::constant(3), 3, pf::unbounded);
  pf::limits known(s, pf::first_threads(1), {});
  CHECK_FALSE(known.keeps_to({most}, 100));
  known.know(pf::add(most, n, -1));
  CHECK(known.keeps_to({most}, 100));
  CHECK_FALSE(known.keeps_to({most}, 99));
}

TEST_CASE("a number that a block has drawn is below the number of blocks") {
  pf::symbols s(1);
  const auto blocks = s.of(tg::ptx::special::nctaid_x);
  const auto drawn = pf::single(s.make_drawn(0)), along_y = pf::single(s.make_drawn(1));
  pf::limits known(s, pf::first_threads(1), {});
  for (pf::form& f : pf::facts_of_grid(s)) known.know(std::move(f));
  CHECK(known.keeps_to({pf::add(drawn, blocks, -1)}, -1));
  CHECK_FALSE(known.keeps_to({pf::add(drawn, blocks, -1)}, -2));
  CHECK_FALSE(known.keeps_to({pf::add(along_y, blocks, -1)}, -1));
}
