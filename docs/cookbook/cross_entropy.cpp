// Cross-entropy and its gradient
//
// loss = logsumexp(row) - row[target]. `tg::take_along` picks one element of each row. The gradient is softmax minus one at the
// target; it reads the logits again, and is a kernel of its own.
#include <cmath>
#include <cstdio>
#include <vector>

#include <tg/array.hpp>

int main() {
  const int rows = 16, classes = 500;
  std::vector<float> hx(rows * classes);
  std::vector<int> ht(rows);
  for (std::size_t k = 0; k < hx.size(); ++k) hx[k] = std::sin(float(k) * 0.7f) * 4;
  for (int r = 0; r < rows; ++r) ht[std::size_t(r)] = r * 31 % classes;

  tg::device gpu;
  const tg::array<float, 2> logits(gpu, {rows, classes}, hx);
  const tg::array<int, 1> target(gpu, ht);
  const tg::array<float, 2> picked = tg::take_along<1>(logits, tg::expand<1>(target));
  const tg::array<float, 2> loss = tg::logsumexp<1>(logits, tg::keep) - picked;
  const auto is_target = tg::expand<1>(target) == tg::index_of<1>(logits);
  const tg::array<float, 2> gradient = tg::softmax<1>(logits) - tg::cast<float>(is_target);

  const auto out = loss.to_host();
  double worst = 0;
  for (std::size_t r = 0; r < rows; ++r) {
    double sum = 0;
    for (std::size_t c = 0; c < classes; ++c) sum += std::exp(double(hx[r * classes + c]));
    worst = std::fmax(worst, std::fabs(double(out[r]) - std::log(sum) + double(hx[r * classes + std::size_t(ht[r])])));
  }
  const tg::array<float, 1> sums = tg::sum<1>(gradient);
  const float rest = tg::eval(tg::max(tg::abs(sums))).item();
  std::printf("largest error %.1e; gradients of a row add up to 0 within %.0e\n", worst, double(rest));
  return worst < 1e-4 && rest < 1e-5f ? 0 : 1;
}
