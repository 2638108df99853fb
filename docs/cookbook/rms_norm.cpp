// RMSNorm of bf16 rows
//
// Memory holds bf16, registers hold float: `tg::cast<float>` on the way in, `tg::cast<tg::bf16>` on the way out.
// `tg::multiple_of<8>` promises rows at multiples of 16 bytes, so that each thread moves 8 elements in one access.
#include <cmath>
#include <cstdio>
#include <vector>

#include <tg/tg.hpp>

using namespace tg::literals;

inline constexpr auto rms_norm =
    tg::kernel<"rms_norm">(tg::block<128>, [](auto block, tg::in2<tg::bf16, tg::multiple_of<8>> x, tg::in<float> weight,
                                              tg::out2<tg::bf16, tg::multiple_of<8>> y, tg::scalar<unsigned> m,
                                              tg::scalar<unsigned, tg::at_most<1024>> n) {
      const auto row_of = [&](const auto& view) { return tg::tile_at<1, 1024>(tg::sized(view, m, n), block.index.x, 0_c); };
      const auto own = tg::eval(tg::cast<float>(tg::load(block, row_of(x))));
      const auto scale = tg::eval(tg::rsqrt(tg::row_sum(own * own) / tg::cast<float>(n) + 1e-6f));
      row_of(y) = tg::cast<tg::bf16>(own * scale * tg::tile_at<1024>(tg::sized(weight, n), 0_c));
    });

int main() {
  const unsigned m = 9, n = 768;
  std::vector<tg::bf16> hx(m * n);
  std::vector<float> hw(n);
  for (unsigned k = 0; k < m * n; ++k) hx[k] = tg::bf16(std::sin(0.1f * float(k)) * 3);
  for (unsigned k = 0; k < n; ++k) hw[k] = 1 + 0.001f * float(k);

  tg::device gpu;
  const auto x = gpu.upload(hx);
  const auto w = gpu.upload(hw);
  auto y = gpu.zeros<tg::bf16>(m * n);
  gpu.launch(rms_norm, tg::grid(m), tg::matrix(x, m, n), w, tg::matrix(y, m, n), m, n);

  const auto out = y.to_host();
  double worst = 0;
  for (unsigned r = 0; r < m; ++r) {
    double squares = 0;
    for (unsigned c = 0; c < n; ++c) squares += double(hx[r * n + c]) * double(hx[r * n + c]) / n;
    for (unsigned c = 0; c < n; ++c) {
      const double wanted = double(hx[r * n + c]) / std::sqrt(squares + 1e-6) * double(hw[c]);
      worst = std::fmax(worst, std::fabs(double(out[r * n + c]) - wanted));
    }
  }
  std::printf("largest error %.4f\n", worst);
  return worst < 0.02 ? 0 : 1;  // a bf16 has 8 bits
}
