#include <kernels/reference/blur.hpp>

#include <doctest/doctest.h>

using namespace tg::kernels::reference;
using doctest::Approx;

TEST_CASE("a blurred dot is the weights themselves") {
  rgb_picture dot{5, 3, std::vector<double>(45)};
  dot.samples[(1 * 5 + 2) * 3 + 1] = 1.0;
  const double side = std::exp(-0.5);
  const double far = std::exp(-2.0);
  const double total = 1 + 2 * side + 2 * far;

  const auto along = blur_horizontal(dot, 2, 1.0);
  CHECK(along.at(1, 2, 1) == Approx(1 / total));
  CHECK(along.at(1, 1, 1) == Approx(side / total));
  CHECK(along.at(1, 4, 1) == Approx(far / total));
  CHECK(along.at(0, 2, 1) == 0.0);
  CHECK(along.at(1, 2, 0) == 0.0);

  const auto down = blur_vertical(dot, 1, 1.0);
  CHECK(down.at(1, 2, 1) == Approx(1 / (1 + 2 * side)));
  CHECK(down.at(0, 2, 1) == Approx(side / (1 + 2 * side)));
  CHECK(down.at(1, 1, 1) == 0.0);
}

TEST_CASE("the edge goes on: an even picture stays as it is") {
  const rgb_picture even{4, 2, std::vector<double>(24, 0.25)};
  for (const double v : blur_vertical(blur_horizontal(even, 3, 0.8), 3, 0.8).samples) CHECK(v == Approx(0.25));
}
