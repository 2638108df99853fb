#include <kernels/reference/nearest.hpp>

#include <doctest/doctest.h>

using tg::kernels::reference::nearest;

TEST_CASE("the nearest first, equal ones by number, and nothing where there are no more") {
  const std::vector<float> points{0, 3, 1, -1,  // x
                                  0, 4, 0, 0};  // y
  const auto found = nearest(points, 4, {0, 0}, 5);
  CHECK(found[0] == std::pair{0.0, 0u});
  CHECK(found[1] == std::pair{1.0, 2u});
  CHECK(found[2] == std::pair{1.0, 3u});
  CHECK(found[3] == std::pair{25.0, 1u});
  CHECK(found[4].second == ~0u);
  CHECK(nearest(points, 4, {3, 3}, 1)[0] == std::pair{1.0, 1u});
}
