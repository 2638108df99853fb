// And, or and exclusive or of lane values: masks, alignment tricks and swizzles. Unknown where a lane may be at the
// bound of a clamp: it would have other bits than its neighbours.
#pragma once

#include <tg/analysis/lane_terms.hpp>

namespace tg::analysis {

namespace detail {

enum class bit_operation { and_, or_, xor_ };

constexpr lanes apply(bit_operation op, const lanes& a, const lanes& b) {
  lanes r{};
  const std::int64_t* const x = a.data();
  const std::int64_t* const y = b.data();
  std::int64_t* const to = r.data();
  for (int l = 0; l < warp_lanes; ++l)
    to[l] = op == bit_operation::and_ ? x[l] & y[l] : op == bit_operation::or_ ? x[l] | y[l] : x[l] ^ y[l];
  return r;
}

/// Whether all lanes of `v` agree in `bits`.
constexpr bool is_same_in(const lanes& v, std::int64_t bits) {
  const std::int64_t* const at = v.data();
  std::int64_t differing = 0;
  for (int l = 1; l < warp_lanes; ++l) differing |= at[l] ^ at[0];
  return (differing & bits) == 0;
}

constexpr lanes masked(lanes v, std::int64_t bits) {
  for (auto& o : v) o &= bits;
  return v;
}

/// `a op b` where neither has a base or strides. Under a mask bit of one operand the other must be the same in
/// all lanes, or and/or would let the unknown through in some lanes only.
constexpr lane_value combine_masked(bit_operation op, const lane_value& a, const lane_value& b) {
  lane_value r;
  r.xor_bits = a.xor_bits | b.xor_bits;
  if (r.xor_bits != 0 && op != bit_operation::xor_) {
    if (!is_same_in(b.offset, a.xor_bits) || !is_same_in(a.offset, b.xor_bits)) return unknown();
    const std::int64_t one_a = a.offset[0] & ~a.xor_bits;
    const std::int64_t one_b = b.offset[0] & ~b.xor_bits;
    r.xor_bits = op == bit_operation::and_
                     ? (a.xor_bits & (b.offset[0] | b.xor_bits)) | (b.xor_bits & (a.offset[0] | a.xor_bits))
                     : (a.xor_bits & ~one_b) | (b.xor_bits & ~one_a);
  }
  r.offset = apply(op, a.offset, b.offset);
  return r;
}

/// `a op b` where `a` may have a base and strides and `b` has neither: they stay, or vanish, when all of the operation
/// happens in the bits below them.
constexpr lane_value combine_low(bit_operation op, const lane_value& a, const lane_value& b) {
  const std::int64_t unit = low_unit(a);
  if (unit == 0) return combine_masked(op, a, b);
  const std::int64_t low = unit - 1;
  const std::int64_t high_b = b.offset[0] & ~low;
  const bool vanishes = op == bit_operation::and_ && high_b == 0;
  const bool stays = op == bit_operation::and_ ? high_b == ~low : high_b == 0;
  if (!is_same_in(b.offset, ~low) || (b.xor_bits & ~low) != 0 || !(vanishes || stays)) return unknown();
  lane_value low_a;
  lane_value low_b;
  low_a.offset = masked(a.offset, low);
  low_b.offset = vanishes ? b.offset : masked(b.offset, low);
  low_a.xor_bits = a.xor_bits & low;
  low_b.xor_bits = b.xor_bits;
  lane_value r = combine_masked(op, low_a, low_b);
  if (vanishes || !r.known) return r;
  if ((a.xor_bits & ~low) != 0) return unknown();
  r.offset = apply(bit_operation::or_, r.offset, masked(a.offset, ~low));
  r.divisor = a.divisor;
  r.maybe_negative = a.maybe_negative;
  r.stride_count = a.stride_count;
  r.strides = a.strides;
  return r;
}

constexpr bool has_terms(const lane_value& v) { return v.divisor != 0 || v.stride_count != 0; }

constexpr lane_value combine(bit_operation op, const lane_value& a, const lane_value& b) {
  if (!a.known || !b.known || clamped_term(a) >= 0 || clamped_term(b) >= 0) return unknown();
  lane_value r = unknown();
  if (!has_terms(b)) r = combine_low(op, a, b);
  if (!r.known && !has_terms(a)) r = combine_low(op, b, a);
  if (!r.known) {
    lane_value x = a;
    lane_value y = b;
    if (!move_base_to_mask(x) || !move_base_to_mask(y)) return unknown();
    r = combine_masked(op, x, y);
    // A mask without an end says no more than a base would.
    if (r.xor_bits < 0 || r.xor_bits > magnitude_limit) move_mask_to_base(r);
  }
  return r;
}

}  // namespace detail

/// a & b.
constexpr lane_value bit_and(const lane_value& a, const lane_value& b) {
  return detail::combine(detail::bit_operation::and_, a, b);
}

/// a | b.
constexpr lane_value bit_or(const lane_value& a, const lane_value& b) {
  return detail::combine(detail::bit_operation::or_, a, b);
}

/// a ^ b.
/// Shapes: an unknown that all lanes share stays as a mask that permutes words, so swizzles remain countable.
constexpr lane_value bit_xor(const lane_value& a, const lane_value& b) {
  return detail::combine(detail::bit_operation::xor_, a, b);
}

}  // namespace tg::analysis
