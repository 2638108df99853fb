// What the lanes at the bounds of a clamp touch, beside what they would touch without it.
//
// Lanes beyond a bound move there together; each keeps what else its address adds up from:
//
//   lane     0  1  2  3  4  5       x(min(i / 3, n) * 3 + i % 3) with n = 0
//   i/3*3    0  0  0  3  3  3       becomes 0 everywhere
//   i%3      0  1  2  0  1  2       stays
//
// Where the bytes that they move to are all touched without the clamp too, a request with some lanes at a bound costs no
// more than one without; one with all lanes at a bound is counted on its own. Else the costs are added.
#pragma once

#include <tg/analysis/lane_terms.hpp>
#include <tg/analysis/span_tally.hpp>

namespace tg::analysis::detail {

/// A value with a clamped term, in bytes.
struct clamp_parts {
  lane_value rest;          ///< in elements, without the clamped term
  lanes rest_bytes{};       ///< what of an address no bound changes
  lanes limited_bytes{};    ///< what the bounds limit
  std::int64_t step_bytes;  ///< bounds are multiples of it; 0: they are 0

  /// Requires: `v` has a clamped term.
  constexpr clamp_parts(const lane_value& v, int elem_bytes) : rest{v} {
    const int k = clamped_term(v);
    const lane_stride& term = v.strides[k];
    step_bytes = divisor_of_product(term.divisor, elem_bytes);
    const std::int64_t* const coef = term.coef.data();
    const std::int64_t* const offset = v.offset.data();
    std::int64_t* const limited = limited_bytes.data();
    std::int64_t* const unlimited = rest_bytes.data();
    for (int l = 0; l < warp_lanes; ++l) {
      limited[l] = coef[l] * elem_bytes;
      unlimited[l] = offset[l] * elem_bytes;
    }
    remove_stride(rest, k);
  }

  /// Whether the clamp comes last: nothing that differs from lane to lane is added to what it limits.
  constexpr bool is_plain() const { return is_same(rest.offset); }
};

/// How many bounds are tried one by one before nothing is claimed.
inline constexpr int most_bounds_tried = 64;

/// Whether lanes that a bound moves touch only bytes of `own`, the `count` runs that all `active` lanes touch without the
/// clamp, for every bound that some of them are beyond and some are not.
constexpr bool is_covered(const clamp_parts& parts, const byte_run* own, int count, int access_bytes, lane_mask active) {
  std::int64_t least = INT64_MAX, most = INT64_MIN, rest_least = INT64_MAX, rest_most = INT64_MIN;
  const std::int64_t* const limited_bytes = parts.limited_bytes.data();
  const std::int64_t* const rest_bytes = parts.rest_bytes.data();
  for (int l = 0; l < warp_lanes; ++l) {
    if ((active >> l & 1) == 0) continue;
    const std::int64_t limited = limited_bytes[l], rest = rest_bytes[l];
    least = limited < least ? limited : least;
    most = limited > most ? limited : most;
    rest_least = rest < rest_least ? rest : rest_least;
    rest_most = rest > rest_most ? rest : rest_most;
  }
  if (least >= most) return true;
  const bool is_only_0 = parts.step_bytes == 0;
  const std::int64_t step = is_only_0 ? most - least : parts.step_bytes;
  const std::int64_t first = is_only_0 ? 0 : (floor_div(least, step) + 1) * step;
  const std::int64_t last = is_only_0 ? 0 : floor_div(most - 1, step) * step;
  if (first > last || first <= least || last >= most) return true;
  if (count == 1) return rest_least + first >= own->begin && rest_most + last + access_bytes <= own->end;
  if ((last - first) / step >= most_bounds_tried) return false;
  for (std::int64_t bound = first; bound <= last; bound += step)
    for (int l = 0; l < warp_lanes; ++l) {
      if ((active >> l & 1) == 0) continue;
      const std::int64_t begin = rest_bytes[l] + bound;
      int i = 0;
      while (i < count && !(own[i].begin <= begin && begin + access_bytes <= own[i].end)) ++i;
      if (i == count) return false;
      if (rest_least == rest_most) break;
    }
  return true;
}

/// The bytes of a request with a clamp: without a bound, and with all lanes at one; of each row of the former, how many lanes
/// it has and whether those at a bound touch nothing that the others do not.
struct clamp_runs {
  row_factors rows;
  byte_runs inside, at_bound;
  int lanes_of_row[warp_lanes]{};
  bool is_row_covered[warp_lanes]{};

  constexpr clamp_runs(const clamp_parts& parts, int access_bytes, lane_mask active)
      : rows{parts.rest.strides.data(), parts.rest.stride_count} {
    lanes first_byte = parts.rest_bytes;
    std::int64_t* const first = first_byte.data();
    const std::int64_t* const limited = parts.limited_bytes.data();
    for (int l = 0; l < warp_lanes; ++l) first[l] += limited[l];
    inside = collect_runs(first_byte, access_bytes, active, rows);
    at_bound = collect_runs(parts.rest_bytes, access_bytes, active, rows);
    const byte_run* const at = inside.at.data();
    for (int i = 0, row = 0; i < inside.count; ++row) {
      const int end = row_end(inside, i);
      lane_mask own = active;
      if (rows.count != 0)
        for (int l = 0; l < warp_lanes; ++l)
          if (rows.compare(l, at[i].lane) != 0) own &= ~(lane_mask{1} << l);
      lanes_of_row[row] = __builtin_popcount(own);
      is_row_covered[row] = is_covered(parts, at + i, end - i, access_bytes, own);
      i = end;
    }
  }
};

/// Aligned pieces of `unit` bytes that a request with a clamp touches at most.
struct edge_count {
  int most = 0;
  int most_packed = 0;  ///< without what only misalignment costs
};

/// Requires: unit is a power of two, at most 128; rest has no mask; base_divisor is that of the base that all rows share.
constexpr edge_count count_edges(const clamp_parts& parts, const clamp_runs& runs, int access_bytes, int unit,
                                 std::int64_t base_divisor, int elem_bytes, bool is_access_aligned) {
  const span_scale scale{parts.rest.strides.data(), parts.rest.stride_count, elem_bytes};
  const byte_runs& inside = runs.inside;
  const byte_runs& at_bound = runs.at_bound;
  const int step = alignment_step(base_divisor, unit);
  edge_count out;
  for (int i = 0, j = 0, row = 0; i < inside.count; ++row) {
    const int end = row_end(inside, i), end_at_bound = row_end(at_bound, j);
    const int lane = inside.at[i].lane;
    const int row_step = static_cast<int>(gcd(step, scale.step(lane, unit)));
    const span_count free = count_row(inside, i, end, unit, row_step);
    const span_count bound =
        count_row(at_bound, j, end_at_bound, unit, static_cast<int>(gcd(row_step, alignment_step(parts.step_bytes, unit))));
    const int alone = runs.lanes_of_row[row] * ((access_bytes + unit - 1) / unit + (is_access_aligned ? 0 : 1));
    const auto together = [&](int without, int at_one_bound) {
      if (runs.is_row_covered[row]) return without > at_one_bound ? without : at_one_bound;
      const int sum = without + 2 * at_one_bound;
      return sum < alone ? sum : alone;
    };
    out.most += together(free.most, bound.most);
    out.most_packed += together(free.most_packed, bound.most_packed);
    i = end;
    j = end_at_bound;
  }
  return out;
}

}  // namespace tg::analysis::detail
