#include <kernels/reference/grey.hpp>

#include <doctest/doctest.h>

using namespace tg::kernels::reference;

TEST_CASE("medians: one white pixel is removed, an edge stays, the border goes on") {
  const grey_picture dot(std::vector<int>{0, 0, 0, 0, 9, 0, 0, 0, 0}, 3, 3);
  CHECK((median(dot, 3) == std::vector<double>(9)));
  const grey_picture edge(std::vector<int>{1, 1, 5, 5, 1, 1, 5, 5}, 4, 2);
  CHECK((median(edge, 3) == edge.samples));
  const grey_picture line(std::vector<int>{7, 1, 2}, 3, 1);
  CHECK((median(line, 3) == std::vector<double>{7, 2, 2}));
  CHECK((median(line, 5) == std::vector<double>{7, 2, 2}));
}

TEST_CASE("a bilateral filter keeps an edge that is higher than sigma, and is a blur where it is not") {
  const grey_picture edge(std::vector<int>{0, 0, 0, 100, 100, 100}, 6, 1);
  CHECK(bilateral(edge, 2, 2.0, 1.0).value[2] == doctest::Approx(0));
  const grey_picture dot(std::vector<int>{0, 0, 1, 0, 0}, 5, 1);
  const double near = std::exp(-0.5), far = std::exp(-1.0);
  // With a radius of 1 there are four neighbours; those above and below repeat the pixel itself.
  const double similar = std::exp(-0.5 / 1e6);
  CHECK(bilateral(dot, 1, 1.0, 1000.0).value[2] == doctest::Approx((1 + 2 * near) / (1 + 2 * near + 2 * near * similar)));
  CHECK(bilateral(dot, 1, std::sqrt(0.5), 1000.0).value[1] == doctest::Approx(far / (1 + 4 * far)));
}

TEST_CASE("pictures of another size") {
  using doctest::Approx;
  const grey_picture line(std::vector<int>{0, 8, 16, 8}, 4, 1);
  CHECK((resize(line, 4, 1, 0).value == line.samples));
  CHECK((resize(line, 4, 3, -0.75).value == std::vector<double>{0, 8, 16, 8, 0, 8, 16, 8, 0, 8, 16, 8}));
  CHECK((resize(line, 2, 1, 0).value == std::vector<double>{4, 12}));
  CHECK((resize(line, 8, 1, 0).value == std::vector<double>{0, 2, 6, 10, 14, 14, 10, 8}));
  // In the middle between pixels the outer two count a / 8 each.
  CHECK(resize(line, 2, 1, -0.5).value[0] == Approx((0 + 8) * 0.5625 + (0 + 16) * -0.0625));
  CHECK(resize(line, 2, 1, -0.75).value[0] == Approx((0 + 8) * 0.59375 + (0 + 16) * -0.09375));
}
