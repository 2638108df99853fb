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
