// The Sobel operator: how steep a picture is, channel by channel.
#pragma once

#include <kernels/rgb.hpp>

namespace tg::kernels {

/// The length of the gradient of eight neighbours `at(dy, dx)`:
///
///        -1 0 1         -1 -2 -1
///   gx   -2 0 2    gy    0  0  0
///        -1 0 1          1  2  1
template <class At> value<float> sobel_magnitude(At at) {
  constexpr auto before = -1_c;
  constexpr auto after = 1_c;
  const value<float> top_left = at(before, before), top = at(before, 0_c), top_right = at(before, after);
  const value<float> left = at(0_c, before), right = at(0_c, after);
  const value<float> bottom_left = at(after, before), bottom = at(after, 0_c), bottom_right = at(after, after);
  const auto gx = (top_right - top_left) + (bottom_right - bottom_left) + (right - left) * 2.0f;
  const auto gy = (bottom_left - top_left) + (bottom_right - top_right) + (bottom - top) * 2.0f;
  return tg::sqrt(gx * gx + gy * gy);
}

/// The steepness of floats where 1 is white, as floats or bytes. Launch with `rgb_cover(width, height)`.
template <class Sample>
inline constexpr auto sobel =
    tg::kernel<"sobel">(tg::block<96, 4>, [](auto block, tg::in2<float> picture, tg::out2<Sample> edges, tg::scalar<int> width,
                                             tg::scalar<int> height) {
      const auto here = rgb_position_of(block, width, height);
      tg::if_(here.is_inside(), [&] {
        const auto magnitude =
            sobel_magnitude([&](auto dy, auto dx) -> value<float> { return picture(here.row_at(dy), here.column(dx)).get(); });
        edges(here.row, here.column()) = to_sample<Sample>(magnitude);
      });
    });

}  // namespace tg::kernels
