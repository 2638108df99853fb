#include <kernels/real_fft.hpp>

#include "inputs.hpp"

using namespace tg::kernels;

namespace {

// Short lines lie one behind the other.
template <unsigned N> constexpr std::size_t gap = N < 128 ? 0 : 2;

template <unsigned N> std::vector<float> transformed(const std::vector<float>& x) {
  tg::device gpu;
  const std::size_t lines = x.size() / N;
  inputs::rows<float> on_x(gpu, x, lines, N, N + gap<N>), y(gpu, lines, N + 2, N + 2 + 2 * gap<N>);
  auto roots = gpu.upload(real_fft_roots<N>());
  gpu.launch(real_fft<N>, real_fft_grid<N>(unsigned(lines)), on_x.matrix(), roots, y.matrix(), unsigned(lines));
  return y.to_host();
}
template <unsigned N> std::vector<float> back(const std::vector<float>& x) {
  tg::device gpu;
  const std::size_t lines = x.size() / (N + 2);
  inputs::rows<float> on_x(gpu, x, lines, N + 2, N + 2 + gap<N>), y(gpu, lines, N, N + 2 * gap<N>);
  auto roots = gpu.upload(real_fft_roots<N>());
  gpu.launch(real_fft_inverse<N>, real_fft_grid<N>(unsigned(lines)), on_x.matrix(), roots, y.matrix(), unsigned(lines));
  return y.to_host();
}

struct table {
  std::vector<double> cosine, sine;

  explicit table(std::size_t n) : cosine(n), sine(n) {
    for (std::size_t k = 0; k < n; ++k) {
      const double angle = -2 * std::acos(-1.0) * double(k) / double(n);
      cosine[k] = std::cos(angle), sine[k] = std::sin(angle);
    }
  }
};

/// The distance of a line from what it has to be stays below log2(N) * 7 roundings of the norm of all N numbers.
double off_by(const float* found, const std::vector<double>& wanted, double norm) {
  double off = 0;
  for (std::size_t i = 0; i < wanted.size(); ++i) off += (found[i] - wanted[i]) * (found[i] - wanted[i]);
  return std::sqrt(off) / norm;
}

template <unsigned N> void check(std::size_t lines) {
  inputs::generator random;
  INFO("seed ", random.seed, ", N ", N, ", lines ", lines);
  const table w(N);
  const double bound = std::log2(N) * 7 * inputs::unit_roundoff;
  const std::size_t step = N >= 128 && lines > 1 ? lines - 1 : 1;

  const auto x = random.floats(lines * N);
  const auto y = transformed<N>(x);
  for (std::size_t l = 0; l < lines; l += step) {
    std::vector<double> wanted(N + 2);
    double squares = 0;
    for (std::size_t j = 0; j < N; ++j) squares += double{x[l * N + j]} * x[l * N + j];
    for (std::size_t k = 0; k <= N / 2; ++k)
      for (std::size_t j = 0; j < N; ++j) {
        wanted[2 * k] += x[l * N + j] * w.cosine[j * k % N];
        wanted[2 * k + 1] += x[l * N + j] * w.sine[j * k % N];
      }
    CHECK(off_by(&y[l * (N + 2)], wanted, std::sqrt(N * squares)) <= bound);
    CHECK(y[l * (N + 2) + 1] == 0);
    CHECK(y[l * (N + 2) + N + 1] == 0);
  }

  const auto spectrum = random.floats(lines * (N + 2));
  const auto z = back<N>(spectrum);
  for (std::size_t l = 0; l < lines; l += step) {
    const float* in = &spectrum[l * (N + 2)];
    std::vector<double> wanted(N);
    double squares = double{in[0]} * in[0] + double{in[N]} * in[N];
    for (std::size_t k = 1; k < N / 2; ++k)
      squares += 2 * (double{in[2 * k]} * in[2 * k] + double{in[2 * k + 1]} * in[2 * k + 1]);
    for (std::size_t j = 0; j < N; ++j) {
      wanted[j] = in[0] + in[N] * w.cosine[N / 2 * j % N];
      for (std::size_t k = 1; k < N / 2; ++k)
        wanted[j] += 2 * (in[2 * k] * w.cosine[j * k % N] + in[2 * k + 1] * w.sine[j * k % N]);
    }
    CHECK(off_by(&z[l * N], wanted, std::sqrt(N * squares)) <= bound);
  }
}

}  // namespace

TEST_CASE("transforms of real lines and back are those of the definition, for each length") {
  check<8>(257);
  check<32>(64);
  check<64>(33);
  check<128>(17);
  check<256>(8);
  check<1024>(3);
  check<8192>(1);
}

TEST_CASE("forth and back is N times the line") {
  constexpr unsigned n = 1024;
  inputs::generator random;
  INFO("seed ", random.seed);
  const auto x = random.floats(3 * n);
  const auto there = back<n>(transformed<n>(x));
  double off = 0, size = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    off += (there[i] / double{n} - x[i]) * (there[i] / double{n} - x[i]);
    size += double{x[i]} * x[i];
  }
  CHECK(std::sqrt(off) <= 2.01 * 10 * 7 * inputs::unit_roundoff * std::sqrt(size));
}

TEST_CASE("roots that are too few are refused") {
  tg::device gpu;
  auto x = gpu.zeros<float>(128), y = gpu.zeros<float>(130);
  auto all = real_fft_roots<128>();
  all.pop_back();
  auto roots = gpu.upload(all);
  CHECK_THROWS_WITH_AS(
      gpu.launch(real_fft<128>, real_fft_grid<128>(1), tg::matrix(x, 1, 128), roots, tg::matrix(y, 1, 130), 1u),
      doctest::Contains("elements"), tg::error);
}
