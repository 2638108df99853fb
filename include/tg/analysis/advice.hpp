// What would make a conflicting access to a shared tile free of conflicts: padded rows, or a swizzle.
#pragma once

#include <tg/analysis/shared.hpp>

namespace tg::analysis {

/// One warp's access to a tile of rows x cols elements, by the row and column of each lane.
struct tile_access {
  lanes row{};
  lanes col{};
  lane_mask active = all_lanes;
  int rows = 1;
  int cols = 1;
  int elem_bytes = 4;
  int access_bytes = 4;
};

/// B, M and S of `swizzle<B, M, S>`; bits is 0 when there is none.
struct swizzle_bits {
  int bits = 0;
  int base = 0;
  int shift = 0;

  constexpr std::int64_t apply(std::int64_t index) const {
    return index ^ ((index >> shift) & (((std::int64_t{1} << bits) - 1) << base));
  }

  friend constexpr bool operator==(const swizzle_bits&, const swizzle_bits&) = default;
};

namespace detail {

constexpr bool is_conflict_free(const tile_access& access, int pitch, swizzle_bits swizzle) {
  request r;
  r.active = access.active;
  r.access_bytes = access.access_bytes;
  for (int l = 0; l < warp_lanes; ++l)
    r.address_bytes[l] = swizzle.apply(access.row[l] * pitch + access.col[l]) * access.elem_bytes;
  return count_shared(r).good;
}

constexpr int log2_floor(std::int64_t a) {
  int bits = 0;
  while ((a >>= 1) > 0) ++bits;
  return bits;
}

}  // namespace detail

/// Returns: the smallest pitch in elements, at least `cols`, at which the access has no conflict and stays aligned; 0:
/// none.
constexpr int try_pitch(const tile_access& access) {
  const int step = access.access_bytes > access.elem_bytes ? access.access_bytes / access.elem_bytes : 1;
  const int first = (access.cols + step - 1) / step * step;
  for (int pitch = first; pitch <= first + banks * word_bytes / access.elem_bytes; pitch += step)
    if (detail::is_conflict_free(access, pitch, {})) return pitch;
  return 0;
}

/// Returns: the swizzle with the fewest bits at which the access has no conflict, vectors stay whole, and the tile
/// keeps its size; bits is 0 when there is none.
constexpr swizzle_bits try_swizzle(const tile_access& access) {
  if (!is_power_of_two(access.cols) || access.access_bytes % access.elem_bytes != 0) return {};
  const int base = detail::log2_floor(access.access_bytes / access.elem_bytes);
  const int row_bits = detail::log2_floor(access.cols) - base;
  const int total_bits = detail::log2_floor(lowest_bit(std::int64_t{access.rows} * access.cols));
  for (int bits = 1; bits <= 5; ++bits)
    for (int shift = bits > row_bits ? bits : row_bits; base + shift + bits <= total_bits; ++shift)
      if (detail::is_conflict_free(access, access.cols, {bits, base, shift})) return {bits, base, shift};
  return {};
}

}  // namespace tg::analysis
