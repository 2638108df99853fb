// One memory instruction of one warp: where each lane reads or writes, and how many bytes.
#pragma once

#include <tg/analysis/byte_runs.hpp>
#include <tg/analysis/lane_terms.hpp>

namespace tg::analysis {

/// Exact addresses of one warp request. Inactive lanes make no traffic.
struct request {
  lanes address_bytes{};
  lane_mask active = all_lanes;
  int access_bytes = 4;
};

/// Returns: each lane's known offset in bytes.
constexpr lanes offset_bytes(const lane_value& index_elems, int elem_bytes) {
  lanes r{};
  const std::int64_t* const from = index_elems.offset.data();
  std::int64_t* const to = r.data();
  for (int l = 0; l < warp_lanes; ++l) to[l] = from[l] * elem_bytes;
  return r;
}

/// Returns: the divisor known of a base of `base_align_bytes` plus the index's own base; 0: it is 0.
constexpr std::int64_t base_divisor_bytes(const lane_value& index_elems, int elem_bytes, std::int64_t base_align_bytes) {
  return gcd(base_align_bytes, divisor_of_product(index_elems.divisor, elem_bytes));
}

/// Returns: distinct bytes the request uses.
constexpr int touched_bytes(const request& r) {
  return collect_runs(r.address_bytes, r.access_bytes, r.active).touched_bytes();
}

/// Returns: distinct bytes the request uses, rows of unknown stride counted apart and no lane at a bound; 0 when the
/// index depends on data.
constexpr int touched_bytes(const lane_value& index_elems, int elem_bytes, int access_bytes, lane_mask active) {
  if (!index_elems.known) return 0;
  if (clamped_term(index_elems) >= 0) return touched_bytes(interior(index_elems), elem_bytes, access_bytes, active);
  return collect_runs(offset_bytes(index_elems, elem_bytes), access_bytes, active,
                      {index_elems.strides.data(), index_elems.stride_count})
      .touched_bytes();
}

}  // namespace tg::analysis
