// Gaussian blur and Sobel in one kernel: what lies between them stays in shared memory.
//
//   picture --along rows--> 16 + 2 + 2 * Radius rows --along columns--> 16 + 2 rows --Sobel--> 16 rows
//
// Each thread stays in its column of 96 bytes. The block writes the 90 in the middle: Sobel looks one pixel around.
#pragma once

#include <kernels/blur.hpp>
#include <kernels/sobel.hpp>

namespace tg::kernels {

namespace detail {

inline constexpr int fused_rows = 16;
inline constexpr int fused_pixels = 30;

}  // namespace detail

/// What `blur_horizontal`, `blur_vertical` and `sobel` make one after the other, as floats where 1 is white or as
/// bytes. Launch with `blur_sobel_grid(width, height)`.
/// Requires: sigma > 0.
/// Units: within 1e-5 of the exact result, before rounding to bytes.
template <int Radius, class Sample>
inline constexpr auto blur_sobel =
    tg::kernel<"blur_sobel">(tg::block<96, 4>, [](auto block, tg::in2<std::uint8_t> picture, tg::out2<Sample> edges,
                                                  tg::scalar<int> width, tg::scalar<int> height, tg::scalar<float> sigma) {
      constexpr int rows = detail::fused_rows;
      const auto along_rows = tg::shared<float>(tg::shape<rows + 2 * (Radius + 1), 96>);
      const auto along_columns = tg::shared<float>(tg::shape<rows + 2, 96>);
      const gaussian<Radius> weighted(sigma);

      // One pixel of border on each side: the first row and pixel of the block's part of the picture.
      const auto top = tg::let(tg::cast<int>(block.index.y) * constant<rows>{} - 1_c);
      const auto left = tg::let(tg::cast<int>(block.index.x) * constant<detail::fused_pixels>{} - 1_c);
      const auto lane = tg::let(tg::cast<int>(block.thread.x));
      const auto first = tg::cast<int>(block.thread.y);
      const auto place = [&](const auto& line) {
        return rgb_position{top + line, left + lane / 3_c, lane % 3_c, width, height};
      };

      tg::for_(tg::range(first, constant<rows + 2 * (Radius + 1)>{}, 4_c), [&](auto line) {
        const auto here = place(line);
        const auto row = here.row_at(constant<-Radius>{});
        const auto sum = weighted([&](auto d) { return tg::cast<float>(picture(row, here.column(d))); });
        along_rows(line, lane) = sum * (1.0f / 255.0f);
      });
      block.sync();
      tg::for_(tg::range(first, constant<rows + 2>{}, 4_c), [&](auto line) {
        along_columns(line, lane) = weighted([&](auto d) { return along_rows(line + constant<Radius>{} + d, lane); });
      });
      block.sync();
      tg::for_(tg::range(first, constant<rows>{}, 4_c), [&](auto line) {
        const auto here = place(line + 1_c);
        const auto is_border = lane < 3_c || lane >= 93_c;
        tg::if_(here.is_inside() && !is_border, [&] {
          const auto magnitude = sobel_magnitude([&](auto dy, auto dx) -> value<float> {
            return along_columns(here.row_at(dy) - top, here.column(dx) - left * 3_c).get();
          });
          edges(here.row, here.column()) = to_sample<Sample>(magnitude);
        });
      });
    });

/// Blocks for a picture.
constexpr auto blur_sobel_grid(int width, int height, source_location where = source_location::current()) {
  return tg::grid((width + detail::fused_pixels - 1) / detail::fused_pixels,
                  (height + detail::fused_rows - 1) / detail::fused_rows, where);
}

}  // namespace tg::kernels
