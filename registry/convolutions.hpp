// Convolutions of lines and of pictures.
#pragma once

#include <kernels/conv2d.hpp>
#include <kernels/convolution.hpp>
#include <kernels/reference/conv2d.hpp>
#include <registry/row.hpp>

namespace registry {

namespace detail {

/// m lines of n elements, five weights, as many outputs as inputs.
inline constexpr auto try_conv1d = [](auto& t, const shape& s) {
  constexpr int taps = 5, before = 2;
  const int n = static_cast<int>(s.n);
  const auto x = t.floats(std::size_t{s.m} * s.n), w = t.floats(taps);
  std::vector<double> wanted(x.size()), size(x.size());
  for (std::size_t at = 0; at < x.size(); ++at)
    for (int k = 0; k < taps; ++k) {
      const int from = static_cast<int>(at % s.n) + k - before;
      if (from < 0 || from >= n) continue;
      const double term = double{w[static_cast<std::size_t>(k)]} * x[at / s.n * s.n + static_cast<std::size_t>(from)];
      wanted[at] += term, size[at] += std::abs(term);
    }
  auto after = within(wanted, [&](std::size_t i) { return (taps + 1) * 0x1p-24 * size[i]; });
  t.launch(tg::kernels::conv1d_grid(s.n, s.m), t.in(x, s.m, s.n), t.in(w), t.template out<float>(std::move(after), s.m, s.n), n,
           n, taps, before);
};

/// A picture of m x n pixels with k channels, weights of 3 x 3, as many outputs as inputs.
inline constexpr auto try_depthwise_conv2d = [](auto& t, const shape& s) {
  const int height = static_cast<int>(s.m), width = static_cast<int>(s.n), pixels = height * width;
  const auto x = t.floats(std::size_t{s.m} * s.n * s.k), w = t.floats(std::size_t{9} * s.k);
  std::vector<double> wanted(x.size()), size(x.size());
  for (std::size_t at = 0; at < x.size(); ++at)
    for (int tap = 0; tap < 9; ++tap) {
      const int pixel = static_cast<int>(at / s.k), r = pixel / width + tap / 3 - 1, column = pixel % width + tap % 3 - 1;
      if (r < 0 || r >= height || column < 0 || column >= width) continue;
      const double term = double{w[static_cast<std::size_t>(tap) * s.k + at % s.k]} *
                          x[static_cast<std::size_t>(r * width + column) * s.k + at % s.k];
      wanted[at] += term, size[at] += std::abs(term);
    }
  auto after = within(wanted, [&](std::size_t i) { return 10 * 0x1p-24 * size[i]; });
  t.launch(tg::kernels::depthwise_conv2d_grid<float>(s.m * s.n, s.k), t.in(x, s.m * s.n, s.k, 4), t.in(w, 9, s.k, 4),
           t.template out<float>(std::move(after), s.m * s.n, s.k, 4), pixels, s.k, height, width, 3, 3, height, width, 1, 1,
           1);
};

/// Two pictures of m x n pixels with k channels, k + 8 outputs, a window of 3 x 3 with a line of zeros around each picture.
constexpr tg::kernels::reference::conv2d_sizes window_of_9(const shape& s, unsigned stride) {
  return {2, s.k, s.k + 8, s.m, s.n, (s.m - 1) / stride + 1, (s.n - 1) / stride + 1, 3, 3, 1, 1, stride};
}
/// Sums of `terms` products, rounded to 8 bits or not at all.
inline expectation of_products(const tg::kernels::reference::conv2d_sums& sums, double terms, bool is_rounded) {
  return within(sums.value, [&](std::size_t i) {
    return (terms + 2) * 0x1p-23 * sums.size[i] + (is_rounded ? 0x1p-8 : 0x1p-23) * std::abs(sums.value[i]) + 0x1p-25;
  });
}
inline constexpr auto try_conv2d = [](auto& t, const shape& s) {
  const auto c = window_of_9(s, 1);
  const auto x = t.template floats<tg::bf16>(std::size_t{c.pixels()} * c.channels);
  const auto w = t.template floats<tg::bf16>(std::size_t{c.outs} * c.places() * c.channels);
  auto after = of_products(tg::kernels::reference::conv2d(x, w, c), c.places() * c.channels, true);
  t.launch(tg::kernels::conv2d_grid(c.out_pixels(), c.outs), t.in(x, c.pixels(), c.channels, 8),
           t.in(w, c.outs * c.places(), c.channels, 8), t.template out<tg::bf16>(std::move(after), c.out_pixels(), c.outs, 8),
           c.pictures, c.channels, c.outs, c.height, c.width, c.out_height, c.out_width, c.window_height, c.window_width, c.top,
           c.left);
};
inline constexpr auto try_conv2d_data_gradient = [](auto& t, const shape& s) {
  const auto c = window_of_9(s, 2);
  const auto dy = t.template floats<tg::bf16>(std::size_t{c.out_pixels()} * c.outs);
  const auto w = t.template floats<tg::bf16>(std::size_t{c.outs} * c.places() * c.channels);
  auto after = of_products(tg::kernels::reference::conv2d_data_gradient(dy, w, c), c.places() * c.outs, true);
  t.launch(tg::kernels::conv2d_grid(c.pixels(), c.channels), t.in(dy, c.out_pixels(), c.outs, 8),
           t.in(w, c.outs * c.places(), c.channels, 8), t.template out<tg::bf16>(std::move(after), c.pixels(), c.channels, 8),
           c.pictures, c.channels, c.outs, c.height, c.width, c.out_height, c.out_width, c.window_height, c.window_width, c.top,
           c.left);
};
inline constexpr auto try_conv2d_weight_gradient = [](auto& t, const shape& s) {
  const auto c = window_of_9(s, 1);
  const auto dy = t.template floats<tg::bf16>(std::size_t{c.out_pixels()} * c.outs);
  const auto x = t.template floats<tg::bf16>(std::size_t{c.pixels()} * c.channels);
  auto after = of_products(tg::kernels::reference::conv2d_weight_gradient(dy, x, c), c.out_pixels(), false);
  t.launch(tg::kernels::conv2d_weight_grid(c.channels, c.outs, c.places(), 1), t.in(dy, c.out_pixels(), c.outs, 8),
           t.in(x, c.pixels(), c.channels, 8), t.template out<float>(std::move(after), c.outs, c.places() * c.channels, 4), 1u,
           c.pictures, c.channels, c.outs, c.height, c.width, c.out_height, c.out_width, c.window_height, c.window_width, c.top,
           c.left);
};
constexpr auto pictures_of_channels() {
  return [] { return std::vector<shape>{{1, 1, 8}, {5, 7, 8}, {3, 9, 40}, {9, 8, 128}}; };
}
inline constexpr auto conv2d_of_bf16 = tg::kernels::conv2d<tg::bf16>(tg::kernels::gemm_sums);

}  // namespace detail

inline constexpr row conv1d{tg::kernels::conv1d<float>,
                            {.family = "convolutions", .other = {"convolutions.cu", "conv1d"}, .large = {8, 1u << 14}},
                            matrices(3, 256),
                            detail::try_conv1d};
inline constexpr row depthwise_conv2d{
    tg::kernels::depthwise_conv2d<float>,
    {.family = "convolutions", .other = {"convolutions.cu", "depthwise_conv2d"}, .large = {32, 32, 256}},
    [] { return std::vector<shape>{{1, 1, 4}, {1, 7, 128}, {2, 4, 124}, {3, 3, 132}, {13, 7, 8}, {2, 8, 256}}; },
    detail::try_depthwise_conv2d};

inline constexpr row conv2d{
    detail::conv2d_of_bf16,
    {.family = "convolutions", .least_sm = 80, .other = {"conv2d.cu", "conv2d"}, .large = {16, 16, 120}},
    detail::pictures_of_channels(),
    detail::try_conv2d};
inline constexpr row conv2d_data_gradient{tg::kernels::conv2d_data_gradient<tg::bf16, 2>,
                                          {.family = "convolutions", .least_sm = 80, .large = {16, 16, 64}},
                                          detail::pictures_of_channels(),
                                          detail::try_conv2d_data_gradient};
inline constexpr row conv2d_weight_gradient{
    tg::kernels::conv2d_weight_gradient<tg::bf16>,
    {.family = "convolutions", .least_sm = 80, .writes = placing::by_data, .large = {16, 16, 64}},
    detail::pictures_of_channels(),
    detail::try_conv2d_weight_gradient};

template <class Ask> void each_convolution(Ask ask) {
  ask(conv1d);
  ask(depthwise_conv2d);
  ask(conv2d);
  ask(conv2d_data_gradient);
  ask(conv2d_weight_gradient);
}

}  // namespace registry
