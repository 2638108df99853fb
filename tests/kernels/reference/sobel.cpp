#include <kernels/reference/sobel.hpp>

#include <doctest/doctest.h>

using namespace tg::kernels::reference;
using doctest::Approx;

namespace {

rgb_picture plane(double right, double down) {
  return rgb_picture{5, 4, std::vector<double>(60)}.map(
      [&](int row, int pixel, int channel) { return right * pixel + down * row + channel; });
}

}  // namespace

TEST_CASE("on a plane the steepness is eight times its slope, and half of that across an edge") {
  CHECK(sobel(plane(0.1, 0)).at(1, 2, 0) == Approx(0.8));
  CHECK(sobel(plane(0, -0.1)).at(1, 2, 1) == Approx(0.8));
  CHECK(sobel(plane(0.3, 0.4)).at(2, 2, 2) == Approx(4.0));
  CHECK(sobel(plane(0.1, 0)).at(1, 0, 0) == Approx(0.4));
  CHECK(sobel(plane(0, 0.1)).at(3, 1, 0) == Approx(0.4));
  for (const double v : sobel(plane(0, 0)).samples) CHECK(v == 0.0);
}

TEST_CASE("corners weigh one, sides two") {
  rgb_picture dot{3, 3, std::vector<double>(27)};
  dot.samples[(1 * 3 + 1) * 3] = 1.0;
  const auto steep = sobel(dot);
  CHECK(steep.at(0, 0, 0) == Approx(std::sqrt(2.0)));
  CHECK(steep.at(0, 1, 0) == Approx(2.0));
  CHECK(steep.at(1, 1, 0) == 0.0);
  CHECK(steep.at(0, 1, 1) == 0.0);
}
