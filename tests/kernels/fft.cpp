#include <kernels/fft.hpp>

#include "inputs.hpp"

using namespace tg::kernels;

namespace {

template <unsigned N, bool Inverse> std::vector<float> transformed(const std::vector<float>& x) {
  tg::device gpu;
  const std::size_t lines = x.size() / (2 * N);
  // Short lines lie one behind the other.
  constexpr std::size_t gap = N < 64 ? 0 : 2;
  inputs::rows<float> on_x(gpu, x, lines, 2 * N, 2 * N + gap), y(gpu, lines, 2 * N, 2 * N + 2 * gap);
  auto roots = gpu.upload(fft_roots<N>());
  gpu.launch(fft<N, Inverse>, fft_grid<N>(unsigned(lines)), on_x.matrix(), roots, y.matrix(), unsigned(lines));
  return y.to_host();
}

/// The transform of one line by its definition, in double.
std::vector<double> by_definition(const float* x, std::size_t n, bool is_inverse) {
  std::vector<double> cosine(n), sine(n), out(2 * n);
  for (std::size_t k = 0; k < n; ++k) {
    const double angle = (is_inverse ? 2 : -2) * std::acos(-1.0) * double(k) / double(n);
    cosine[k] = std::cos(angle), sine[k] = std::sin(angle);
  }
  const double *c = cosine.data(), *s = sine.data();
  for (std::size_t k = 0; k < n; ++k) {
    double real = 0, imaginary = 0;
    for (std::size_t j = 0, turn = 0; j < n; ++j, turn = (turn + k) & (n - 1)) {
      const double a = x[2 * j], b = x[2 * j + 1];
      real += a * c[turn] - b * s[turn], imaginary += a * s[turn] + b * c[turn];
    }
    out[2 * k] = real, out[2 * k + 1] = imaginary;
  }
  return out;
}

template <unsigned N, bool Inverse> void check(std::size_t lines) {
  inputs::generator random;
  INFO("seed ", random.seed, ", N ", N, ", inverse ", Inverse, ", lines ", lines);
  const auto x = random.floats(lines * 2 * N);
  const auto found = transformed<N, Inverse>(x);
  for (std::size_t l = 0; l < lines; l += N >= 64 && lines > 1 ? lines - 1 : 1) {
    const auto wanted = by_definition(&x[l * 2 * N], N, Inverse);
    double off = 0, size = 0;
    for (std::size_t i = 0; i < 2 * N; ++i) {
      off += (found[l * 2 * N + i] - wanted[i]) * (found[l * 2 * N + i] - wanted[i]);
      size += wanted[i] * wanted[i];
    }
    CHECK(std::sqrt(off) <= std::log2(N) * 7 * inputs::unit_roundoff * std::sqrt(size));
  }
}

}  // namespace

TEST_CASE("transforms are those of the definition, for each length") {
  check<64, false>(17);
  check<128, false>(9);
  check<256, true>(5);
  check<512, false>(3);
  check<1024, true>(1);
  check<2048, false>(2);
  check<4096, false>(1);
  check<64, true>(1);
  check<128, true>(8);
}

TEST_CASE("short lines, around the number of lines of a block and of a warp") {
  check<2, false>(1);
  check<2, true>(513);
  check<4, false>(255);
  check<4, true>(256);
  check<8, false>(129);
  check<8, true>(3);
  check<16, false>(64);
  check<16, true>(17);
  check<32, false>(31);
  check<32, true>(97);
}

TEST_CASE("roots that are too few are refused") {
  tg::device gpu;
  auto x = gpu.zeros<float>(256), y = gpu.zeros<float>(256);
  auto roots = gpu.upload(std::vector<fft_root<128>>(detail::fft_root_count<128> - 1));
  CHECK_THROWS_WITH_AS(gpu.launch(fft<128>, fft_grid<128>(1), tg::matrix(x, 1, 256), roots, tg::matrix(y, 1, 256), 1u),
                       doctest::Contains("elements"), tg::error);
}

TEST_CASE("forth and back is N times the line") {
  constexpr unsigned n = 2048;
  inputs::generator random;
  INFO("seed ", random.seed);
  const auto x = random.floats(2 * n);
  const auto back = transformed<n, true>(transformed<n, false>(x));
  double off = 0, size = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    off += (back[i] / double{n} - x[i]) * (back[i] / double{n} - x[i]);
    size += double{x[i]} * x[i];
  }
  CHECK(std::sqrt(off) <= 2.01 * 11 * 7 * inputs::unit_roundoff * std::sqrt(size));
}
