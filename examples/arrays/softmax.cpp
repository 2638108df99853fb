// Softmax of rows with a causal mask, as an expression
//
// `tg::index_of<0>` and `<1>` are the row and the column number of each element; `tg::where` masks. Mask, maximum, sum and
// division are one kernel, which keeps each row in registers. No matrix of masked scores is made.
#include <cmath>
#include <cstdio>
#include <vector>

#include <tg/array.hpp>

int main() {
  const int n = 48;
  std::vector<float> numbers(n * n);
  for (std::size_t k = 0; k < numbers.size(); ++k) numbers[k] = std::sin(0.37f * float(k));

  tg::device gpu;
  const tg::array<float, 2> scores(gpu, {n, n}, numbers);
  const auto causal = tg::where(tg::index_of<0>(scores) >= tg::index_of<1>(scores), scores * 0.125f, -INFINITY);
  const tg::array<float, 2> weights = tg::softmax<1>(causal);

  const auto sums = tg::eval(tg::sum<1>(weights)).to_host();
  double worst = 0;
  for (const float s : sums) worst = std::fmax(worst, std::fabs(double(s) - 1));
  const float first = weights(0, 0).item(), hidden = weights(3, 4).item();
  std::printf("row 0 sees %g of itself; row sums are 1 within %.1e\n", double(first), worst);
  return first == 1 && hidden == 0 && worst < 1e-6 ? 0 : 1;
}
