// The Fourier transforms against FFTW in double, each element within a bound of its own.
//
// A stage of radix 2 gives a + w b, off by at most 7 roundings of |a| + |b|, of which each is a sum of inputs times powers of
// w. So after log2(N) stages an element is off by at most log2(N) * 7 * 2^-24 times the sum of the magnitudes of all inputs.
// The step between a transform of real numbers and one of half as many complex ones adds up two such elements.
// Source of the constant: Higham, "Accuracy and Stability of Numerical Algorithms", theorem 24.2.
#include <doctest/doctest.h>

#ifdef TG_FFTW

#include <fftw3.h>

#include <kernels/fft_2d.hpp>
#include <kernels/real_fft.hpp>

#include "inputs.hpp"

using namespace tg::kernels;

namespace {

/// Runs a plan, which is made and forgotten.
void run(fftw_plan plan) {
  REQUIRE(plan != nullptr);
  fftw_execute(plan);
  fftw_destroy_plan(plan);
}
fftw_complex* numbers(std::vector<double>& x) { return reinterpret_cast<fftw_complex*>(x.data()); }
constexpr int sign(bool is_inverse) { return is_inverse ? FFTW_BACKWARD : FFTW_FORWARD; }

/// The largest distance of an element of a line, as a multiple of its bound. `size`: the sum of the magnitudes of its inputs.
double worst(const float* found, const std::vector<double>& wanted, double stages, double size) {
  double out = 0;
  for (std::size_t i = 0; i + 1 < wanted.size(); i += 2) {
    const double off = std::hypot(found[i] - wanted[i], found[i + 1] - wanted[i + 1]);
    out = std::isnan(off) ? std::numeric_limits<double>::infinity() : std::max(out, off / (stages * 7 * 0x1p-24 * size));
  }
  return out;
}
/// The sum of the magnitudes of complex numbers.
double magnitudes(const std::vector<double>& x) {
  double out = 0;
  for (std::size_t i = 0; i < x.size(); i += 2) out += std::hypot(x[i], x[i + 1]);
  return out;
}

template <unsigned N, bool Inverse> void check_lines(std::size_t lines) {
  tg::device gpu;
  inputs::generator random;
  INFO("seed ", random.seed, ", N ", N, ", inverse ", Inverse, ", lines ", lines);
  const auto x = random.floats(lines * 2 * N);
  constexpr std::size_t gap = N < 64 ? 0 : 2;
  inputs::rows<float> on_x(gpu, x, lines, 2 * N, 2 * N + gap), y(gpu, lines, 2 * N, 2 * N + gap);
  auto roots = gpu.upload(fft_roots<N>());
  gpu.launch(fft<N, Inverse>, fft_grid<N>(unsigned(lines)), on_x.matrix(), roots, y.matrix(), unsigned(lines));
  auto found = y.to_host();
  for (std::size_t l = 0; l < lines; ++l) {
    float* const own = &found[l * 2 * N];
    std::vector<double> in(&x[l * 2 * N], &x[l * 2 * N] + 2 * N), wanted(2 * N);
    run(fftw_plan_dft_1d(N, numbers(in), numbers(wanted), sign(Inverse), FFTW_ESTIMATE));
    const double size = magnitudes(in), stages = std::log2(N);
    CHECK(worst(own, wanted, stages, size) <= 1);
    // Neighbours in each other's place are found.
    if (l == 0) {
      std::swap_ranges(own, own + 2, own + 2);
      CHECK(worst(own, wanted, stages, size) > 1);
    }
  }
}
template <unsigned N> void check_real(std::size_t lines) {
  tg::device gpu;
  inputs::generator random;
  INFO("seed ", random.seed, ", N ", N, ", lines ", lines);
  const auto x = random.floats(lines * N);
  constexpr std::size_t gap = N < 128 ? 0 : 2, width = N + 2;
  inputs::rows<float> on_x(gpu, x, lines, N, N + gap), y(gpu, lines, width, width + gap), back(gpu, lines, N, N + gap);
  auto roots = gpu.upload(real_fft_roots<N>());
  gpu.launch(real_fft<N>, real_fft_grid<N>(unsigned(lines)), on_x.matrix(), roots, y.matrix(), unsigned(lines));
  gpu.launch(real_fft_inverse<N>, real_fft_grid<N>(unsigned(lines)), y.matrix(), roots, back.matrix(), unsigned(lines));
  const auto found = y.to_host(), found_back = back.to_host();
  for (std::size_t l = 0; l < lines; ++l) {
    std::vector<double> in(&x[l * N], &x[l * N] + N), wanted(width), real(N);
    double size = 0;
    for (const double v : in) size += std::abs(v);
    run(fftw_plan_dft_r2c_1d(N, in.data(), numbers(wanted), FFTW_ESTIMATE));
    CHECK(worst(&found[l * width], wanted, 2 * std::log2(N), size) <= 1);
    // Back from what the kernel has found.
    std::vector<double> half(&found[l * width], &found[l * width] + width);
    const double all = 2 * magnitudes(half);
    run(fftw_plan_dft_c2r_1d(N, numbers(half), real.data(), FFTW_ESTIMATE));
    CHECK(worst(&found_back[l * N], real, 2 * std::log2(N), all) <= 1);
  }
}

template <unsigned Rows, unsigned Columns, bool Inverse> void check_pictures(unsigned images) {
  tg::device gpu;
  inputs::generator random;
  INFO("seed ", random.seed, ", ", Rows, " x ", Columns, ", inverse ", Inverse, ", images ", images);
  constexpr std::size_t floats = std::size_t{Rows} * Columns * 2;
  const auto x = random.floats(images * floats);
  const auto on_x = gpu.upload(x);
  auto y = gpu.upload(std::vector<float>(x.size(), inputs::poison<float>()));
  auto scratch = gpu.upload(std::vector<float>(x.size(), inputs::poison<float>()));
  const auto column_roots = gpu.upload(fft_roots<Columns>());
  const auto row_roots = gpu.upload(fft_roots<Rows>());
  fft_2d<Rows, Columns, Inverse>(gpu, on_x, y, scratch, column_roots, row_roots, images);
  const auto found = y.to_host();
  for (unsigned i = 0; i < images; ++i) {
    std::vector<double> in(&x[i * floats], &x[i * floats] + floats), wanted(floats);
    run(fftw_plan_dft_2d(Rows, Columns, numbers(in), numbers(wanted), sign(Inverse), FFTW_ESTIMATE));
    CHECK(worst(&found[i * floats], wanted, std::log2(Rows * Columns), magnitudes(in)) <= 1);
  }
}

}  // namespace

TEST_CASE("lines of each length are FFTW's") {
  check_lines<2, false>(513);
  check_lines<4, true>(257);
  check_lines<8, false>(129);
  check_lines<16, true>(67);
  check_lines<16, false>(5);
  check_lines<32, false>(33);
  check_lines<64, true>(17);
  check_lines<128, false>(9);
  check_lines<256, true>(5);
  check_lines<512, false>(5);
  check_lines<512, true>(2);
  check_lines<1024, true>(3);
  check_lines<2048, false>(2);
  check_lines<4096, true>(2);
}

TEST_CASE("lines of real numbers are FFTW's, and back") {
  check_real<8>(65);
  check_real<32>(33);
  check_real<64>(17);
  check_real<128>(17);
  check_real<512>(5);
  check_real<2048>(3);
  check_real<8192>(1);
}

TEST_CASE("pictures are FFTW's") {
  check_pictures<2, 2, false>(3);
  check_pictures<8, 64, false>(2);
  check_pictures<128, 16, true>(2);
  check_pictures<64, 64, false>(1);
  check_pictures<2, 4096, true>(1);
}

#else
TEST_CASE("Fourier transforms against FFTW") { MESSAGE("no FFTW (Debian: libfftw3-dev): skipped"); }
#endif
