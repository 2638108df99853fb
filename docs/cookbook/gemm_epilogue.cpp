// GEMM with an epilogue: y = relu(x * w + bias)
//
// `tg::pipeline<4>` copies three stages ahead while the fourth is multiplied on tensor cores. The epilogue is an expression
// over the sums in registers; replace it, and it is another layer. Any sizes: edges of the matrices mask themselves.
#include <cmath>
#include <cstdio>
#include <vector>

#include <tg/tg.hpp>

using namespace tg::literals;
using half = tg::bf16;
using matrix_in = tg::in2<half, tg::multiple_of<8>>;
using matrix_out = tg::out2<half, tg::multiple_of<8>>;

inline constexpr auto layer = tg::kernel<"layer">(tg::block<128>, [](auto block, matrix_in x, matrix_in w, tg::in<float> bias,
                                                                     matrix_out y, tg::scalar<unsigned> m,
                                                                     tg::scalar<unsigned> n, tg::scalar<unsigned> k) {
  const auto row = block.index.y * 64_c, column = block.index.x * 64_c;
  auto sum = tg::zeros<float, 64, 64>(tg::warps<2, 2>(block));
  tg::pipeline<4>(
      block, tg::steps(k, 32_c),
      [&](auto at) {
        return tg::stage(tg::tile_at<64, 32>(tg::sized(x, m, k), row, at), tg::tile_at<32, 64>(tg::sized(w, k, n), at, column));
      },
      [&](auto left, auto right) { sum += tg::dot(left, right); });
  const auto shift = tg::tile_at<64>(tg::sized(bias, n), column);
  tg::tile_at<64, 64>(tg::sized(y, m, n), row, column) = tg::cast<half>(tg::max(sum + shift, 0.0f));
});

int main() {
  const unsigned m = 100, n = 136, k = 96;
  std::vector<half> hx(m * k), hw(k * n);
  std::vector<float> hb(n);
  for (unsigned i = 0; i < m * k; ++i) hx[i] = half(std::sin(0.1f * float(i)));
  for (unsigned i = 0; i < k * n; ++i) hw[i] = half(std::cos(0.2f * float(i)));
  for (unsigned i = 0; i < n; ++i) hb[i] = 0.01f * float(i);

  tg::device gpu;
  const auto x = gpu.upload(hx), w = gpu.upload(hw);
  const auto bias = gpu.upload(hb);
  auto y = gpu.zeros<half>(m * n);
  gpu.launch(layer, tg::grid((n + 63) / 64, (m + 63) / 64), tg::matrix(x, m, k), tg::matrix(w, k, n), bias, tg::matrix(y, m, n),
             m, n, k);

  const auto out = y.to_host();
  double worst = 0;
  for (unsigned r = 0; r < m; ++r)
    for (unsigned c = 0; c < n; ++c) {
      double sum = double(hb[c]);
      for (unsigned i = 0; i < k; ++i) sum += double(hx[r * k + i]) * double(hw[i * n + c]);
      const double wanted = sum > 0 ? sum : 0;
      worst = std::fmax(worst, std::fabs(double(out[r * n + c]) - wanted) / (1 + wanted));
    }
  std::printf("largest relative error %.4f\n", worst);
  return worst < 0.01 ? 0 : 1;
}
