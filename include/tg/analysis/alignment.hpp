// Whether a vector access is aligned in every lane, and the widest one that a base permits.
#pragma once

#include <tg/analysis/request.hpp>

namespace tg::analysis {

/// Source: PTX ISA, "Vectors": ld and st move at most 16 bytes per lane.
inline constexpr int widest_access_bytes = 16;

/// Returns: whether every active lane's address is a multiple of `access_bytes`.
constexpr bool is_aligned(const request& r) {
  for (int l = 0; l < warp_lanes; ++l)
    if ((r.active >> l & 1) != 0 && r.address_bytes[l] % r.access_bytes != 0) return false;
  return true;
}

/// Returns: whether every active lane's address is proved to be a multiple of `access_bytes`.
/// Requires: access_bytes is a power of two.
constexpr bool is_aligned(const lane_value& index_elems, int elem_bytes, int access_bytes, std::int64_t base_align_bytes,
                          lane_mask active) {
  if (!index_elems.known) return false;
  // Whatever adds to the address shows in its low bits, and those of products do not depend on what overflows.
  auto bits = static_cast<std::uint64_t>(index_elems.divisor) | static_cast<std::uint64_t>(index_elems.xor_bits);
  const std::int64_t* const offset = index_elems.offset.data();
  for (int l = 0; l < warp_lanes; ++l)
    if ((active >> l & 1) != 0) bits |= static_cast<std::uint64_t>(offset[l]);
  for (int k = 0; k < index_elems.stride_count; ++k) {
    const std::int64_t* const coef = index_elems.strides[k].coef.data();
    const auto divisor = static_cast<std::uint64_t>(index_elems.strides[k].divisor);
    if (index_elems.strides[k].kind != lane_term::scaled) {
      bits |= static_cast<std::uint64_t>(granularity(index_elems.strides[k]));
      continue;
    }
    for (int l = 0; l < warp_lanes; ++l)
      if ((active >> l & 1) != 0) bits |= divisor * static_cast<std::uint64_t>(coef[l]);
  }
  const std::int64_t step = lowest_bit(static_cast<std::int64_t>(bits)) * elem_bytes;
  return step % access_bytes == 0 && base_align_bytes % access_bytes == 0;
}

/// Returns: the most elements one vector access may move where addresses are multiples of `align_bytes`; at least 1.
constexpr int widest_vector_elems(int elem_bytes, std::int64_t align_bytes) {
  int elems = 1;
  while (2 * elems * elem_bytes <= widest_access_bytes && align_bytes % (2 * elems * elem_bytes) == 0) elems *= 2;
  return elems;
}

}  // namespace tg::analysis
