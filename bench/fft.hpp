// The Fourier transform of 1024 complex numbers per block: five passes of radix 4, exchanged through shared memory.
#pragma once

#include <numbers>

#include <tg/tg.hpp>

namespace bench {

using namespace tg::literals;

namespace detail {

struct complex_value { tg::value<float> re, im; };

template <class A, class B>
complex_value operator+(const A& a, const B& b) requires requires {
  a.re;
  b.im;
}
{
  return {a.re + b.re, a.im + b.im};
}
template <class A, class B>
complex_value operator-(const A& a, const B& b) requires requires {
  a.re;
  b.im;
}
{
  return {a.re - b.re, a.im - b.im};
}
inline complex_value times(const complex_value& a, const complex_value& b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

/// With it every pass is free of bank conflicts: bits 5 and 6 of an index decide about bits 0 to 4.
inline constexpr auto layout = tg::swizzle<2> ^ tg::swizzle<2, 2, 3> ^ tg::swizzle<1, 4, 2>;

}  // namespace detail

/// Stockham's form: no bits are reversed, each pass reads and writes whole arrays.
inline constexpr auto fft = tg::kernel<"fft_1024">(tg::block<256>, [](auto block, tg::in<float> re, tg::in<float> im,
                                                                      tg::out<float> out_re, tg::out<float> out_im) {
  auto tile_re = tg::shared<float>(tg::shape<1024>, detail::layout),
       tile_im = tg::shared<float>(tg::shape<1024>, detail::layout);
  using detail::complex_value;
  const auto t = block.thread.x;
  const auto first = tg::let(block.index.x * 1024_c);
  tg::unroll<4>([&](auto k) {
    tile_re(t + k * 256_c) = re(first + t + k * 256_c);
    tile_im(t + k * 256_c) = im(first + t + k * 256_c);
  });
  block.sync();
  tg::unroll<5>([&](auto pass) {
    constexpr tg::constant<(1ll << (2 * pass.value))> width{};  // of what is transformed already
    const auto j = tg::let(t % width);
    const auto angle = tg::let(tg::cast<float>(j) * (-2.0f * std::numbers::pi_v<float> / static_cast<float>(4 * width.value)));
    const auto v = [&](auto k) -> complex_value { return {tg::let(tile_re(t + k * 256_c)), tg::let(tile_im(t + k * 256_c))}; };
    const complex_value one{tg::cos(angle), tg::sin(angle)};
    const auto two = times(one, one), three = times(two, one);
    const auto a = v(0_c), b = times(v(1_c), one), c = times(v(2_c), two), d = times(v(3_c), three);
    const auto ac = a + c, a_c = a - c, bd = b + d, b_d = b - d;
    const complex_value turned{b_d.im, -b_d.re};
    block.sync();
    const auto to = tg::let(t / width * (width * 4_c) + j);
    const auto put = [&](auto k, const complex_value& x) {
      tile_re(to + k * width) = x.re;
      tile_im(to + k * width) = x.im;
    };
    put(0_c, ac + bd);
    put(1_c, a_c + turned);
    put(2_c, ac - bd);
    put(3_c, a_c - turned);
    block.sync();
  });
  tg::unroll<4>([&](auto k) {
    out_re(first + t + k * 256_c) = tile_re(t + k * 256_c);
    out_im(first + t + k * 256_c) = tile_im(t + k * 256_c);
  });
});

}  // namespace bench
