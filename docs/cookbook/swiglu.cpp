// SwiGLU: two products and their gate in one kernel
//
// y = silu(x * gate) * (x * up). Both products share the tile of x that a stage brings, and the gate is an expression over both
// sums in registers: neither product is written to memory. `kernels/rms_swiglu.hpp` puts a norm in front as well.
#include <cmath>
#include <cstdio>
#include <vector>

#include <tg/tg.hpp>

using namespace tg::literals;
using half = tg::bf16;
using matrix_in = tg::in2<half, tg::multiple_of<8>>;
using matrix_out = tg::out2<half, tg::multiple_of<8>>;

inline constexpr auto swiglu =
    tg::kernel<"swiglu">(tg::block<128>, [](auto block, matrix_in x, matrix_in gate, matrix_in up, matrix_out y,
                                            tg::scalar<unsigned> m, tg::scalar<unsigned> n, tg::scalar<unsigned> k) {
      const auto row = tg::let(block.index.y * 64_c), column = tg::let(block.index.x * 64_c);
      auto gated = tg::zeros<float, 64, 64>(block), linear = tg::zeros<float, 64, 64>(block);
      tg::pipeline<3>(
          block, tg::steps(k, 32_c),
          [&](auto at) {
            return tg::stage(tg::tile_at<64, 32>(tg::sized(x, m, k), row, at),
                             tg::tile_at<32, 64>(tg::sized(gate, k, n), at, column),
                             tg::tile_at<32, 64>(tg::sized(up, k, n), at, column));
          },
          [&](auto own, auto gates, auto ups) {
            gated += tg::dot(own, gates);
            linear += tg::dot(own, ups);
          });
      tg::tile_at<64, 64>(tg::sized(y, m, n), row, column) = tg::cast<half>(tg::silu(gated) * linear);
    });

int main() {
  const unsigned m = 70, n = 80, k = 64;
  std::vector<half> hx(m * k), hg(k * n), hu(k * n);
  for (unsigned i = 0; i < m * k; ++i) hx[i] = half(std::sin(0.1f * float(i)));
  for (unsigned i = 0; i < k * n; ++i) hg[i] = half(std::cos(0.2f * float(i))), hu[i] = half(std::sin(0.3f * float(i)));

  tg::device gpu;
  const auto x = gpu.upload(hx), gate = gpu.upload(hg), up = gpu.upload(hu);
  auto y = gpu.zeros<half>(m * n);
  gpu.launch(swiglu, tg::grid((n + 63) / 64, (m + 63) / 64), tg::matrix(x, m, k), tg::matrix(gate, k, n), tg::matrix(up, k, n),
             tg::matrix(y, m, n), m, n, k);

  const auto out = y.to_host();
  double worst = 0;
  for (unsigned r = 0; r < m; ++r)
    for (unsigned c = 0; c < n; ++c) {
      double g = 0, u = 0;
      for (unsigned i = 0; i < k; ++i) {
        g += double(hx[r * k + i]) * double(hg[i * n + c]);
        u += double(hx[r * k + i]) * double(hu[i * n + c]);
      }
      const double wanted = g / (1 + std::exp(-g)) * u;
      worst = std::fmax(worst, std::fabs(double(out[r * n + c]) - wanted) / (1 + std::fabs(wanted)));
    }
  std::printf("largest relative error %.4f\n", worst);
  return worst < 0.01 ? 0 : 1;
}
