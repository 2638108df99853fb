#include <tg/array/planner.hpp>

#include "arrays.hpp"

TEST_CASE("the extents of a result follow from its arrays") {
  tg::device gpu;
  tg::array<float, 2> x(gpu, {3, 5}), row(gpu, {1, 5});
  tg::array<float, 3> cube(gpu, {7, 1, 5});
  x = 1.0f;
  row = 1.0f;
  cube = 1.0f;
  CHECK(tg::eval(x * row).shape() == tg::array_shape{3, 5});
  CHECK(tg::eval(x * cube).shape() == tg::array_shape{7, 3, 5});
  CHECK(tg::eval(tg::sum<0>(x)).shape() == tg::array_shape{5});
  CHECK(tg::eval(tg::sum<1>(x, tg::keep)).shape() == tg::array_shape{3, 1});
  CHECK(tg::eval(tg::softmax<1>(x) * cube).shape() == tg::array_shape{7, 3, 5});
  CHECK(tg::eval(tg::sum(x)).shape() == tg::array_shape<0>{});
  CHECK(tg::eval(x / tg::sum(x)).shape() == tg::array_shape{3, 5});
}
