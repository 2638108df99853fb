// Convolutions of lines and of pictures.
#pragma once

#include <kernels/convolution.hpp>
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

template <class Ask> void each_convolution(Ask ask) {
  ask(conv1d);
  ask(depthwise_conv2d);
}

}  // namespace registry
