// Which element of a tile each register of each thread holds, as a linear map.
//
//   input     register bits, above them lane bits, above them warp bits
//   output    row << column_bits | column
//
// Blocked layouts: a thread holds a rectangle, lanes stand beside and below each other in a grid, so do warps. Where the tile
// is larger the pattern repeats in further registers; where it is smaller several threads hold the same element.
#pragma once

#include <tg/layout/linear_layout.hpp>

namespace tg {

/// Row and column of an element of a tile.
struct tile_element {
  int row = 0;
  int column = 0;

  friend constexpr bool operator==(const tile_element&, const tile_element&) = default;
};

/// A tile spread over registers, lanes and warps.
struct thread_layout {
  static constexpr int lane_bits = 5;

  linear_layout map;
  int register_bits = 0;
  int warp_bits = 0;
  int column_bits = 0;

  friend constexpr bool operator==(const thread_layout&, const thread_layout&) = default;

  constexpr int registers() const { return 1 << register_bits; }
  constexpr int row_bits() const { return map.outputs - column_bits; }
  constexpr int rows() const { return 1 << row_bits(); }
  constexpr int columns() const { return 1 << column_bits; }

  /// The part of the map that the register, the lane or the warp decides.
  constexpr linear_layout of_registers() const { return map.pick_inputs(0, register_bits); }
  constexpr linear_layout of_lanes() const { return map.pick_inputs(register_bits, lane_bits); }
  constexpr linear_layout of_warps() const { return map.pick_inputs(register_bits + lane_bits, warp_bits); }

  /// Returns: where register `r` of a thread is.
  constexpr tile_element at(int r, int lane, int warp = 0) const {
    const auto input = static_cast<std::uint32_t>((warp << lane_bits | lane) << register_bits | r);
    const std::uint32_t out = map(input);
    return {static_cast<int>(out >> column_bits), static_cast<int>(out & bit_mask(0, column_bits))};
  }

  /// Rows and columns exchanged.
  constexpr thread_layout transposed() const {
    return {map.rotate_outputs(column_bits), register_bits, warp_bits, map.outputs - column_bits};
  }
  /// What is left of the tile when one number stands for each row (`of_rows`) or for each column. Registers that would repeat
  /// others are dropped; lanes and warps that do so stay, with bases of 0.
  constexpr thread_layout sliced(bool of_rows) const {
    const linear_layout left = of_rows ? map.pick_outputs(column_bits, row_bits()) : map.pick_outputs(0, column_bits);
    thread_layout out{{0, left.outputs}, 0, warp_bits, of_rows ? 0 : column_bits};
    for (int b = 0; b < left.inputs; ++b) {
      if (b < register_bits && left.bases[b] == 0) continue;
      out.register_bits += b < register_bits ? 1 : 0;
      out.map.add_input(left.bases[b]);
    }
    return out;
  }

  /// Returns: how many registers, from each multiple of it on, hold neighbours along a row: the widest vector.
  constexpr int run() const {
    int b = 0;
    while (b < register_bits && b < column_bits && map.bases[b] == std::uint32_t{1} << b) ++b;
    return 1 << b;
  }
};

/// Rows and columns as numbers of bits.
struct extent_bits {
  int rows = 0;
  int columns = 0;
};

/// A blocked layout of a tile: each thread holds `own`, the lanes stand as `lanes`, the warps as `warps`. Numbers count along
/// rows first. Requires: five bits in `lanes`.
constexpr thread_layout make_blocked_layout(extent_bits tile, extent_bits own, extent_bits lanes, extent_bits warps) {
  thread_layout out{{0, tile.rows + tile.columns}, 0, warps.rows + warps.columns, tile.columns};
  const auto add = [&](extent_bits count, extent_bits first) {
    const auto along = [&](int bits, int from, int end, int shift) {
      for (int b = from; b < from + bits; ++b) out.map.add_input(b < end ? std::uint32_t{1} << (b + shift) : 0);
    };
    along(count.columns, first.columns, tile.columns, 0);
    along(count.rows, first.rows, tile.rows, tile.columns);
  };
  const auto smaller = [](int a, int b) { return a < b ? a : b; };
  const extent_bits held{smaller(own.rows, tile.rows), smaller(own.columns, tile.columns)};
  const extent_bits of_warp{held.rows + lanes.rows, held.columns + lanes.columns};
  const extent_bits next{of_warp.rows + warps.rows, of_warp.columns + warps.columns};
  const auto rest = [](int all, int taken) { return all > taken ? all - taken : 0; };
  const extent_bits repeated{rest(tile.rows, next.rows), rest(tile.columns, next.columns)};
  add(held, {});
  add(repeated, next);
  out.register_bits = out.map.inputs;
  add(lanes, held);
  add(warps, of_warp);
  return out;
}

}  // namespace tg
