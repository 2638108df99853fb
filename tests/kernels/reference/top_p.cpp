#include <kernels/reference/top_p.hpp>

#include <doctest/doctest.h>

using namespace tg::kernels::reference;

TEST_CASE("the fewest tokens with a share, in the order of their columns") {
  // Weights 1, 2, 4 and 1, of which the largest two have three quarters.
  const float two = std::log(2.0f), row[] = {0, two, 2 * two, 0};
  const nucleus some(row, 4, 0.7, 1);
  CHECK(some.column == std::vector<unsigned>{1, 2});
  CHECK(some.up_to[0] == doctest::Approx(1.0 / 3));
  CHECK(some.up_to[1] == 1);
  CHECK(some.may_draw(1, 0.2, 0));
  CHECK_FALSE(some.may_draw(2, 0.2, 0));
  CHECK(some.may_draw(2, 0.3, 0.1));
  CHECK_FALSE(some.may_draw(0, 0.2, 1));
}

TEST_CASE("the largest is always kept, and of equals the lower column") {
  const float row[] = {1, 3, 3, 1};
  CHECK(nucleus(row, 4, 0, 1).column == std::vector<unsigned>{1});
  CHECK(nucleus(row, 4, 1, 1).column == std::vector<unsigned>{0, 1, 2, 3});
}
