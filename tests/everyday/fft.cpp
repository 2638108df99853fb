// The Fourier transform of 1024 complex numbers per block: five passes of radix 4, exchanged through shared memory.
#include "checked.hpp"

#include <cmath>
#include <complex>
#include <numbers>

using namespace tg::literals;
using everyday::checked_device;
using everyday::random_numbers;

namespace {

struct complex_value {
  tg::value<float> re, im;
};

template <class A, class B>
complex_value operator+(const A& a, const B& b) requires requires { a.re; b.im; } { return {a.re + b.re, a.im + b.im}; }
template <class A, class B>
complex_value operator-(const A& a, const B& b) requires requires { a.re; b.im; } { return {a.re - b.re, a.im - b.im}; }
inline complex_value times(const complex_value& a, const complex_value& b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

/// Where element i lies, so that every pass is free of bank conflicts: bits 5 and 6 of i decide about bits 0 to 4.
template <class I>
auto place(const I& i) {
  const auto high = i / 32_c % 4_c;
  return i ^ high ^ (high * 4_c) ^ (i / 64_c % 2_c * 16_c);
}

/// Stockham's form: no bits are reversed, each pass reads and writes whole arrays.
inline constexpr auto fft = tg::kernel<"fft_1024">(
    tg::block<256>, [](auto block, tg::in<float> re, tg::in<float> im, tg::out<float> out_re, tg::out<float> out_im) {
      auto tile_re = tg::shared<float>(tg::shape<1024>), tile_im = tg::shared<float>(tg::shape<1024>);
      const auto t = block.thread.x;
      const auto first = tg::let(block.index.x * 1024_c);
      tg::unroll<4>([&](auto k) {
        tile_re(place(t + k * 256_c)) = re(first + t + k * 256_c);
        tile_im(place(t + k * 256_c)) = im(first + t + k * 256_c);
      });
      block.sync();
      tg::unroll<5>([&](auto pass) {
        constexpr tg::constant<(1ll << (2 * pass.value))> width{};  // of what is transformed already
        const auto j = tg::let(t % width);
        const auto angle = tg::let(tg::cast<float>(j) * (-2.0f * std::numbers::pi_v<float> / static_cast<float>(4 * width.value)));
        const auto v = [&](auto k) -> complex_value { return {tg::let(tile_re(place(t + k * 256_c))), tg::let(tile_im(place(t + k * 256_c)))}; };
        const complex_value one{tg::cos(angle), tg::sin(angle)};
        const auto two = times(one, one), three = times(two, one);
        const auto a = v(0_c), b = times(v(1_c), one), c = times(v(2_c), two), d = times(v(3_c), three);
        const auto ac = a + c, a_c = a - c, bd = b + d, b_d = b - d;
        const complex_value turned{b_d.im, -b_d.re};
        block.sync();
        const auto to = tg::let(t / width * (width * 4_c) + j);
        const auto put = [&](auto k, const complex_value& x) {
          tile_re(place(to + k * width)) = x.re;
          tile_im(place(to + k * width)) = x.im;
        };
        put(0_c, ac + bd);
        put(1_c, a_c + turned);
        put(2_c, ac - bd);
        put(3_c, a_c - turned);
        block.sync();
      });
      tg::unroll<4>([&](auto k) {
        out_re(first + t + k * 256_c) = tile_re(place(t + k * 256_c));
        out_im(first + t + k * 256_c) = tile_im(place(t + k * 256_c));
      });
    });

}  // namespace

TEST_CASE("the Fourier transform of 1024 numbers") {
  for (const std::size_t blocks : {1u, 2u, 5u}) {
    checked_device on;
    const std::size_t n = 1024;
    const auto hre = random_numbers(n * blocks, -1, 1, 1), him = random_numbers(n * blocks, -1, 1, 2);
    const auto re = on.gpu.upload(hre), im = on.gpu.upload(him);
    auto out_re = on.gpu.upload(std::vector<float>(n * blocks, NAN)), out_im = on.gpu.upload(std::vector<float>(n * blocks, NAN));
    on.gpu.launch(fft, tg::grid(blocks), re, im, out_re, out_im);
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
