// A layer of a network as one kernel of tiles: y = relu(x * w + bias), and the norm of its rows as another. Nothing here says
// which thread touches which element.
#include <cmath>
#include <cstdio>
#include <vector>

#include <tg/tg.hpp>

using namespace tg::literals;
using half = tg::bf16;
template <class T> using rows = tg::in2<T, tg::multiple_of<8>>;
template <class T> using result = tg::out2<T, tg::multiple_of<8>>;

inline constexpr auto layer =
    tg::kernel<"layer">(tg::block<128>, [](auto block, rows<half> x, rows<half> w, tg::in<float> bias, result<half> y,
                                           tg::scalar<unsigned> m, tg::scalar<unsigned> n, tg::scalar<unsigned> k) {
      const auto row = block.index.y * 128_c, column = block.index.x * 128_c;
      auto sum = tg::zeros<float, 128, 128>(tg::warps<2, 2>(block));
      tg::pipeline<4>(  // three stages are on their way while the fourth is multiplied
          block, tg::steps(k, 32_c),
          [&](auto at) {
            return tg::stage(tg::tile_at<128, 32>(tg::sized(x, m, k), row, at),
                             tg::tile_at<32, 128>(tg::sized(w, k, n), at, column));
          },
          [&](auto left, auto right) { sum += tg::dot(left, right); });
      const auto shift = tg::tile_at<128>(tg::sized(bias, n), column);  // one number per column stands for all rows
      tg::tile_at<128, 128>(tg::sized(y, m, n), row, column) = tg::cast<half>(tg::max(sum + shift, 0.0f));
    });

inline constexpr auto norm = tg::kernel<"norm">(
    tg::block<128>, [](auto block, rows<half> x, result<half> y, tg::scalar<unsigned> m, tg::scalar<unsigned> n) {
      const auto row_of = [&](auto view) { return tg::tile_at<1, 1024>(tg::sized(view, m, n), block.index.x, 0_c); };
      const auto own = tg::eval(tg::cast<float>(tg::load(block, row_of(x))));
      row_of(y) = tg::cast<half>(own * tg::rsqrt(tg::row_sum(own * own) / tg::cast<float>(n) + 1e-6f));
    });

int main() {
  const unsigned m = 200, n = 264, k = 96;
  tg::device gpu;
  std::vector<half> x(m * k), w(k * n);
  std::vector<float> bias(n);
  for (unsigned i = 0; i < m * k; ++i) x[i] = half(std::sin(0.1f * float(i)));
  for (unsigned i = 0; i < k * n; ++i) w[i] = half(std::cos(0.2f * float(i)));
  for (unsigned i = 0; i < n; ++i) bias[i] = 0.01f * float(i);

  const auto a = gpu.upload(x), b = gpu.upload(w);
  const auto c = gpu.upload(bias);
  auto y = gpu.zeros<half>(m * n), z = gpu.zeros<half>(m * n);
  gpu.launch(layer, tg::grid((n + 127) / 128, (m + 127) / 128), tg::matrix(a, m, k), tg::matrix(b, k, n), c,
             tg::matrix(y, m, n), m, n, k);
  gpu.launch(norm, tg::grid(m), tg::matrix(y, m, n), tg::matrix(z, m, n), m, n);

  double worst = 0;
  const auto found = y.to_host();
  const auto normed = z.to_host();
  for (unsigned r = 0; r < m; ++r) {
    double squares = 0;
    for (unsigned j = 0; j < n; ++j) {
      double sum = bias[j];
      for (unsigned i = 0; i < k; ++i) sum += double(x[r * k + i]) * double(w[i * n + j]);
      const double wanted = sum > 0 ? sum : 0;
      worst = std::fmax(worst, std::fabs(double(found[r * n + j]) - wanted) / (1 + wanted));
      squares += double(found[r * n + j]) * double(found[r * n + j]) / n;
    }
    for (unsigned j = 0; j < n; ++j)
      worst = std::fmax(worst, std::fabs(double(normed[r * n + j]) - double(found[r * n + j]) / std::sqrt(squares + 1e-6)) / 4);
  }
  std::printf("largest error %.4f\n", worst);
  return worst < 0.01 ? 0 : 1;
}
