// The part of each element of an array of structs that one instruction reads or writes.
#pragma once

#include <tg/analysis/arithmetic.hpp>

namespace tg::analysis {

/// Bytes of a struct: where they begin in it, and how many.
struct struct_piece {
  int offset_bytes = 0;
  int bytes = 0;

  friend constexpr bool operator==(const struct_piece&, const struct_piece&) = default;
};

/// The number of a piece among pieces of its own size, where structs of `elem_bytes` lie side by side.
/// Requires: the size of the piece divides the offset and `elem_bytes`.
constexpr lane_value piece_index(const lane_value& index_elems, int elem_bytes, struct_piece p) {
  return add(mul(index_elems, constant(elem_bytes / p.bytes)), constant(p.offset_bytes / p.bytes));
}

/// The first byte of a part of any size, counted from the first struct.
constexpr lane_value piece_byte(const lane_value& index_elems, int elem_bytes, struct_piece p) {
  return add(mul(index_elems, constant(elem_bytes)), constant(p.offset_bytes));
}

}  // namespace tg::analysis
