#include <tg/dsl/proof/standing.hpp>

#include <doctest/doctest.h>

namespace pf = tg::proof;

TEST_CASE("a use of one way only stands under the condition of that way") {
  const pf::literal yes{3, true, {}}, no{3, false, {}};
  const tg::dynamic_array<pf::live_use> first{{.use = 1}, {.use = 2}}, second{{.use = 2}, {.use = 4}};
  const auto all = pf::joined(first, second, &yes, &no);
  REQUIRE(all.size() == 3);
  REQUIRE(all[0].since.size() == 1);
  CHECK(all[0].since[0].holds);
  CHECK(all[1].since.empty());
  REQUIRE(all[2].since.size() == 1);
  CHECK_FALSE(all[2].since[0].holds);
}

TEST_CASE("a use of both ways is ordered by what both ways met") {
  const pf::meeting warps{pf::first_threads(64), true}, block{pf::first_threads(64)};
  pf::live_use on_first{.use = 1, .meetings = {warps, block}, .is_pending = true, .is_behind = true, .newer = 3};
  pf::live_use on_second{.use = 1, .meetings = {warps}, .is_maybe_ordered = true, .newer = 1};
  const auto all = pf::joined({on_first}, {on_second});
  REQUIRE(all.size() == 1);
  CHECK(all[0].meetings == tg::dynamic_array<pf::meeting>{warps});
  CHECK(all[0].is_pending);
  CHECK(all[0].is_maybe_ordered);
  CHECK_FALSE(all[0].is_behind);
  CHECK(all[0].newer == 1);
}

TEST_CASE("what leaves a loop stands under the condition to leave it") {
  pf::standing inside;
  inside.uses = {{.use = 1}};
  inside.behind = {{.use = 0}};
  const pf::standing left = pf::with_exit(inside, {7, false, {}});
  REQUIRE(left.uses[0].since.size() == 1);
  CHECK(left.uses[0].since[0].condition == 7);
  CHECK(left.behind[0].since.empty());
}
