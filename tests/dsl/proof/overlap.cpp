#include <tg/dsl/proof/overlap.hpp>

#include <doctest/doctest.h>

namespace pf = tg::proof;

TEST_CASE("pairs that share a byte") {
  const auto a = pf::sorted_places({0, 4, 8}, {0, 1, 2}), b = pf::sorted_places({9, 20, 3}, {0, 1, 2});
  std::vector<pf::number> found;
  CHECK_FALSE(pf::each_overlap(a, 4, b, 4, [&](auto s, auto t, auto at) {
    found.insert(found.end(), {s, t, at});
    return false;
  }));
  CHECK(found == std::vector<pf::number>{0, 2, 3, 1, 2, 4, 2, 0, 9});
}

TEST_CASE("on a circle the end meets the beginning") {
  const auto a = pf::sorted_places({62}, {0}, 64), b = pf::sorted_places({0, 128}, {1}, 64);
  const auto yes = [](auto, auto, auto) { return true; };
  CHECK(pf::each_overlap_on_circle(a, 4, b, 4, 64, yes));
  CHECK_FALSE(pf::each_overlap_on_circle(a, 2, b, 4, 64, yes));
}

TEST_CASE("sums of unknowns reach a range or do not") {
  const pf::unknown_number block{1024, -10, 10, true}, lane{4, 0, 255, false};
  const pf::unknown_number both[] = {block, lane};
  CHECK_FALSE(pf::can_reach(both, 2, -3, 3));
  CHECK(pf::can_reach(both, 2, -4, 3));
  CHECK_FALSE(pf::can_reach(&block, 1, -1020, 1020));
  CHECK(pf::can_reach(&block, 1, -1020, 1024));
  CHECK_FALSE(pf::can_reach(&lane, 1, 1, 3));
  const pf::unknown_number open{256};
  CHECK(pf::can_reach(&open, 1, 1, 256));
  CHECK_FALSE(pf::can_reach(&open, 1, 1, 255));
}

TEST_CASE("rows and what is left of them") {
  const auto x = pf::split(3 * 1000 - 7, 1000), y = pf::split(-1000 + 7, 1000);
  CHECK(x.row == 3);
  CHECK(x.rest == -7);
  CHECK(y.row == -1);
  CHECK(y.rest == 7);
}
