#include <tg/array/axis_argument.hpp>

#include "arrays.hpp"

TEST_CASE("what has a second argument beside these words keeps its meaning") {
  tg::device gpu;
  const tg::array<int, 2> x(gpu, {2, 3}, {1, 5, 2, 0, 7, 3});
  CHECK(tg::eval(tg::max(x, 2)).to_host() == std::vector<int>{2, 5, 2, 2, 7, 3});
  CHECK(tg::eval(tg::sum<1>(x, tg::keep)).to_host() == std::vector<int>{8, 10});
}
