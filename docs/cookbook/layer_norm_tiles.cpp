// LayerNorm with a residual, in tiles
//
// sum = x + residual is written for the next layer, and y is its norm; both inputs are read once. A row stays in registers
// for the mean, the variance and the result. `tg::eval` names what is used more than once: a tree would be computed again.
#include <cmath>
#include <cstdio>
#include <vector>

#include <tg/tg.hpp>

using namespace tg::literals;
using matrix_in = tg::in2<float, tg::multiple_of<4>>;
using matrix_out = tg::out2<float, tg::multiple_of<4>>;

inline constexpr auto layer_norm = tg::kernel<"layer_norm">(
    tg::block<128>, [](auto block, matrix_in x, matrix_in residual, tg::in<float> gamma, tg::in<float> beta, matrix_out sum,
                       matrix_out y, tg::scalar<unsigned> m, tg::scalar<unsigned, tg::at_most<1024>> n) {
      const auto row_of = [&](const auto& view) { return tg::tile_at<1, 1024>(tg::sized(view, m, n), block.index.x, 0_c); };
      const auto all_of = [&](const auto& view) { return tg::tile_at<1024>(tg::sized(view, n), 0_c); };
      const auto h = tg::eval(tg::load(block, row_of(x)) + tg::load(block, row_of(residual)));
      const auto mean = tg::eval(tg::row_sum(h) / tg::cast<float>(n));
      // Columns beyond the end hold 0 - mean: they must not count in the variance.
      const auto centred = tg::eval(tg::where(tg::columns_of(h, 0) < n, h - mean, 0.0f));
      const auto scale = tg::eval(tg::rsqrt(tg::row_sum(centred * centred) / tg::cast<float>(n) + 1e-5f));
      row_of(sum) = h;
      row_of(y) = centred * scale * all_of(gamma) + all_of(beta);
    });

int main() {
  const unsigned m = 5, n = 300;
  std::vector<float> hx(m * n), hr(m * n), hg(n), hb(n);
  for (unsigned k = 0; k < m * n; ++k) hx[k] = std::sin(0.1f * float(k)), hr[k] = std::cos(0.3f * float(k));
  for (unsigned k = 0; k < n; ++k) hg[k] = 1 + 0.01f * float(k), hb[k] = 0.5f;

  tg::device gpu;
  const auto x = gpu.upload(hx), r = gpu.upload(hr), gamma = gpu.upload(hg), beta = gpu.upload(hb);
  auto sum = gpu.zeros<float>(m * n), y = gpu.zeros<float>(m * n);
  gpu.launch(layer_norm, tg::grid(m), tg::matrix(x, m, n), tg::matrix(r, m, n), gamma, beta, tg::matrix(sum, m, n),
             tg::matrix(y, m, n), m, n);

  const auto out = y.to_host(), h = sum.to_host();
  double worst = 0;
  for (unsigned i = 0; i < m; ++i) {
    double mean = 0, variance = 0;
    for (unsigned c = 0; c < n; ++c) mean += (double(hx[i * n + c]) + double(hr[i * n + c])) / n;
    for (unsigned c = 0; c < n; ++c) variance += std::pow(double(hx[i * n + c]) + double(hr[i * n + c]) - mean, 2) / n;
    for (unsigned c = 0; c < n; ++c) {
      const double own = double(hx[i * n + c]) + double(hr[i * n + c]);
      const double wanted = (own - mean) / std::sqrt(variance + 1e-5) * double(hg[c]) + double(hb[c]);
      worst = std::fmax(worst, std::fmax(std::fabs(double(out[i * n + c]) - wanted), std::fabs(double(h[i * n + c]) - own)));
    }
  }
  std::printf("largest error %.1e\n", worst);
  return worst < 1e-4 ? 0 : 1;
}
