// What one warp request costs in global memory.
//
//   sectors   32-byte pieces moved between L2 and the SM
//   lines     128-byte pieces looked up in L1
//   slack     sectors that only misalignment costs: a run of bytes may reach into one more sector than it fills
//
// A request is good when, slack aside, it moves no more sectors than its distinct bytes fill.
// Source: CUDA C++ Best Practices Guide, "Coalesced Access to Global Memory"; Nsight Compute, "Memory Tables".
#pragma once

#include <tg/analysis/alignment.hpp>
#include <tg/analysis/clamp_edge.hpp>

namespace tg::analysis {

/// Source: CUDA C++ Best Practices Guide, "Coalesced Access to Global Memory".
inline constexpr int sector_bytes = 32;
/// Source: Nsight Compute, "Memory Tables": L1 tags cover 128 bytes.
inline constexpr int line_bytes = 128;

/// What one request costs in global memory.
struct global_cost {
  int sectors = 0;        ///< at the worst base and the worst bounds of a clamp that are permitted
  int sectors_best = 0;   ///< at the best base, no lane at a bound
  int lines = 0;          ///< at the worst base and the worst bounds
  int ideal_sectors = 0;  ///< what the distinct bytes would fill, no lane at a bound
  int slack_sectors = 0;  ///< how many of `sectors` only misalignment costs
  int touched_bytes = 0;  ///< distinct bytes the lanes use
  bool good = false;      ///< for every permitted base
  bool fillable = false;  ///< not good, and it would be if all gaps of less than a sector between its bytes were used too
  bool exact = false;     ///< the count is the same for every permitted base, and no lane is clamped
  bool clamped = false;   ///< lanes may be at a bound, where they may cost less than `sectors_best`
  bool known = true;      ///< false: depends on data, the counts mean nothing

