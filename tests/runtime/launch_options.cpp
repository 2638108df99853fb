#include <tg/runtime/launch_options.hpp>

#include <doctest/doctest.h>

#include <tg/runtime/grid.hpp>

TEST_CASE("options are words behind the extent of a launch, and each says one thing") {
  constexpr tg::placement plain = tg::cover(100);
  static_assert(!plain.has_options);
  CHECK(plain.options == tg::launch_options{});
  constexpr tg::placement all =
      tg::grid(8, 4).cluster(2, 2).shared(4096).carve_out(30).priority(-1).cooperative().overlapping();
  static_assert(all.has_options);
  CHECK(all.options == tg::launch_options{.cluster = {2, 2, 1},
                                          .shared_bytes = 4096,
                                          .carve_out_percent = 30,
                                          .priority = -1,
                                          .has_priority = true,
                                          .is_cooperative = true,
                                          .overlaps_previous = true});
  CHECK(all.extents == tg::grid(8, 4).extents);
  CHECK(all.is_blocks);
  CHECK(tg::cover(7).cooperative().where.line == __LINE__);
}
