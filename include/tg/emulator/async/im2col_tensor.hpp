// A batch of images from which copies take columns of pixels: N, then D, H and W, then the channels of a pixel.
//
//   the bounding box of one image; filters begin in it     a column: its pixels, row by row, then of the next image
//
//      lower                                                  at          o o o      1st, 2nd, 3rd
//        +-------------+                                      o o o o o o o o o      4th to 12th
//        |   image     |                                      o o o                  13th to 15th
//        +-------------+ extent - 1 + upper
//
// Source: PTX ISA 9.0, 5.5.4 "im2col mode".
#pragma once

#include <tg/base/dynamic_array.hpp>
#include <tg/base/fixed_array.hpp>
#include <tg/emulator/async/tensor_shape.hpp>

namespace tg::emulator {

/// The arguments of cuTensorMapEncodeIm2col; of the steps, those of W, H and D count.
/// Shapes: corners W, H, D, as CUTLASS hands them to the driver.
struct im2col_tensor : tensor_shape {
  std::array<std::int32_t, 3> lower{};  // corner of the bounding box, from the first pixel of an image
  std::array<std::int32_t, 3> upper{};  // from the last pixel
  std::uint32_t channels = 1;           // of each pixel
  std::uint32_t pixels = 1;             // of a column

  /// The last place of the bounding box in dimension `k`.
  constexpr std::int64_t last(std::size_t k) const { return static_cast<std::int64_t>(extents[k]) - 1 + upper[k - 1]; }
};

/// Coordinates, innermost first.
using tensor_index = std::array<std::int64_t, 5>;

/// What a copy adds to W, H and D.
using im2col_offsets = fixed_array<std::uint32_t, 3>;

/// Bits of an offset, and with its sign of a coordinate of a corner.
constexpr int im2col_bits(std::uint32_t rank) { return rank == 3 ? 16 : rank == 4 ? 8 : 5; }

/// Which rule `t` breaks that the driver checks; empty: none.
/// Source: CUDA driver API, "Tensor Map Object Management", cuTensorMapEncodeIm2col; that a pixel's channels are a
/// multiple of 16 bytes stands only with cuTensorMapEncodeTiled.
constexpr std::string_view broken_rule(const im2col_tensor& t) {
  if (t.rank < 3 || t.rank > 5) return "a batch of images has 3 to 5 dimensions";
  if (const std::string_view broken = broken_shape_rule(t, t.channels); !broken.empty()) return broken;
  const std::int32_t limit = 1 << (im2col_bits(t.rank) - 1);
  for (std::size_t k = 1; k + 1 < t.rank; ++k) {
    const std::int32_t lower = t.lower[k - 1], upper = t.upper[k - 1];
    if (lower < -limit || lower >= limit || upper < -limit || upper >= limit)
      return "a corner has 16 bits where there are 3 dimensions, 8 where 4, 5 where 5";
    if (t.last(k) < lower) return "the bounding box is empty";
  }
  if (t.pixels == 0 || t.pixels > 1024) return "a column has 1 to 1024 pixels";
  return {};
}

/// Which rule a copy of the column at `at` breaks; empty: none.
/// Source: PTX ISA 9.0, 5.5.4.1 "Bounding Box"; 9.7.9.25.5.1 "Restriction on Tensor Copy instructions".
constexpr std::string_view broken_rule(const im2col_tensor& t, const tensor_index& at, const im2col_offsets& offsets,
                                       bool is_store) {
  if (is_store && (at[0] < 0 || at[t.rank - 1] < 0)) return "coordinates of a store are not negative";
  for (std::size_t k = 1; k + 1 < t.rank; ++k) {
    if (is_store && (t.lower[k - 1] < 0 || t.upper[k - 1] > 0)) return "the bounding box of a store is in the tensor";
    if (at[k] < t.lower[k - 1] || at[k] > t.last(k)) return "the first pixel is in the bounding box";
    if (offsets[k - 1] >> im2col_bits(t.rank) != 0)
      return "an offset has 16 bits where there are 3 dimensions, 8 where 4, 5 where 5";
  }
  return {};
}

/// The pixels of the column at `at`, those outside the tensor included: from `at` in steps to the end of the bounding
/// box, row by row and image by image, all moved by the offsets.
inline dynamic_array<tensor_index> column_of(const im2col_tensor& t, tensor_index at, const im2col_offsets& offsets) {
  dynamic_array<tensor_index> out(t.pixels);
  const std::size_t image = t.rank - 1;
  for (tensor_index& pixel : out) {
    pixel = at;
    for (std::size_t k = 1; k < image; ++k) pixel[k] += offsets[k - 1];
    std::size_t k = 1;
    for (; k < image && (at[k] += t.steps[k]) > t.last(k); ++k) at[k] = t.lower[k - 1];
    if (k == image) ++at[image];
  }
  return out;
}

}  // namespace tg::emulator
