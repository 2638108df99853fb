// Which element of a matrix each lane of a warp holds where.
//
// The usual layouts are made of tiles of 8 rows, or columns, by 4 registers: lane l holds row l / 4 of the tile, and
// there the elements of register l % 4. Element e of a lane counts from the low bits of its first register. Source: PTX
// ISA 9.0, "Matrix Fragments for mma.*".
//
// tg/layout/fragment_layout.hpp says the same for the language. The emulator has its own copy on purpose: it judges the
// language's, so a mistake in one of them shows.
#pragma once

#include <cstddef>
#include <cstdint>

#include <tg/base/dynamic_array.hpp>
#include <tg/ptx/ir/matrix_shape.hpp>

namespace tg::emulator {

/// Entry e * 32 + lane: the place of that element in the row-major matrix.
using fragment_layout = dynamic_array<std::uint16_t>;

using ptx::matrix_shape;

namespace detail {

/// `place(lane, element)` for each.
template <class Place> fragment_layout make_layout(std::size_t elements, Place place) {
  fragment_layout out;
  for (std::size_t e = 0; e < elements; ++e)
    for (std::size_t lane = 0; lane < 32; ++lane) out.push_back(static_cast<std::uint16_t>(place(lane, e)));
  return out;
}

}  // namespace detail

/// A of m × k, `packed` elements per register: tiles stand below each other first.
inline fragment_layout layout_of_a(const matrix_shape& s, std::size_t packed) {
  return detail::make_layout(s.m * s.k / 32, [=](std::size_t lane, std::size_t e) {
    const std::size_t tile = e / packed, down = s.m / 8;
    const std::size_t row = tile % down * 8 + lane / 4, column = tile / down * 4 * packed + lane % 4 * packed + e % packed;
    return row * s.k + column;
  });
}

/// B of k × n: the same with rows and columns exchanged.
inline fragment_layout layout_of_b(const matrix_shape& s, std::size_t packed) {
  return detail::make_layout(s.k * s.n / 32, [=](std::size_t lane, std::size_t e) {
    const std::size_t tile = e / packed, down = s.k / (4 * packed);
    const std::size_t row = tile % down * 4 * packed + lane % 4 * packed + e % packed, column = tile / down * 8 + lane / 4;
    return row * s.n + column;
  });
}

/// Accumulators of m × n: tiles of 8 × 8, two neighbours per lane.
inline fragment_layout layout_of_c(const matrix_shape& s) {
  return detail::make_layout(s.m * s.n / 32, [=](std::size_t lane, std::size_t e) {
    const std::size_t tile = e / 2, down = s.m / 8;
    return (tile % down * 8 + lane / 4) * s.n + tile / down * 8 + lane % 4 * 2 + e % 2;
  });
}

/// The layout of a wmma fragment, which PTX leaves open: here the order of memory, register by register. `lines` rows or
/// columns of `line_elems` elements each; by_row: the lines are rows.
inline fragment_layout layout_by_memory(std::size_t lines, std::size_t line_elems, bool by_row, std::size_t packed) {
  return detail::make_layout(lines * line_elems / 32, [=](std::size_t lane, std::size_t e) {
    const std::size_t at = (e / packed * 32 + lane) * packed + e % packed;
    return by_row ? at : at % line_elems * lines + at / line_elems;
  });
}

/// mma.m8n8k4 of f16: four products, each of the eight lanes whose number / 4 % 4 is the same.
namespace quad_pair {

inline std::size_t number(std::size_t lane) { return lane % 16 / 4; }
inline std::size_t half(std::size_t lane) { return lane / 16 * 4; }

inline fragment_layout a(bool by_row) {
  return detail::make_layout(4, [=](std::size_t lane, std::size_t e) {
    const std::size_t row = half(lane) + (by_row ? lane % 4 : e), column = by_row ? e : lane % 4;
    return number(lane) * 32 + row * 4 + column;
  });
}
inline fragment_layout b(bool by_row) {
  return detail::make_layout(4, [=](std::size_t lane, std::size_t e) {
    const std::size_t row = by_row ? lane % 4 : e, column = half(lane) + (by_row ? e : lane % 4);
    return number(lane) * 32 + row * 8 + column;
  });
}
inline fragment_layout c_f16() {
  return detail::make_layout(
      8, [](std::size_t lane, std::size_t e) { return number(lane) * 64 + (half(lane) + lane % 4) * 8 + e; });
}
inline fragment_layout c_f32() {
  return detail::make_layout(8, [](std::size_t lane, std::size_t e) {
    const std::size_t row = half(lane) + lane % 2 + (e & 2), column = (e & 4) + (lane & 2) + e % 2;
    return number(lane) * 64 + row * 8 + column;
  });
}

}  // namespace quad_pair
}  // namespace tg::emulator
