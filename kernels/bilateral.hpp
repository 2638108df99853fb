// Bilateral filter of a grey picture: a mean of the neighbours of each pixel that counts near ones and similar ones more, so
// that edges stay sharp. Outside the picture its edge goes on.
#pragma once

#include <cstdint>
#include <type_traits>

#include <tg/dsl.hpp>
#include <tg/runtime/grid.hpp>

namespace tg::kernels {

using literals::operator""_c;

namespace detail {

/// What a sum of squares is multiplied by to become the logarithm of a weight to the base 2: finite, so that 0 stays 0.
inline value<float> log2_of_gaussian(const scalar<float>& sigma) {
  return tg::max(-0.5f * 0x1.715476p0f / (sigma * sigma), -0x1p127f);
}

}  // namespace detail

/// filtered(p) = sum of w(q) * picture(q) / sum of w(q) over the pixels q at most Radius away from p, where w(q) is
/// exp(-|p - q|^2 / (2 sigma_space^2) - (picture(p) - picture(q))^2 / (2 sigma_range^2)). Distances are in pixels, sigma_range
/// is in units of samples, 0 to 255 for bytes. T: float, std::uint8_t, which is rounded to nearest. Launch with
/// `bilateral_grid(width, height)`.
/// Requires: both sigmas > 0, their squares no overflow; Radius from 1 to 8; width and height leave 64 below 2^31.
/// Units: a weight is off by 4 * 2^-24 of itself, and by 8 * 2^-24 for each factor of e that it is below 1.
/// Cost: an ex2 and five operations for each pixel in reach; each byte of the picture is read from memory about once.
template <class T, int Radius>
inline constexpr auto bilateral = tg::kernel<"bilateral">(
    tg::block<32, 8>, [](auto block, tg::in2<T> picture, tg::out2<T> filtered, tg::scalar<int> width, tg::scalar<int> height,
                         tg::scalar<float> sigma_space, tg::scalar<float> sigma_range) {
      static_assert(std::is_same_v<T, float> || std::is_same_v<T, std::uint8_t>,
                    "bilateral<T, Radius> requires floats or bytes");
      static_assert(Radius >= 1 && Radius <= 8, "bilateral<T, Radius> requires a radius from 1 to 8");
      constexpr int rows = 16 + 2 * Radius, columns = 32 + 2 * Radius;
      const auto tile = tg::shared<float>(tg::shape<rows, columns>);
      const auto lane = tg::let(tg::cast<int>(block.thread.x));
      const auto first = tg::let(tg::cast<int>(block.thread.y));
      const auto top = tg::let(tg::cast<int>(block.index.y) * 16_c);
      const auto left = tg::let(tg::cast<int>(block.index.x) * 32_c);
      const auto fill = [&](const auto& line, const auto& column) {
        const auto row = tg::clamp(top + line - constant<Radius>{}, 0_c, height - 1_c);
        tile(line, column) = tg::cast<float>(picture(row, tg::clamp(left + column - constant<Radius>{}, 0_c, width - 1_c)));
      };
      tg::for_(tg::range(first, constant<rows>{}, 8_c), [&](auto line) {
        fill(line, lane);
        tg::if_(lane < constant<2 * Radius>{}, [&] { fill(line, lane + 32_c); });
      });
      block.sync();

      const auto of_space = tg::let(detail::log2_of_gaussian(sigma_space));
      const auto of_range = tg::let(detail::log2_of_gaussian(sigma_range));
      tg::unroll<2>([&](auto own) {
        const auto line = tg::let(first + own * 8_c);
        const auto center = tg::let(tile(line + constant<Radius>{}, lane + constant<Radius>{}));
        // The center itself has weight 1. Differences from it are summed, since their roundings are smaller.
        tg::var<float> total = 1.0f, sum = 0.0f;
        tg::unroll<2 * Radius + 1>([&](auto i) {
          tg::unroll<2 * Radius + 1>([&](auto k) {
            constexpr int dy = decltype(i)::value - Radius, dx = decltype(k)::value - Radius, squares = dx * dx + dy * dy;
            if constexpr (squares > 0 && squares <= Radius * Radius) {
              const auto d = tg::let(tile(line + i, lane + k) - center);
              const auto weight = tg::approx::exp2(tg::fma(d * d, of_range, of_space * float{squares}));
              total += weight;
              sum = tg::fma(weight, d, sum);
            }
          });
        });
        const auto mean = tg::let(center + sum / total);
        tg::if_(top + line < height && left + lane < width, [&] {
          if constexpr (std::is_same_v<T, float>) filtered(top + line, left + lane) = mean;
          else filtered(top + line, left + lane) = tg::cast<std::uint8_t>(tg::round_even(mean));
        });
      });
    });

/// Blocks for `bilateral`.
constexpr auto bilateral_grid(unsigned width, unsigned height, source_location where = source_location::current()) {
  return tg::grid((width + 31) / 32, (height + 15) / 16, where);
}

}  // namespace tg::kernels
