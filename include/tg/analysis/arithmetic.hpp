// Sums, products and left shifts of lane values.
#pragma once

#include <tg/analysis/lane_terms.hpp>

namespace tg::analysis {

namespace detail {

constexpr int count_distinct(const lanes& v) {
  int out = 0;
  for (int l = 0; l < warp_lanes; ++l) {
    int first = 0;
    while (v[first] != v[l]) ++first;
    out += first == l ? 1 : 0;
  }
  return out;
}

/// Requires: at most one of `a`, `b` has a mask where the offsets would carry into it.
constexpr lane_value sum(const lane_value& a, const lane_value& b) {
  lane_value r = a;
  add_base(r, b.divisor, b.maybe_negative);
  for (int k = 0; k < b.stride_count; ++k) {
    const lane_stride& s = b.strides[k];
    const int first = clamped_term(r);
    add_stride(r, s.divisor, s.coef, b.maybe_negative, s.kind);
    // The bounds of two clamps move apart: only one term can keep its shape, the one with more distinct values.
    if (r.known && first >= 0 && s.kind == lane_term::clamped)
      group(r, count_distinct(r.strides[first].coef) < count_distinct(s.coef) ? first : r.stride_count - 1);
  }
  if (!r.known) return r;
  r.xor_bits |= b.xor_bits;
  std::int64_t* const to = r.offset.data();
  const std::int64_t* const from = b.offset.data();
  for (int l = 0; l < warp_lanes; ++l) {
    to[l] += from[l];
    if (to[l] > magnitude_limit || to[l] < -magnitude_limit) return unknown();
  }
  return r;
}

/// Whether no bit can be set in both, in any lane, so that adding them cannot carry.
constexpr bool are_disjoint(const lane_value& a, const lane_value& b) {
  for (int l = 0; l < warp_lanes; ++l) {
    const std::int64_t x = a.offset[l] | a.xor_bits;
    const std::int64_t y = b.offset[l] | b.xor_bits;
    if (x < 0 || y < 0 || (x & y) != 0) return false;
  }
  return true;
}

}  // namespace detail

/// a + b. Shapes: a mask stays when the other value cannot carry into it.
constexpr lane_value add(const lane_value& a, const lane_value& b) {
  if (!a.known || !b.known) return unknown();
  if ((a.xor_bits == 0 && b.xor_bits == 0) || detail::are_disjoint(a, b)) return detail::sum(a, b);
  lane_value x = a;
  lane_value y = b;
  move_mask_to_base(x);
  move_mask_to_base(y);
  lane_value& plain = x.xor_bits == 0 ? x : y;
  if (x.xor_bits != 0 || y.xor_bits != 0) {
    if (plain.xor_bits != 0 || !is_same(plain.offset)) return unknown();
    add_base(plain, magnitude(plain.offset[0]), plain.offset[0] < 0);
    plain.offset = {};
  }
  return detail::sum(x, y);
}

namespace detail {

/// r = a * b, lane by lane. Returns: whether all stayed within the limit.
constexpr bool multiply_lanes(const lanes& a, const lanes& b, lanes& r) {
  const std::int64_t* const x = a.data();
  const std::int64_t* const y = b.data();
  std::int64_t* const to = r.data();
  for (int l = 0; l < warp_lanes; ++l)
    if (!multiply(x[l], y[l], to[l])) return false;
  return true;
}

/// Whether a clamped term may be negative where no bound is.
constexpr bool is_any_below_0(const lane_stride& s) {
  for (const auto c : s.coef)
    if (c < 0) return true;
  return false;
}

/// Whether a term of `v` is no product.
constexpr bool has_clamp(const lane_value& v) {
  for (int k = 0; k < v.stride_count; ++k)
    if (v.strides[k].kind != lane_term::scaled) return true;
  return false;
}

/// Requires: no masks; where one has a clamped or grouped term, the other is uniform.
constexpr lane_value product(const lane_value& a, const lane_value& b) {
  lane_value r;
  if (!multiply_lanes(a.offset, b.offset, r.offset)) return unknown();
  const bool negative = a.maybe_negative || b.maybe_negative;
  add_base(r, divisor_of_product(a.divisor, b.divisor), negative);
  add_stride(r, a.divisor, b.offset, a.maybe_negative);
  add_stride(r, b.divisor, a.offset, b.maybe_negative);
  const auto add_term = [&](std::int64_t divisor, const lanes& coef, const lanes& by) {
    lanes both{};
    if (!multiply_lanes(coef, by, both)) return false;
    add_stride(r, divisor, both, negative);
    return true;
  };
  const auto add_terms = [&](const lane_stride& s, const lane_value& by) {
    if (s.kind != lane_term::scaled) {
      const bool is_below_0 = negative || !is_non_negative(by) || is_any_below_0(s);
      add_stride(r, divisor_of_product(granularity(s), granularity(by)), s.coef, is_below_0, lane_term::grouped);
      return true;
    }
    add_stride(r, divisor_of_product(s.divisor, by.divisor), s.coef, negative);
    return add_term(s.divisor, s.coef, by.offset);
  };
  for (int k = 0; k < a.stride_count; ++k)
    if (!add_terms(a.strides[k], b)) return unknown();
  for (int k = 0; k < b.stride_count; ++k)
    if (!add_terms(b.strides[k], a)) return unknown();
  for (int i = 0; i < a.stride_count; ++i)
    for (int j = 0; j < b.stride_count; ++j) {
      const std::int64_t divisor = divisor_of_product(a.strides[i].divisor, b.strides[j].divisor);
      if (!add_term(divisor, a.strides[i].coef, b.strides[j].coef)) return unknown();
    }
  return r;
}

/// Multiplies every lane. Returns: whether all stayed within the limit.
constexpr bool scale(lanes& v, std::int64_t by) {
  std::int64_t* const at = v.data();
  for (int l = 0; l < warp_lanes; ++l)
    if (!multiply(at[l], by, at[l])) return false;
  return true;
}

/// a * by for a known number; a mask survives a power of two.
constexpr lane_value scaled(lane_value a, std::int64_t by) {
  if (by == 0) return constant(0);
  if (a.xor_bits != 0 && !(is_power_of_two(by) && multiply(a.xor_bits, by, a.xor_bits))) {
    move_mask_to_base(a);
    if (a.xor_bits != 0) return unknown();
  }
  a.maybe_negative = a.maybe_negative || (by < 0 && (a.divisor != 0 || a.stride_count != 0));
  a.divisor = divisor_of_product(a.divisor, magnitude(by));
  bool fits = scale(a.offset, by);
  for (int k = 0; k < a.stride_count; ++k) {
    lane_stride& s = a.strides[k];
    if (s.kind != lane_term::scaled) s.divisor = divisor_of_product(s.divisor, magnitude(by));
    if (s.kind != lane_term::grouped) fits = fits && scale(s.coef, by);
  }
  return fits ? a : unknown();
}

}  // namespace detail

/// a * b.
/// Shapes: a value that varies over the lanes times one that is unknown makes a stride of its own. What a clamp took
/// part in is multiplied by uniform values only.
constexpr lane_value mul(const lane_value& a, const lane_value& b) {
  if (!a.known || !b.known) return unknown();
  if (is_constant(b)) return detail::scaled(a, b.offset[0]);
  if (is_constant(a)) return detail::scaled(b, a.offset[0]);
  if ((detail::has_clamp(a) && !is_uniform(b)) || (detail::has_clamp(b) && !is_uniform(a))) return unknown();
  if (a.xor_bits == 0 && b.xor_bits == 0) return detail::product(a, b);
  lane_value x = a;
  lane_value y = b;
  move_mask_to_base(x);
  move_mask_to_base(y);
  if (x.xor_bits != 0 || y.xor_bits != 0) return unknown();
  return detail::product(x, y);
}

/// a - b.
constexpr lane_value sub(const lane_value& a, const lane_value& b) { return add(a, mul(b, constant(-1))); }

/// a * 2^by. Shapes: shifting by an amount that varies over the lanes is known only where the amount is.
constexpr lane_value shl(const lane_value& a, const lane_value& by) {
  if (is_exact(by)) {
    lanes factor{};
    for (int l = 0; l < warp_lanes; ++l) {
      if (by.offset[l] < 0 || by.offset[l] > 47) return unknown();
      factor[l] = std::int64_t{1} << by.offset[l];
    }
    return mul(a, exact(factor));
  }
  return is_uniform(by) ? mul(a, uniform()) : unknown();
}

/// Whether an integer type of `bits` bits holds every lane's own part as it is; a base is taken to fit.
constexpr bool fits(const lane_value& v, int bits, bool is_signed) {
  const std::int64_t highest = (std::int64_t{1} << (is_signed ? bits - 1 : bits)) - 1;
  const std::int64_t lowest = -(std::int64_t{1} << (bits - 1));
  if (clamped_term(v) >= 0) return fits(interior(v), bits, is_signed);
  bool out = true;
  for (const auto o : v.offset) out = out && o >= lowest && o <= highest;
  return out;
}

/// `v` as an integer type of `bits` bits holds it; unknown when a lane would wrap around and the base is unknown.
/// Shapes: a lane that is negative but would be wanted as unsigned stays negative; it is the same address.
constexpr lane_value narrow(const lane_value& v, int bits, bool is_signed) {
  if (!v.known || bits >= 64 || fits(v, bits, is_signed)) return v;
  const std::int64_t highest = (std::int64_t{1} << (is_signed ? bits - 1 : bits)) - 1;
  if (!is_exact(v)) return unknown();
  lane_value r = v;
  for (auto& o : r.offset) {
    o &= (std::int64_t{1} << bits) - 1;
    if (o > highest) o -= std::int64_t{1} << bits;
  }
  return r;
}

}  // namespace tg::analysis
