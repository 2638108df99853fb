// Minimum, maximum, comparison and selection of lane values.
// Unsigned operands that may have wrapped below 0 give unknown.
//
// An index limited by a bound that all lanes share but nobody knows (a pixel coordinate kept inside the picture) is
// taken unlimited and marked `clamped`: in an interior warp no lane changes, at the edge lanes collapse on one address.
#pragma once

#include <tg/analysis/division.hpp>

namespace tg::analysis {

namespace detail {

/// Whether some lane's known value would be a huge number instead of a negative one.
constexpr bool wraps(const lane_value& v, bool is_signed) { return !is_signed && is_exact(v) && !is_non_negative(v); }

template <class Pick>
constexpr lane_value limit(const lane_value& a, const lane_value& b, bool is_signed, bool maybe_negative, Pick pick) {
  lane_value r = unknown();
  if (!a.known || !b.known || wraps(a, is_signed) || wraps(b, is_signed)) return r;
  if (is_exact(a) && is_exact(b)) {
    r = lane_value{};
    for (int l = 0; l < warp_lanes; ++l) r.offset[l] = pick(a.offset[l], b.offset[l]);
    return r;
  }
  const bool uniform_a = is_uniform(a);
  const bool uniform_b = is_uniform(b);
  if (uniform_a && uniform_b) {
    r = uniform(gcd(granularity(a), granularity(b)), maybe_negative);
  } else if (uniform_a || uniform_b) {
    const lane_value& index = uniform_a ? b : a;
    const lane_value& bound = uniform_a ? a : b;
    r = index;
    r.clamped = true;
    r.edge_divisor = gcd(index.clamped ? index.edge_divisor : 0, granularity(bound));
  }
  return r;
}

}  // namespace detail

/// The smaller of a and b, clamped where only one varies over the lanes and not both are known.
constexpr lane_value min(const lane_value& a, const lane_value& b, bool is_signed = true) {
  return detail::limit(a, b, is_signed, is_signed && !(is_non_negative(a) && is_non_negative(b)),
                       [](std::int64_t x, std::int64_t y) { return x < y ? x : y; });
}

/// The larger of a and b, clamped where only one varies over the lanes and not both are known.
constexpr lane_value max(const lane_value& a, const lane_value& b, bool is_signed = true) {
  // max(i, 0) says nothing new of an index that cannot be negative.
  const auto is_zero = [](const lane_value& v) { return is_constant(v) && v.offset[0] == 0; };
  if (is_zero(b) && is_non_negative(a)) return a;
  if (is_zero(a) && is_non_negative(b)) return b;
  return detail::limit(a, b, is_signed, is_signed && !(is_non_negative(a) || is_non_negative(b)),
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
  inherit_clamp(r, a, b, gcd(granularity(a), granularity(b)));
  return r;
}

}  // namespace tg::analysis
