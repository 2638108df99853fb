// Rewrites between the forms of one lane_value: what moves between base, strides and mask without changing its meaning.
#pragma once

#include <tg/analysis/lane_value.hpp>

namespace tg::analysis {

/// Adds an unknown multiple of `divisor` that all lanes share.
constexpr void add_base(lane_value& v, std::int64_t divisor, bool maybe_negative) {
  if (divisor == 0) return;
  v.divisor = gcd(v.divisor, divisor);
  v.maybe_negative = v.maybe_negative || maybe_negative;
}

/// Adds a term; one whose factor is the same in all lanes becomes part of the base. A fifth makes the value unknown.
/// Requires: a clamped term differs from lane to lane.
constexpr void add_stride(lane_value& v, std::int64_t divisor, const lanes& coef, bool maybe_negative,
                          lane_term kind = lane_term::scaled) {
  if (!v.known || (divisor == 0 && kind != lane_term::clamped)) return;
  if (is_same(coef) && kind != lane_term::clamped) {
    const bool is_scaled = kind == lane_term::scaled;
    add_base(v, is_scaled ? divisor_of_product(divisor, magnitude(coef[0])) : divisor,
             maybe_negative || (is_scaled && coef[0] < 0));
    return;
  }
  v.maybe_negative = v.maybe_negative || maybe_negative;
  for (int k = 0; k < v.stride_count; ++k)
    if (kind != lane_term::clamped && v.strides[k].kind == kind && v.strides[k].coef == coef) {
      v.strides[k].divisor = gcd(v.strides[k].divisor, divisor);
      return;
    }
  if (v.stride_count >= lane_value::max_strides) v = unknown();
  else v.strides[v.stride_count++] = {divisor, coef, kind};
}

/// Takes term `k` away.
constexpr void remove_stride(lane_value& v, int k) {
  --v.stride_count;
  for (; k < v.stride_count; ++k) v.strides[k] = v.strides[k + 1];
  v.strides[k] = {};
}

/// `v` where no lane is at a bound: a clamped term is part of the offset.
constexpr lane_value interior(lane_value v) {
  const int k = clamped_term(v);
  if (k < 0) return v;
  std::int64_t* const to = v.offset.data();
  const std::int64_t* const coef = v.strides[k].coef.data();
  for (int l = 0; l < warp_lanes; ++l) to[l] += coef[l];
  remove_stride(v, k);
  return v;
}

/// Makes term `k` one unknown number for each distinct factor.
constexpr void group(lane_value& v, int k) {
  lane_stride& s = v.strides[k];
  s.divisor = granularity(s);
  s.kind = lane_term::grouped;
}

/// Moves into the base what of the mask needs no xor: the bits that no lane's offset has.
constexpr void move_mask_to_base(lane_value& v) {
  if (v.xor_bits == 0) return;
  std::int64_t used = 0;
  for (const auto o : v.offset) used |= o;
  const std::int64_t free = v.xor_bits & ~used;
  if (free != v.xor_bits && is_same(v.offset)) {
    add_base(v, lowest_bit(used | v.xor_bits), used < 0 || v.xor_bits < 0);
    v.offset = {};
    v.xor_bits = 0;
    return;
  }
  add_base(v, lowest_bit(free), free < 0);
  v.xor_bits &= used;
}

/// Moves the base into the mask. Returns: whether there was a way; strides have none, and neither has a carry
/// out of the bits below the divisor that only some lanes make.
constexpr bool move_base_to_mask(lane_value& v) {
  if (v.stride_count != 0) return false;
  if (v.divisor == 0) return true;
  const std::int64_t low = lowest_bit(v.divisor) - 1;
  const std::int64_t high = v.offset[0] & ~low;
  for (const auto o : v.offset)
    if ((o & ~low) != high) return false;
  const bool negative = v.maybe_negative || high < 0 || v.xor_bits < 0;
  for (auto& o : v.offset) o &= low;
  v.xor_bits = (v.xor_bits & low) | (negative ? ~low : ~low & INT64_MAX);
  v.divisor = 0;
  v.maybe_negative = false;
  return true;
}

/// Returns: the largest power of two that divides the base and every stride; 0 when there are none.
/// Requires: no clamped term.
constexpr std::int64_t low_unit(const lane_value& v) {
  std::int64_t unit = v.divisor;
  for (int k = 0; k < v.stride_count; ++k) unit = gcd(unit, v.strides[k].divisor);
  return lowest_bit(unit);
}

}  // namespace tg::analysis
