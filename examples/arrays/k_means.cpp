// A step of k-means: the nearest centre of each point, and the mean of each centre's points. Points and centres broadcast
// against each other; no array of all distances is made.
#include <cmath>
#include <cstdio>
#include <vector>

#include <tg/array.hpp>

int main() {
  tg::device gpu;
  const int points = 600, centres = 3;
  std::vector<float> places(points * 2);
  for (int p = 0; p < points; ++p) {
    places[static_cast<std::size_t>(2 * p)] = static_cast<float>(p % 3) * 10 + std::sin(static_cast<float>(p));
    places[static_cast<std::size_t>(2 * p + 1)] = static_cast<float>(p % 3 == 1) * 8 + std::cos(static_cast<float>(p));
  }
  const tg::array<float, 2> x(gpu, {points, 2}, places);
  tg::array<float, 2> c(gpu, {centres, 2}, std::vector<float>{1, 1, 11, 5, 15, -2});
  for (int step = 0; step < 5; ++step) {
    const auto apart = tg::expand<1>(x) - tg::expand<0>(c);  // points x centres x 2
    const tg::array<float, 2> distance = tg::sum<2>(apart * apart);
    const tg::array<int, 1> nearest = tg::argmin<1>(distance);
    const auto is_own = tg::cast<float>(tg::expand<1>(nearest) == tg::index_of<1>(distance));  // points x centres
    const tg::array<float, 1> count = tg::sum<0>(is_own);
    c = tg::sum<0>(tg::expand<2>(is_own) * tg::expand<1>(x)) / tg::expand<1>(tg::max(count, 1.0f));
  }
  const auto found = c.to_host();
  std::printf("(%.2f, %.2f) (%.2f, %.2f) (%.2f, %.2f)\n", static_cast<double>(found[0]), static_cast<double>(found[1]),
              static_cast<double>(found[2]), static_cast<double>(found[3]), static_cast<double>(found[4]),
              static_cast<double>(found[5]));
  return std::abs(found[0]) < 0.2f && std::abs(found[2] - 10) < 0.2f && std::abs(found[3] - 8) < 0.2f &&
                 std::abs(found[4] - 20) < 0.2f
             ? 0
             : 1;
}
