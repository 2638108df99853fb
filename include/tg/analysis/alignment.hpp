#pragma once
// Whether a vector access is aligned in every lane, and the widest one that a base permits.
#include <tg/analysis/request.hpp>

namespace tg::analysis {

/// Source: PTX ISA, "Vectors": ld and st move at most 16 bytes per lane.
inline constexpr int widest_access_bytes = 16;

/// Returns: whether every active lane's address is proved to be a multiple of `access_bytes`, at the edge too.
constexpr bool is_aligned(const request& r) {
  for (int l = 0; l < warp_lanes; ++l)
    if ((r.active >> l & 1) != 0 && r.address_bytes[l] % r.access_bytes != 0) return false;
  return true;
}

/// Returns: whether every active lane's address is proved to be a multiple of `access_bytes`, at the edge too.
constexpr bool is_aligned(const lane_value& index_elems, int elem_bytes, int access_bytes, std::int64_t base_align_bytes,
                          lane_mask active) {
  if (!index_elems.known || base_divisor_bytes(index_elems, elem_bytes, base_align_bytes) % access_bytes != 0) return false;
  if (lowest_bit(index_elems.xor_bits) * elem_bytes % access_bytes != 0) return false;
  if (index_elems.clamped && index_elems.edge_divisor * elem_bytes % access_bytes != 0) return false;
  for (int l = 0; l < warp_lanes; ++l) {
    if ((active >> l & 1) == 0) continue;
    if (index_elems.offset[l] * elem_bytes % access_bytes != 0) return false;
    for (int k = 0; k < index_elems.stride_count; ++k) {
      const lane_stride& s = index_elems.strides[k];
      if (divisor_of_product(divisor_of_product(s.divisor, magnitude(s.coef[l])), elem_bytes) % access_bytes != 0) return false;
    }
  }
  return true;
}

/// Returns: the most elements one vector access may move where addresses are multiples of `align_bytes`; at least 1.
constexpr int widest_vector_elems(int elem_bytes, std::int64_t align_bytes) {
  int elems = 1;
  while (2 * elems * elem_bytes <= widest_access_bytes && align_bytes % (2 * elems * elem_bytes) == 0) elems *= 2;
  return elems;
}

}  // namespace tg::analysis
