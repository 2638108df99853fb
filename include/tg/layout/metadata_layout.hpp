// Which chunk of a sparse matrix each lane of a warp describes in which bits, as data: a place is a sum of strides over
// the digits of the lane and of the number of its four bits.
//
//   A row is cut into chunks of which half is kept, and four bits say which half. Lane 4 * g + t describes eight
//   chunks, low bits first: of elements of 16 and 32 bits four of row g, then the same four of row g + 8, and t counts
//   further fours along; of narrower ones eight of row g + t % 2 * 8, and t / 2 counts further eights. Where a group of
//   four lanes has more registers than it needs, `first` is the lane that counts as t = 0.
//
// Source: PTX ISA 9.0, "Matrix fragments for multiply-accumulate operation with sparse matrix A", metadata.
#pragma once

#include <array>

#include <tg/layout/fragment_layout.hpp>

namespace tg {

/// The lanes of each group of four that describe a matrix of 16 rows, and the digits of their places; steps are chunks.
struct metadata_layout {
  int first = 0;
  int lanes = 4;
  std::array<fragment_digit, 3> lane;
  std::array<fragment_digit, 2> element;

  static constexpr int elements = 8;

  /// Whether a lane's register is looked at.
  constexpr bool is_held(int lane_number) const {
    const int t = lane_number % 4;
    return t >= first && t < first + lanes;
  }
  /// Returns: the chunk that bits 4 * `element_number` to 4 * `element_number` + 3 of a lane describe.
  /// Requires: the lane's register is looked at.
  constexpr fragment_place at(int lane_number, int element_number) const {
    fragment_place out;
    detail::add_digits(out, lane, lane_number - first);
    detail::add_digits(out, element, element_number);
    return out;
  }
};

/// `chunks` in a row of elements of `bits` bits; `selector` counts the groups of lanes that could hold as much.
/// Requires: 4, 8 or 16 chunks.
constexpr metadata_layout make_metadata_layout(int chunks, int bits, int selector) {
  const int lanes = chunks / 4;
  if (bits >= 16) return {selector * lanes, lanes, {{{4, 0, 4}, {8, 1, 0}, {}}}, {{{4, 0, 1}, {2, 8, 0}}}};
  return {selector * lanes, lanes, {{{2, 8, 0}, {2, 0, 8}, {8, 1, 0}}}, {{{8, 0, 1}, {}}}};
}

}  // namespace tg
