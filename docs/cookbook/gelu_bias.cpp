// GELU with a bias
//
// `bias` has one number per column. It broadcasts over the rows as in NumPy: extents are compared from the last one on.
// `tg::gelu` is the exact function, with erf; `tg::gelu_tanh` is the usual approximation. Both fuse with what is around.
#include <cmath>
#include <cstdio>
#include <vector>

#include <tg/array.hpp>

int main() {
  const int rows = 32, columns = 256;
  std::vector<float> hx(rows * columns), hb(columns);
  for (std::size_t k = 0; k < hx.size(); ++k) hx[k] = std::sin(0.3f * float(k)) * 3;
  for (std::size_t k = 0; k < hb.size(); ++k) hb[k] = 0.01f * float(k) - 1;

  tg::device gpu;
  const tg::array<float, 2> x(gpu, {rows, columns}, hx);
  const tg::array<float, 1> bias(gpu, hb);
  const tg::array<float, 2> y = tg::gelu(x + bias);

  const auto out = y.to_host();
  double worst = 0;
  for (std::size_t k = 0; k < out.size(); ++k) {
    const double v = double(hx[k]) + double(hb[k % columns]);
    worst = std::fmax(worst, std::fabs(double(out[k]) - 0.5 * v * (1 + std::erf(v / std::sqrt(2.0)))));
  }
  std::printf("largest error %.1e\n", worst);
  return worst < 1e-5 ? 0 : 1;
}
