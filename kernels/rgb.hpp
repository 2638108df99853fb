// Pictures of 8-bit RGB: rows of 3 * width bytes, walked byte by byte, so that neighbouring lanes touch neighbouring
// bytes and the same channel of the next pixel is three bytes away.
//
//   lane     0  1  2  3  4  5 ...
//   byte     r  g  b  r  g  b ...
//   pixel    0  0  0  1  1  1 ...
//   channel  0  1  2  0  1  2 ...
#pragma once

#include <cstdint>
#include <type_traits>

#include <tg/dsl.hpp>
#include <tg/runtime/grid.hpp>

namespace tg::kernels {

using literals::operator""_c;

/// One channel of one pixel of a width x height picture.
template <class Row, class Pixel, class Channel> struct rgb_position {
  Row row;
  Pixel pixel;
  Channel channel;
  scalar<int> width;
  scalar<int> height;

  value<bool> is_inside() const { return row < height && pixel < width; }
  /// Where the byte is in its row.
  auto column() const { return pixel * 3_c + channel; }
  /// Where the byte of the pixel `d` to the right is in its row; pixels are kept inside the picture.
  template <class D> auto column(D d) const { return tg::clamp(pixel + d, 0_c, width - 1_c) * 3_c + channel; }
  /// The row `d` further down, kept inside the picture.
  template <class D> auto row_at(D d) const { return tg::clamp(row + d, 0_c, height - 1_c); }
};

template <class Row, class Pixel, class Channel>
rgb_position(Row, Pixel, Channel, scalar<int>, scalar<int>) -> rgb_position<Row, Pixel, Channel>;

/// The place of a thread in a grid of one thread per byte: launch with `rgb_cover(width, height)`.
/// Requires: blocks with a multiple of three threads in x.
template <class Block> auto rgb_position_of(const Block& block, scalar<int> width, scalar<int> height) {
  static_assert(Block::shape::x % 3 == 0, "a block holds whole pixels");
  return rgb_position{tg::cast<int>(block.global.y), tg::cast<int>(block.global.x / 3_c), tg::cast<int>(block.thread.x % 3_c),
                      width, height};
}

/// One thread per byte of a picture.
constexpr auto rgb_cover(int width, int height, source_location where = source_location::current()) {
  return tg::cover(3 * width, height, where);
}

/// A number where 1 is white as a sample of type T: a float as it is; a byte rounded to nearest, whiter than white is
/// white.
template <class T, device_value X> auto to_sample(const X& x) {
  if constexpr (std::is_same_v<T, float>) return x.get();
  else return tg::cast<std::uint8_t>(tg::round_even(x * 255.0f));
}

}  // namespace tg::kernels
