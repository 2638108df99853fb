// A fused one-liner: y = silu(x) * z
//
// With arrays an assignment is one kernel, whatever stands on its right side. Nothing is stored in between: the kernel
// reads x and z once and writes y once. Assigning again, with other shapes too, finds the compiled kernel.
#include <cmath>
#include <cstdio>
#include <vector>

#include <tg/array.hpp>

int main() {
  const int rows = 64, columns = 300;
  std::vector<float> hx(rows * columns), hz(rows * columns);
  for (std::size_t k = 0; k < hx.size(); ++k) hx[k] = std::sin(0.1f * float(k)) * 4, hz[k] = std::cos(0.2f * float(k));

  tg::device gpu;
  const tg::array<float, 2> x(gpu, {rows, columns}, hx), z(gpu, {rows, columns}, hz);
  tg::array<float, 2> y(gpu, x.shape());
  y = tg::silu(x) * z;

  const auto out = y.to_host();
  double worst = 0;
  for (std::size_t k = 0; k < out.size(); ++k) {
    const double wanted = double(hx[k]) / (1 + std::exp(-double(hx[k]))) * double(hz[k]);
    worst = std::fmax(worst, std::fabs(double(out[k]) - wanted));
  }
  std::printf("largest error %.1e\n", worst);
  return worst < 1e-5 ? 0 : 1;
}
