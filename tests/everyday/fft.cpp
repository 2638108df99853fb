// The Fourier transform of 1024 complex numbers, against the sum that defines it.
#include "checked.hpp"

#include <cmath>
#include <complex>
#include <numbers>

#include <bench/fft.hpp>

using everyday::checked_device;
using everyday::random_numbers;

TEST_CASE("the Fourier transform of 1024 numbers") {
  for (const std::size_t blocks : {1u, 2u, 5u}) {
    checked_device on;
    const std::size_t n = 1024;
    const auto hre = random_numbers(n * blocks, -1, 1, 1), him = random_numbers(n * blocks, -1, 1, 2);
    const auto re = on.gpu.upload(hre), im = on.gpu.upload(him);
    auto out_re = on.gpu.upload(std::vector<float>(n * blocks, NAN)),
         out_im = on.gpu.upload(std::vector<float>(n * blocks, NAN));
    on.gpu.launch(bench::fft, tg::grid(blocks), re, im, out_re, out_im);
    const auto ore = out_re.to_host(), oim = out_im.to_host();
    double worst = 0;
    for (std::size_t b = 0; b < blocks; ++b)
      for (std::size_t k = 0; k < n; k += 37) {
        std::complex<double> sum = 0;
        for (std::size_t i = 0; i < n; ++i)
          sum += std::complex<double>(hre[b * n + i], him[b * n + i]) *
                 std::polar(1.0, -2 * std::numbers::pi * static_cast<double>(i * k % n) / static_cast<double>(n));
        worst = std::max(worst, std::abs(sum - std::complex<double>(ore[b * n + k], oim[b * n + k])));
      }
    CHECK(worst < 1e-4);
  }
}