  friend constexpr bool operator==(const global_cost&, const global_cost&) = default;
};

/// The cost of the addresses as they are.
constexpr global_cost count_global(const request& r) {
  const byte_runs runs = collect_runs(r.address_bytes, r.access_bytes, r.active);
  const detail::span_count sectors = detail::count_spans(runs, sector_bytes, 0, {});
  global_cost cost;
  cost.sectors = cost.sectors_best = sectors.most;
  cost.slack_sectors = sectors.slack;
  cost.lines = detail::count_spans(runs, line_bytes, 0, {}).most;
  cost.touched_bytes = runs.touched_bytes();
  cost.ideal_sectors = (cost.touched_bytes + sector_bytes - 1) / sector_bytes;
  cost.good = sectors.most_packed <= cost.ideal_sectors;
  cost.exact = true;
  return cost;
}

namespace detail {

constexpr global_cost count_clamped_global(const lane_value& index_elems, int elem_bytes, int access_bytes,
                                           std::int64_t base_align_bytes, lane_mask active, int falls);

/// The runs with all gaps closed that are shorter than `unit`: no piece of that size lies within one.
constexpr byte_runs close_gaps(byte_runs runs, int unit) {
  byte_run* const at = runs.at.data();
  int last = 0;
  for (int i = 1; i < runs.count; ++i) {
    if (at[i].row == at[last].row && at[i].begin - at[last].end < unit) at[last].end = at[i].end;
    else at[++last] = at[i];
  }
  if (runs.count != 0) runs.count = last + 1;
  return runs;
}

}  // namespace detail

/// The cost of element `index_elems` of an array whose start is a multiple of `base_align_bytes`, worst case over every
/// base and all bounds of a clamp that are permitted. Each lane touches `access_bytes` from its element on.
/// Shapes: lanes whose factors of the unknown strides differ never share a sector. Each of `falls`, the places where a
/// division breaks a run in two (division_cases.hpp), may cost a sector more.
constexpr global_cost count_global(const lane_value& index_elems, int elem_bytes, int access_bytes,
                                   std::int64_t base_align_bytes, lane_mask active, int falls = 0) {
  if (index_elems.known && clamped_term(index_elems) >= 0)
    return detail::count_clamped_global(index_elems, elem_bytes, access_bytes, base_align_bytes, active, falls);
  global_cost cost;
  const std::int64_t base = base_divisor_bytes(index_elems, elem_bytes, base_align_bytes);
  cost.known = index_elems.known;
  if (index_elems.xor_bits != 0) {
    // A mask renames whole sectors and nothing else only when bases are whole sectors and no access straddles two.
    std::int64_t unit = base;
    for (int k = 0; k < index_elems.stride_count; ++k)
      unit = gcd(unit, divisor_of_product(index_elems.strides[k].divisor, elem_bytes));
    std::int64_t step = lowest_bit(index_elems.xor_bits);
    for (const auto o : index_elems.offset) step = gcd(step, o);
    cost.known = cost.known && unit % line_bytes == 0 && is_power_of_two(elem_bytes) && step * elem_bytes % access_bytes == 0;
    if (index_elems.known && !cost.known) {
      // Bits that no lane's number has are added to the base.
      lane_value moved = index_elems;
      move_mask_to_base(moved);
      if (moved.xor_bits == 0) return count_global(moved, elem_bytes, access_bytes, base_align_bytes, active, falls);
    }
  }
  if (!cost.known) return cost;

  const row_factors rows{index_elems.strides.data(), index_elems.stride_count};
  const byte_runs runs = collect_runs(offset_bytes(index_elems, elem_bytes), access_bytes, active, rows);
  const detail::span_scale scale{index_elems.strides.data(), index_elems.stride_count, elem_bytes};
  const detail::span_count sectors = detail::count_spans(runs, sector_bytes, base, scale);
  cost.sectors = sectors.most;
  cost.sectors_best = sectors.least;
  cost.slack_sectors = sectors.slack;
  cost.touched_bytes = runs.touched_bytes();
  cost.ideal_sectors = (cost.touched_bytes + sector_bytes - 1) / sector_bytes;
  cost.good = sectors.most_packed <= cost.ideal_sectors + falls;
  const byte_runs filled = detail::close_gaps(runs, sector_bytes);
  if (!cost.good && filled.count != runs.count)
    cost.fillable = detail::count_spans(filled, sector_bytes, base, scale).most_packed <=
                    (filled.touched_bytes() + sector_bytes - 1) / sector_bytes;
  cost.lines = detail::count_spans(detail::close_gaps(filled, line_bytes), line_bytes, base, scale).most;
  cost.exact = cost.sectors == cost.sectors_best;
  return cost;
}

namespace detail {

// A clamp that comes last keeps the order of the lanes: those beyond a bound leave at least as many sectors as the bound
// takes, which lies between them and the others, unless its own access straddles two.
constexpr global_cost count_clamped_global(const lane_value& index_elems, int elem_bytes, int access_bytes,
                                           std::int64_t base_align_bytes, lane_mask active, int falls) {
  global_cost cost = analysis::count_global(interior(index_elems), elem_bytes, access_bytes, base_align_bytes, active, falls);
  const clamp_parts parts(index_elems, elem_bytes);
  cost.exact = false;
  cost.clamped = true;
  cost.known = cost.known && parts.rest.xor_bits == 0;
  const bool is_access_aligned = is_aligned(index_elems, elem_bytes, access_bytes, base_align_bytes, active);
  if (!cost.known || (parts.is_plain() && is_access_aligned)) return cost;
  const std::int64_t base = base_divisor_bytes(index_elems, elem_bytes, base_align_bytes);
  const clamp_runs runs(parts, access_bytes, active);
  const auto count = [&](int unit) {
    return count_edges(parts, runs, access_bytes, unit, base, elem_bytes, is_access_aligned);
  };
  const edge_count sectors = count(sector_bytes);
  if (sectors.most > cost.sectors) {
    cost.slack_sectors = sectors.most - sectors.most_packed;
    cost.sectors = sectors.most;
  }
  const int lines = count(line_bytes).most;
  if (lines > cost.lines) cost.lines = lines;
  cost.good = cost.good && sectors.most_packed <= cost.ideal_sectors + falls;
  return cost;
}

}  // namespace detail
}  // namespace tg::analysis
