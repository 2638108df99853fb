// LayerNorm of a sum, as a transformer has it, with the sum written out for the next layer: one kernel, which reads each
// input once and writes each result once.
#include <cmath>
#include <cstdio>
#include <vector>

#include <tg/array.hpp>

int main() {
  tg::device gpu;
  const int rows = 64, width = 768;
  std::vector<float> numbers(rows * width);
  for (std::size_t k = 0; k < numbers.size(); ++k) numbers[k] = std::sin(0.7f * static_cast<float>(k % 1000)) * 3 + 1;
  const tg::array<float, 2> x(gpu, {rows, width}, numbers), residual = tg::tanh(x);
  const tg::array<float, 1> weight(gpu, std::vector<float>(width, 2.0f)), bias(gpu, std::vector<float>(width, 0.5f));
  tg::array<float, 2> sum(gpu, x.shape()), y(gpu, x.shape());

  const auto h = x + residual;
  const auto scale = tg::rsqrt(tg::variance<1>(h, tg::keep) + 1e-5f);
  tg::assign(tg::into(y) = (h - tg::mean<1>(h, tg::keep)) * scale * weight + bias, tg::into(sum) = h);

  const float mean = tg::eval(tg::mean(y(7, tg::full_extent))).item(),
              variance = tg::eval(tg::variance(y(7, tg::full_extent))).item();
  std::printf("mean %.4f, variance %.4f\n", static_cast<double>(mean), static_cast<double>(variance));
  return std::abs(mean - 0.5f) < 1e-3f && std::abs(variance - 4) < 1e-2f ? 0 : 1;
}
