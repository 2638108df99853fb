// Gaussian blur of RGB pictures, first along rows, then along columns. Outside the picture its edge goes on.
#pragma once

#include <utility>

#include <kernels/rgb.hpp>

namespace tg::kernels {

/// The weights exp(-d^2 / (2 sigma^2)) / total of a Gaussian of 2 * Radius + 1 taps, at distance d.
template <int Radius> class gaussian {
 public:
  explicit gaussian(const scalar<float>& sigma)
      : weight_(weights(-0.5f / (sigma * sigma), std::make_integer_sequence<int, Radius + 1>{})) {}

  /// The weighted sum of `tap(d)` for the distances d from -Radius to Radius.
  template <class Tap> value<float> operator()(Tap tap) const {
    tg::var<float> sum = tap(0_c) * weight_[0];
    tg::unroll<Radius>([&](auto k) {
      constexpr auto d = k + 1_c;
      sum = tg::fma(tap(-d) + tap(d), weight_[d.value], sum);
    });
    return sum;
  }

 private:
  template <int... D>
  static tg::fixed_array<value<float>, Radius + 1> weights(const value<float>& rate, std::integer_sequence<int, D...>) {
    const tg::fixed_array<value<float>, Radius + 1> raw{tg::approx::exp(rate * static_cast<float>(D * D))...};
    tg::var<float> total = raw[0];
    for (std::size_t d = 1; d <= Radius; ++d) total += raw[d] * 2.0f;
    const value<float> scale = 1.0f / total;
    return {(raw[D] * scale)...};
  }

  tg::fixed_array<value<float>, Radius + 1> weight_;
};

/// Bytes to floats where 1 is white, blurred along rows. Launch with `rgb_cover(width, height)`.
/// Requires: sigma > 0.
template <int Radius>
inline constexpr auto blur_horizontal =
    tg::kernel<"blur_horizontal">(tg::block<96, 4>, [](auto block, tg::in2<std::uint8_t> picture, tg::out2<float> blurred,
                                                       tg::scalar<int> width, tg::scalar<int> height, tg::scalar<float> sigma) {
      const auto here = rgb_position_of(block, width, height);
      const gaussian<Radius> weighted(sigma);
      tg::if_(here.is_inside(), [&] {
        const auto sum = weighted([&](auto d) { return tg::cast<float>(picture(here.row, here.column(d))); });
        blurred(here.row, here.column()) = sum * (1.0f / 255.0f);
      });
    });

/// Floats blurred along columns. Launch with `rgb_cover(width, height)`.
/// Requires: sigma > 0.
template <int Radius>
inline constexpr auto blur_vertical =
    tg::kernel<"blur_vertical">(tg::block<96, 4>, [](auto block, tg::in2<float> picture, tg::out2<float> blurred,
                                                     tg::scalar<int> width, tg::scalar<int> height, tg::scalar<float> sigma) {
      const auto here = rgb_position_of(block, width, height);
      const gaussian<Radius> weighted(sigma);
      tg::if_(here.is_inside(), [&] {
        blurred(here.row, here.column()) = weighted([&](auto d) { return picture(here.row_at(d), here.column()); });
      });
    });

}  // namespace tg::kernels
