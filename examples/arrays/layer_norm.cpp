// LayerNorm with a residual, as an expression
//
// Two results of one kernel: `tg::assign` takes both, and reads what they share once. `tg::keep` leaves the reduced
// dimension in place with extent 1, so that the mean broadcasts against the rows. Compare with "LayerNorm in tiles".
#include <cmath>
#include <cstdio>
#include <vector>

#include <tg/array.hpp>

int main() {
  const int rows = 64, width = 768;
  std::vector<float> numbers(rows * width);
  for (std::size_t k = 0; k < numbers.size(); ++k) numbers[k] = std::sin(0.7f * float(k % 1000)) * 3 + 1;

  tg::device gpu;
  const tg::array<float, 2> x(gpu, {rows, width}, numbers), residual = tg::tanh(x);
  const tg::array<float, 1> weight(gpu, std::vector<float>(width, 2.0f)), bias(gpu, std::vector<float>(width, 0.5f));
  tg::array<float, 2> sum(gpu, x.shape()), y(gpu, x.shape());

  const auto h = x + residual;
  const auto scale = tg::rsqrt(tg::variance<1>(h, tg::keep) + 1e-5f);
  tg::assign(tg::into(y) = (h - tg::mean<1>(h, tg::keep)) * scale * weight + bias, tg::into(sum) = h);

  const float mean = tg::eval(tg::mean(y(7, tg::full_extent))).item();
  const float variance = tg::eval(tg::variance(y(7, tg::full_extent))).item();
  const float off = tg::eval(tg::max(tg::abs(sum - x - residual))).item();
  std::printf("row 7: mean %.3f, variance %.3f\n", double(mean), double(variance));
  return std::fabs(mean - 0.5f) < 1e-3f && std::fabs(variance - 4) < 1e-2f && off < 1e-6f ? 0 : 1;
}
