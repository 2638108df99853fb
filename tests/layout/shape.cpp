#include <tg/layout/shape.hpp>

#include <doctest/doctest.h>

#include <type_traits>

static_assert(tg::shape<32, 8>.rank == 2 && tg::shape<32, 8>.size == 256);
static_assert(tg::shape<2, 3, 5>.extent(0) == 2 && tg::shape<2, 3, 5>.extent(2) == 5 && tg::shape<7>.extent(1) == 1);
static_assert(std::is_same_v<decltype(tg::shape<4, 4>), const tg::shape_t<4, 4>>);

TEST_CASE("a shape knows its extents") {
  CHECK(tg::shape<32, 8>.extent(0) == 32);
  CHECK(tg::shape<32, 8>.extent(1) == 8);
  CHECK(tg::shape<3, 5, 7>.size == 105);
}
