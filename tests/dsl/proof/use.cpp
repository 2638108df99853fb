#include <tg/dsl/proof/use.hpp>

#include <doctest/doctest.h>

namespace pf = tg::proof;

TEST_CASE("threads that met are ordered, in a warp or in the block") {
  pf::live_use l;
  CHECK_FALSE(l.is_ordered(0, 1));
  l.meetings.push_back({pf::first_threads(64), true});
  CHECK(l.is_ordered(0, 31));
  CHECK_FALSE(l.is_ordered(0, 32));
  l.meetings.push_back({pf::first_threads(40)});
  CHECK(l.is_ordered(0, 32));
  CHECK_FALSE(l.is_ordered(0, 40));
}

TEST_CASE("a use is laid out by the threads that may make it, in the order of their places") {
  pf::use u;
  u.offset = pf::each({12, 8, 4, 0});
  u.row_unit = 4;
  for (const std::size_t t : {0, 1, 3}) u.way.may.set(t);
  pf::lay_out(u);
  CHECK(u.laid->who == tg::dynamic_array<std::uint32_t>{0, 1, 3});
  REQUIRE(u.laid->places.size() == 3);
  CHECK(u.laid->places[0].start == 0);
  CHECK(u.laid->places[0].thread == 3);
  CHECK(u.laid->places[2].start == 12);
  CHECK(u.laid->low.rest == 0);
  CHECK(u.laid->high.rest == 12);
  CHECK(u.laid->high.row == 0);
}
