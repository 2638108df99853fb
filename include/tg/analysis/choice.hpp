// Minimum, maximum, comparison and selection of lane values.
// Unsigned lanes that may have wrapped below 0 give unknown; a bound that all lanes share may have.
//
// min(index, bound) with a bound that all lanes share but nobody knows (a pixel coordinate kept inside the picture) has
// a clamped term. Where no lane is beyond the bound it is the index; the lanes beyond it share one number.
#pragma once

#include <tg/analysis/division.hpp>

namespace tg::analysis {

namespace detail {

/// Whether some lane's known value would be a huge number instead of a negative one.
constexpr bool wraps(const lane_value& v, bool is_signed) { return !is_signed && is_exact(v) && !is_non_negative(v); }

/// `index` kept at or below, or at or above, a number that all lanes share; one that is already clamped may be clamped
/// again. Unknown where something else than a clamped term differs from lane to lane.
constexpr lane_value clamped(const lane_value& index, const lane_value& bound, bool maybe_negative) {
  lane_value r = index;
  move_mask_to_base(r);
  const int before = clamped_term(r);
  if (r.xor_bits != 0 || (before >= 0 && !is_same(r.offset))) return unknown();
  // A bound of the clamped part is the bound less the base and the strides.
  std::int64_t step = gcd(gcd(granularity(bound), r.divisor), before < 0 ? 0 : gcd(r.strides[before].divisor, r.offset[0]));
  for (int k = 0; k < r.stride_count; ++k)
    if (k != before) step = gcd(step, granularity(r.strides[k]));
  if (before >= 0) r = interior(r);
  if (is_same(r.offset)) {
    // Whole rows collapse; where each lies is a number of its own.
    if (r.stride_count > 1) return unknown();
    step = gcd(granularity(r), granularity(bound));
    const lanes rows = r.strides[0].coef;
    r = lane_value{};
    add_stride(r, step, rows, maybe_negative, lane_term::grouped);
    return r;
  }
  const lanes limited = r.offset;
  r.offset = {};
  add_stride(r, step, limited, r.maybe_negative || maybe_negative, lane_term::clamped);
  return r;
}

template <class Pick>
constexpr lane_value limit(const lane_value& a, const lane_value& b, bool is_signed, bool maybe_negative, Pick pick) {
  if (!a.known || !b.known || wraps(a, is_signed) || wraps(b, is_signed)) return unknown();
  if (is_exact(a) && is_exact(b)) {
    lane_value r;
    const std::int64_t* const x = a.offset.data();
    const std::int64_t* const y = b.offset.data();
    std::int64_t* const to = r.offset.data();
    for (int l = 0; l < warp_lanes; ++l) to[l] = pick(x[l], y[l]);
    return r;
  }
  const bool is_uniform_a = is_uniform(a);
  const bool is_uniform_b = is_uniform(b);
  if (is_uniform_a && is_uniform_b) return uniform(gcd(granularity(a), granularity(b)), maybe_negative);
  if (!is_uniform_a && !is_uniform_b) return unknown();
  const lane_value& index = is_uniform_a ? b : a;
  if (!is_signed && !is_non_negative(index)) return unknown();
  return clamped(index, is_uniform_a ? a : b, maybe_negative);
}

}  // namespace detail

/// The smaller of a and b; clamped where one differs from lane to lane and the other is not known.
constexpr lane_value min(const lane_value& a, const lane_value& b, bool is_signed = true) {
  const bool a_below_0 = !is_non_negative(a);
  const bool b_below_0 = !is_non_negative(b);
  return detail::limit(a, b, is_signed, is_signed ? a_below_0 || b_below_0 : a_below_0 && b_below_0,
                       [](std::int64_t x, std::int64_t y) { return x < y ? x : y; });
}

/// The larger of a and b; clamped where one differs from lane to lane and the other is not known.
constexpr lane_value max(const lane_value& a, const lane_value& b, bool is_signed = true) {
  // max(i, 0) says nothing new of an index that cannot be negative.
  const auto is_zero = [](const lane_value& v) { return is_constant(v) && v.offset[0] == 0; };
  if (is_zero(b) && is_non_negative(a)) return a;
  if (is_zero(a) && is_non_negative(b)) return b;
  const bool a_below_0 = !is_non_negative(a);
  const bool b_below_0 = !is_non_negative(b);
  return detail::limit(a, b, is_signed, is_signed ? a_below_0 && b_below_0 : a_below_0 || b_below_0,
                       [](std::int64_t x, std::int64_t y) { return x < y ? y : x; });
}

/// 1 where a < b, else 0.
constexpr lane_value less(const lane_value& a, const lane_value& b, bool is_signed = true) {
  if (!a.known || !b.known || detail::wraps(a, is_signed) || detail::wraps(b, is_signed)) return unknown();
  if (!is_exact(a) || !is_exact(b)) return detail::uniform_or_unknown(a, b, false);
  lane_value r;
  for (int l = 0; l < warp_lanes; ++l) r.offset[l] = a.offset[l] < b.offset[l] ? 1 : 0;
  return r;
}

/// 1 where a == b, else 0.
constexpr lane_value equal(const lane_value& a, const lane_value& b) {
  if (!a.known || !b.known) return unknown();
  if (!is_exact(a) || !is_exact(b)) return detail::uniform_or_unknown(a, b, false);
  lane_value r;
  for (int l = 0; l < warp_lanes; ++l) r.offset[l] = a.offset[l] == b.offset[l] ? 1 : 0;
  return r;
}

/// `a` where `condition` is not 0, else `b`.
constexpr lane_value select(const lane_value& condition, const lane_value& a, const lane_value& b) {
  if (!a.known || !b.known) return unknown();
  if (is_exact(a) && a == b) return a;
  if (!condition.known) return unknown();
  if (is_constant(condition)) return condition.offset[0] != 0 ? a : b;
  if (is_exact(condition) && is_exact(a) && is_exact(b)) {
    lane_value r;
    for (int l = 0; l < warp_lanes; ++l) r.offset[l] = condition.offset[l] != 0 ? a.offset[l] : b.offset[l];
    return r;
  }
  if (!is_uniform(condition)) return unknown();
  if (a == b) return a;
  if (!is_uniform(sub(a, b)) || a.stride_count != 0 || a.xor_bits != 0 || b.xor_bits != 0) return unknown();
  // One choice for the warp: the lanes' pattern is that of both, the shift between them joins the base.
  lane_value r = b;
  r.divisor = 0;
  add_base(r, gcd(gcd(a.divisor, b.divisor), a.offset[0] - b.offset[0]), true);
  r.maybe_negative = a.maybe_negative || b.maybe_negative || a.offset[0] < b.offset[0];
  return r;
}

}  // namespace tg::analysis
