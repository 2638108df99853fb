// Which element of a matrix each lane of a warp holds in which register, as data: a place is a sum of strides over the
// digits of the lane and of the element, so that one rule describes every operand of every mma.sync.
//
//   lines                 lane l stands in line l / 4 of a group of 8, at step l % 4 of 4; at each step it holds
//   0   0 1 2 3           `packed` neighbours, which fill a register. Further registers go 8 lines on until the lines
//   1   4 5 6 7           end, then 4 steps along. Lines are the rows of A and of accumulators, the columns of B.
//   ..
//   7   28 29 30 31
//
// The emulator has a second copy on purpose (emulator/matrix/fragment_layout.hpp), which judges this one.
//
// Source: PTX ISA 9.0, "Matrix Fragments for mma.m16n8k16" and its neighbours.
#pragma once

#include <tg/base/fixed_array.hpp>

namespace tg {

/// Digits of a number, and how far one of them moves.
struct fragment_digit {
  int extent = 1;
  int line = 0;
  int step = 0;
};

/// Where an element is: which line, and how far along it.
struct fragment_place {
  int line = 0;
  int step = 0;

  friend constexpr bool operator==(const fragment_place&, const fragment_place&) = default;
};

namespace detail {

template <class Digits> constexpr void add_digits(fragment_place& out, const Digits& digits, int number) {
  for (const fragment_digit& d : digits) {
    out.line += number % d.extent * d.line;
    out.step += number % d.extent * d.step;
    number /= d.extent;
  }
}

}  // namespace detail

/// The digits of the lane and of the element, lowest first. Elements count from the low bits of the first register on.
struct fragment_layout {
  fixed_array<fragment_digit, 2> lane;
  fixed_array<fragment_digit, 3> element;

  /// Returns: elements that each lane holds.
  constexpr int elements() const { return element[0].extent * element[1].extent * element[2].extent; }
  /// Returns: the place of an element of a lane.
  constexpr fragment_place at(int lane_number, int element_number) const {
    fragment_place out;
    detail::add_digits(out, lane, lane_number);
    detail::add_digits(out, element, element_number);
    return out;
  }
};

/// `lines` lines of `steps` elements, `packed` neighbours in a register (of accumulators: in two).
/// Requires: lines is a multiple of 8 and steps of 4 * packed.
constexpr fragment_layout make_fragment_layout(int lines, int steps, int packed) {
  return {{{{4, 0, packed}, {8, 1, 0}}}, {{{packed, 0, 1}, {lines / 8, 8, 0}, {steps / (4 * packed), 0, 4 * packed}}}};
}

}  // namespace tg
