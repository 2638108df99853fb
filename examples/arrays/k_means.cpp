// A step of k-means
//
// Points and centres broadcast against each other: points x 1 x 2 minus 1 x centres x 2. The distances are an expression; only
// their sum along the last axis is stored. Each assignment is one kernel.
#include <cmath>
#include <cstdio>
#include <vector>

#include <tg/array.hpp>

int main() {
  const int points = 600, centres = 3;
  std::vector<float> places(points * 2);
  for (int p = 0; p < points; ++p) {
    places[std::size_t(2 * p)] = float(p % 3) * 10 + std::sin(float(p));
    places[std::size_t(2 * p + 1)] = float(p % 3 == 1) * 8 + std::cos(float(p));
  }

  tg::device gpu;
  const tg::array<float, 2> x(gpu, {points, 2}, places);
  tg::array<float, 2> c(gpu, {centres, 2}, std::vector<float>{1, 1, 11, 5, 15, -2});
  for (int step = 0; step < 5; ++step) {
    const auto apart = tg::expand<1>(x) - tg::expand<0>(c);
    const tg::array<float, 2> distance = tg::sum<2>(apart * apart);
    const tg::array<int, 1> nearest = tg::argmin<1>(distance);
    const auto is_own = tg::cast<float>(tg::expand<1>(nearest) == tg::index_of<1>(distance));  // points x centres
    const tg::array<float, 1> count = tg::sum<0>(is_own);
    c = tg::sum<0>(tg::expand<2>(is_own) * tg::expand<1>(x)) / tg::expand<1>(tg::max(count, 1.0f));
  }

  const auto found = c.to_host();
  const std::vector<float> wanted{0, 0, 10, 8, 20, 0};
  double worst = 0;
  for (std::size_t k = 0; k < 6; ++k) worst = std::fmax(worst, std::fabs(double(found[k]) - double(wanted[k])));
  std::printf("the centres are within %.2f of the true ones\n", worst);
  return worst < 0.2 ? 0 : 1;
}
