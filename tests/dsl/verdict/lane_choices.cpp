#include <tg/dsl/verdict/lane_choices.hpp>

#include <doctest/doctest.h>

using tg::detail::lane_choices;
using tg::detail::lane_point_kind;

TEST_CASE("all combinations of choices come once, and points that lanes choose for themselves tell them apart") {
  lane_choices all;
  int combinations = 0;
  std::uint32_t previous = 0;
  do {
    if (all.find(lane_point_kind::selection, 1, 0) == nullptr)
      all.add({.kind = lane_point_kind::selection, .a = 1, .count = 2, .is_per_lane = true});
    // The second point is met where the first takes its second choice only.
    if (all.find(lane_point_kind::selection, 1, 0)->chosen == 1 && all.find(lane_point_kind::variable, 2, 0) == nullptr)
      all.add({.kind = lane_point_kind::variable, .a = 2, .count = 3, .is_per_lane = true});
    CHECK(all.choice() > previous);
    previous = all.choice();
    ++combinations;
  } while (all.next());
  CHECK(combinations == 4);
  CHECK(all.size() == 0);
}

TEST_CASE("a selection with known lanes leaves each choice its own") {
  lane_choices all;
  auto* const p = all.add({.kind = lane_point_kind::selection, .a = 1, .count = 2, .lanes = 0xffu});
  CHECK(all.choice() == 0);  // no lane chooses for itself
  CHECK(all.chosen_by() == 0xffu);
  p->chosen = 1;
  CHECK(all.chosen_by() == 0xffffff00u);
  all.add({.kind = lane_point_kind::division, .a = 2, .count = 1, .is_small = true});
  CHECK(all.chosen_by() == tg::analysis::all_lanes);
  all.clear();
  CHECK(all.size() == 0);
}
