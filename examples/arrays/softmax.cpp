// Softmax of rows, with a mask of what a row may see: one kernel.
#include <cmath>
#include <cstdio>
#include <vector>

#include <tg/array.hpp>

int main() {
  tg::device gpu;
  const int rows = 48;
  std::vector<float> numbers(rows * rows);
  for (std::size_t k = 0; k < numbers.size(); ++k) numbers[k] = std::sin(0.37f * static_cast<float>(k));
  const tg::array<float, 2> scores(gpu, {rows, rows}, numbers);

  const auto causal = tg::where(tg::index_of<0>(scores) >= tg::index_of<1>(scores), scores * 0.125f, -INFINITY);
  const tg::array<float, 2> weights = tg::softmax<1>(causal);

  const auto sums = tg::eval(tg::sum<1>(weights)).to_host();
  std::printf("row 0 sees %.3f of itself, row 47 adds up to %.6f\n", static_cast<double>(weights(0, 0).item()),
              static_cast<double>(sums[47]));
  return weights(0, 0).item() == 1 && weights(3, 4).item() == 0 && std::abs(sums[47] - 1) < 1e-6f ? 0 : 1;
}
