// Columns of images that tensor copies by im2col move, gathered on the host straight from the definition.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include <tg/emulator/async/im2col_tensor.hpp>

namespace conformance {

using namespace tg::emulator;
using bytes = std::vector<std::uint8_t>;

inline constexpr std::uint32_t tile_bytes = 8192;

/// One copy of one column; its tensor holds random bytes.
struct column_copy {
  im2col_tensor t;
  tensor_index at{};
  im2col_offsets offsets{};
  bytes tensor;

  /// Bytes from one pixel to the next in shared memory: those of the swizzle, where there is one.
  std::uint32_t pitch() const {
    return t.swizzle == tensor_swizzle::none ? t.channels * element_bytes(t.type) : 16u << static_cast<unsigned>(t.swizzle);
  }
  std::size_t column_bytes() const { return std::size_t{t.pixels} * t.channels * element_bytes(t.type); }
};

/// The pixels of the column: every place where the filter's base may stand, in order, from the coordinates on.
inline std::vector<tensor_index> places(const column_copy& c, const im2col_offsets& offsets) {
  const im2col_tensor& t = c.t;
  const std::size_t spatial = t.rank - 2;
  std::int64_t first[3] = {0, 0, 0}, again[3] = {0, 0, 0}, last[3] = {0, 0, 0}, step[3] = {1, 1, 1}, moved[3] = {0, 0, 0};
  for (std::size_t k = 0; k < spatial; ++k) {
    first[k] = c.at[k + 1];
    again[k] = t.lower[k];
    last[k] = static_cast<std::int64_t>(t.extents[k + 1]) + t.upper[k] - 1;
    step[k] = t.steps[k + 1];
    moved[k] = offsets[k];
  }
  std::vector<tensor_index> out;
  std::int64_t w = first[0], h = first[1], d = first[2];
  for (std::int64_t n = c.at[t.rank - 1];; ++n, d = again[2])
    for (; d <= last[2]; d += step[2], h = again[1])
      for (; h <= last[1]; h += step[1], w = again[0])
        for (; w <= last[0]; w += step[0]) {
          if (out.size() == t.pixels) return out;
          tensor_index pixel{c.at[0], w + moved[0], 0, 0, 0};
          if (spatial > 1) pixel[2] = h + moved[1];
          if (spatial > 2) pixel[3] = d + moved[2];
          pixel[t.rank - 1] = n;
          out.push_back(pixel);
        }
}

/// Where an element lies in the tensor's bytes; -1 outside.
inline std::int64_t offset_of(const im2col_tensor& t, const tensor_index& element) {
  std::int64_t out = 0;
  for (std::size_t k = 0; k < t.rank; ++k) {
    if (element[k] < 0 || element[k] >= static_cast<std::int64_t>(t.extents[k])) return -1;
    out += element[k] * static_cast<std::int64_t>(k == 0 ? element_bytes(t.type) : t.strides[k - 1]);
  }
  return out;
}

/// Calls `visit(byte in the tile, byte in the tensor or -1, number of the byte in its element)` for the whole column.
template <class Visit> void each_byte(const column_copy& c, const im2col_offsets& offsets, Visit visit) {
  const std::uint32_t unit = element_bytes(c.t.type), mask = (1u << static_cast<unsigned>(c.t.swizzle)) - 1;
  std::uint32_t pixels = 0;
  for (const tensor_index& pixel : places(c, offsets)) {
    std::uint32_t place = pixels++ * c.pitch();
    for (std::uint32_t channel = 0; channel < c.t.channels; ++channel) {
      tensor_index element = pixel;
      element[0] += channel;
      const std::int64_t from = offset_of(c.t, element);
      for (std::uint32_t b = 0; b < unit; ++b, ++place) {
        const std::uint32_t row = place / 128, chunk = place / 16 % 8;
        visit(row * 128 + (chunk ^ (row & mask)) * 16 + place % 16, from < 0 ? -1 : from + b, b);
      }
    }
  }
}

/// What a load leaves in shared memory, byte by byte of the tile that it writes.
inline bytes loaded(const column_copy& c, const im2col_offsets& offsets) {
  bytes out(tile_bytes);
  each_byte(c, offsets, [&](std::uint32_t to, std::int64_t from, std::uint32_t b) {
    const std::uint8_t fill = c.t.fill == tensor_fill::zero ? 0 : b % 2 == 0 ? 0xf7 : 0x7f;
    out[to] = from < 0 ? fill : c.tensor[static_cast<std::size_t>(from)];
  });
  return out;
}

/// Small tensors whose box, coordinates and steps meet every edge. A store stays inside.
inline column_copy random_copy(std::mt19937& bits, std::uint32_t rank, bool is_store) {
  const auto from = [&](std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(bits() % static_cast<std::uint32_t>(high - low + 1));
  };
  const auto number = [&](std::int64_t low, std::int64_t high) { return static_cast<std::uint32_t>(from(low, high)); };
  column_copy c;
  c.t.rank = rank;
  c.t.type = static_cast<tensor_type>(from(0, 12));
  const std::uint32_t unit = element_bytes(c.t.type);
  c.t.extents[0] = number(1, 70);
  std::uint64_t stride = (c.t.extents[0] * unit + 15) / 16 * 16 + 16 * number(0, 1);
  for (std::size_t k = 1; k < rank; ++k) {
    c.t.extents[k] = number(2, k + 1 == rank ? 4 : 9);
    c.t.steps[k] = number(1, 3);
    c.t.strides[k - 1] = stride;
    stride = stride * c.t.extents[k] + 16 * number(0, 1);
  }
  for (std::size_t k = 1; k + 1 < rank; ++k) {
    do {
      c.t.lower[k - 1] = static_cast<std::int32_t>(is_store ? from(0, 1) : from(-2, 1));
      c.t.upper[k - 1] = static_cast<std::int32_t>(is_store ? from(-1, 0) : from(-2, 1));
    } while (c.t.last(k) < c.t.lower[k - 1]);
    c.at[k] = from(c.t.lower[k - 1], c.t.last(k));
    if (!is_store) c.offsets[k - 1] = number(0, 2);
  }
  const std::int64_t run = 16 / unit;  // a copy begins at a multiple of 16 bytes
  if (from(0, 1) == 1) c.at[0] = from(is_store ? 0 : -9, static_cast<std::int64_t>(c.t.extents[0])) / run * run;
  c.at[rank - 1] = from(is_store ? 0 : -1, static_cast<std::int64_t>(c.t.extents[rank - 1]) - 1);
  c.t.channels = 16 / unit * number(1, 4);
  if (from(0, 1) == 1) c.t.swizzle = c.t.channels * unit > 32 ? tensor_swizzle::bytes_64 : tensor_swizzle::bytes_32;
  if (from(0, 3) == 0) c.t.swizzle = tensor_swizzle::bytes_128;
  c.t.pixels = number(1, tile_bytes / c.pitch());
  if (is_float(c.t.type) && from(0, 1) == 1) c.t.fill = tensor_fill::nan;
  c.tensor.resize(stride);
  for (std::uint8_t& b : c.tensor) b = static_cast<std::uint8_t>(bits() >> 24);
  return c;
}

inline std::string sentence(const column_copy& c) {
  std::string out = std::to_string(c.t.rank) + "d of type " + std::to_string(static_cast<int>(c.t.type)) + " from";
  for (std::size_t k = 0; k < c.t.rank; ++k) out += " " + std::to_string(c.at[k]) + "/" + std::to_string(c.t.extents[k]);
  return out;
}

}  // namespace conformance
