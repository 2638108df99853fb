#include <tg/layout/pitch.hpp>

#include <doctest/doctest.h>

static_assert(tg::pitch<33>.elems == 33);
static_assert(tg::pitch<33>.index(2, 5) == 71);

TEST_CASE("rows start one pitch apart") {
  for (int row = 0; row < 4; ++row) CHECK(tg::pitch<33>.index(row + 1, 3) - tg::pitch<33>.index(row, 3) == 33);
}
