#include <kernels/reference/conv2d.hpp>

#include <doctest/doctest.h>

#include <numeric>

using namespace tg::kernels::reference;

namespace {

std::vector<float> count_up(std::size_t count, float from) {
  std::vector<float> out(count);
  std::iota(out.begin(), out.end(), from);
  return out;
}
double product(const std::vector<double>& a, const std::vector<float>& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

}  // namespace

TEST_CASE("a window of 2 x 2 over a picture of 2 x 3, with a line of zeros above and none below") {
  const conv2d_sizes s{1, 1, 1, 2, 3, 2, 2, 2, 2, 1, 0};
  const std::vector<float> x = {1, 2, 3, 4, 5, 6}, w = {10, 20, 30, 40};
  const conv2d_sums y = conv2d(x, w, s);
  CHECK(y.value == std::vector<double>{30 * 1 + 40 * 2, 30 * 2 + 40 * 3, 10 * 1 + 20 * 2 + 30 * 4 + 40 * 5,
                                       10 * 2 + 20 * 3 + 30 * 5 + 40 * 6});
  CHECK(y.size == y.value);
}

TEST_CASE("gradients are those of the sum of y * dy") {
  // It is linear in x and in w, so that each gradient times its operand is the sum itself.
  for (const unsigned stride : {1u, 2u}) {
    const conv2d_sizes s{2, 3, 2, 5, 4, (5 + 2 - 3) / stride + 1, (4 + 2 - 3) / stride + 1, 3, 3, 1, 1, stride};
    const auto x = count_up(s.pixels() * s.channels, -20), w = count_up(s.outs * s.places() * s.channels, -7);
    const auto dy = count_up(s.out_pixels() * s.outs, -3);
    const double sum = product(conv2d(x, w, s).value, dy);
    CHECK(product(conv2d_data_gradient(dy, w, s).value, x) == sum);
    CHECK(product(conv2d_weight_gradient(dy, x, s).value, w) == sum);
  }
}
