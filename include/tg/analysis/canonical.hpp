// One value for all that cost the same, so that warps and unrolled copies that differ by a uniform shift count once.
// A canonical value is for counting only: it has forgotten where it is.
#pragma once

#include <tg/analysis/alignment.hpp>
#include <tg/analysis/global.hpp>
#include <tg/analysis/shared.hpp>

namespace tg::analysis {

namespace detail {

/// Moves `v` by whole pieces of `unit` so that lane 0 comes to lie in the first; returns the moved numbers.
constexpr void move_near_zero(lanes& v, std::int64_t unit) {
  const std::int64_t shift = floor_div(v[0], unit) * unit;
  for (auto& o : v) o -= shift;
}

/// How many elements it takes to fill whole pieces of `unit_bytes` when one is `elem_bytes`.
constexpr std::int64_t elems_per(std::int64_t unit_bytes, std::int64_t elem_bytes) {
  return unit_bytes / gcd(unit_bytes, elem_bytes);
}

/// `stride_bytes`: strides are alike whose divisors differ by what this has no part of.
constexpr lane_value canonical(lane_value v, int elem_bytes, std::int64_t unit_bytes, std::int64_t stride_bytes) {
  if (!v.known) return unknown();
  const std::int64_t unit_elems = elems_per(unit_bytes, elem_bytes);
  v.divisor = v.divisor % unit_elems == 0 ? 0 : gcd(v.divisor, unit_elems);
  v.maybe_negative = false;
  if (v.xor_bits == 0) move_near_zero(v.offset, unit_elems);
  for (int k = 0; k < v.stride_count; ++k) {
    lane_stride& s = v.strides[k];
    if (s.kind == lane_term::clamped) {
      // Moved by a multiple of what its bounds are multiples of.
      if (s.divisor != 0) move_near_zero(s.coef, unit_elems / gcd(unit_elems, s.divisor) * s.divisor);
      continue;
    }
    s.divisor = gcd(s.divisor, s.kind == lane_term::grouped ? unit_elems : elems_per(stride_bytes, elem_bytes));
    if (s.kind == lane_term::grouped) continue;
    move_near_zero(s.coef, elems_per(unit_elems, s.divisor));
  }
  return v;
}

}  // namespace detail

/// A uniform shift by this many elements changes nothing that `count_global` counts: whole 128-byte lines.
constexpr std::int64_t global_period(int elem_bytes) { return detail::elems_per(line_bytes, elem_bytes); }

/// A uniform shift by this many elements changes nothing that `count_shared` counts: whole words, or whole accesses where
/// those are wider.
constexpr std::int64_t shared_period(int elem_bytes, int access_bytes = widest_access_bytes) {
  return detail::elems_per(access_bytes > word_bytes ? access_bytes : word_bytes, elem_bytes);
}

/// `v` as far as `count_global` can tell: less a uniform shift by whole 128-byte lines.
constexpr lane_value canonical_for_global(const lane_value& v, int elem_bytes) {
  return detail::canonical(v, elem_bytes, line_bytes, line_bytes);
}

/// `v` as far as `count_shared` can tell: less a uniform shift by whole words, or whole accesses where those are wider,
/// so that what is not aligned stays apart from what is.
constexpr lane_value canonical_for_shared(const lane_value& v, int elem_bytes, int access_bytes = widest_access_bytes) {
  return detail::canonical(v, elem_bytes, access_bytes > word_bytes ? access_bytes : word_bytes, banks * word_bytes);
}

}  // namespace tg::analysis
