// Quotients, remainders and right shifts of lane values.
#pragma once

#include <tg/analysis/arithmetic.hpp>
#include <tg/analysis/bitwise.hpp>

namespace tg::analysis {

namespace detail {

/// floor(a / c) of each lane.
constexpr void divide_lanes(const lanes& a, std::int64_t c, lanes& r) {
  const std::int64_t* const from = a.data();
  std::int64_t* const to = r.data();
  for (int l = 0; l < warp_lanes; ++l) to[l] = floor_div(from[l], c);
}

/// floor(a / c) for a known c > 0. Requires: no clamped term.
constexpr lane_value floor_quotient(const lane_value& a, std::int64_t c) {
  lane_value x = a;
  if (x.xor_bits != 0 && !is_power_of_two(c)) move_mask_to_base(x);
  if (x.xor_bits != 0 && !is_power_of_two(c)) return unknown();
  // With g = gcd(base, c): floor((g*u + o) / c) = floor((u + floor(o / g)) / (c / g)).
  const std::int64_t g = gcd(x.divisor, c);
  lane_value r;
  if (g != c) {
    if (x.stride_count != 0) return unknown();
    divide_lanes(x.offset, g, r.offset);
    return is_same(r.offset) ? uniform(1, !is_non_negative(a)) : unknown();
  }
  add_base(r, x.divisor / c, x.maybe_negative);
  for (int k = 0; k < x.stride_count; ++k) {
    const lane_stride& s = x.strides[k];
    const std::int64_t rest = c / gcd(s.divisor, c);
    if (s.kind == lane_term::grouped) {
      if (rest != 1) return unknown();
      add_stride(r, s.divisor / c, s.coef, x.maybe_negative, s.kind);
      continue;
    }
    lanes coef{};
    const std::int64_t* const from = s.coef.data();
    std::int64_t* const to = coef.data();
    for (int l = 0; l < warp_lanes; ++l) {
      if (from[l] % rest != 0) return unknown();
      to[l] = from[l] / rest;
    }
    add_stride(r, s.divisor / (c / rest), coef, x.maybe_negative);
  }
  if (!r.known) return r;
  divide_lanes(x.offset, c, r.offset);
  r.xor_bits = x.xor_bits == 0 ? 0 : floor_div(x.xor_bits, c);
  return r;
}

/// a mod c for a known c > 0 and an `a` that is not negative. Requires: no clamped term.
constexpr lane_value remainder(const lane_value& a, std::int64_t c) {
  lane_value x = a;
  move_mask_to_base(x);
  if (x.xor_bits != 0) return unknown();
  for (int k = 0; k < x.stride_count; ++k)
    if (granularity(x.strides[k]) % c != 0) return unknown();
  // With g = gcd(base, c) and o = g*q + p: (g*u + o) mod c = g*((u + q) mod (c / g)) + p.
  const std::int64_t g = gcd(x.divisor, c);
  const std::int64_t q = floor_div(x.offset[0], g);
  lane_value r;
  const std::int64_t* const from = x.offset.data();
  std::int64_t* const to = r.offset.data();
  for (int l = 0; l < warp_lanes; ++l) {
    if (g != c && floor_div(from[l], g) != q) return unknown();
    to[l] = floor_mod(from[l], g);
  }
  if (g != c) add_base(r, g, false);
  return r;
}

/// `divide(a)` for a rounded division that never falls where `a` grows: it may be done in front of a clamp, because
/// then a bound becomes a bound. Unknown where something else than the clamped term differs from lane to lane.
template <class Divide> constexpr lane_value in_front_of_clamp(const lane_value& a, Divide divide) {
  const int k = clamped_term(a);
  if (k < 0) return divide(a);
  if (!is_same(a.offset) || a.xor_bits != 0) return unknown();
  lane_value r = divide(interior(a));
  if (!r.known || r.xor_bits != 0) return unknown();
  if (is_uniform(r) && a.stride_count == 1) return uniform(1, !is_non_negative(a));
  if (is_same(r.offset)) return unknown();
  const lanes limited = r.offset;
  r.offset = {};
  add_stride(r, 1, limited, a.maybe_negative, lane_term::clamped);
  return r;
}

/// What is left to say of an operation on `a` and `b` whose result has no form of its own.
constexpr lane_value uniform_or_unknown(const lane_value& a, const lane_value& b, bool maybe_negative) {
  return is_uniform(a) && is_uniform(b) ? uniform(1, maybe_negative) : unknown();
}

/// Lane by lane in C++'s arithmetic; unknown where a divisor is 0, or negative values would have wrapped.
template <class Operation>
constexpr lane_value exact_division(const lane_value& a, const lane_value& b, bool is_signed, Operation operation) {
  lane_value r;
  const std::int64_t* const x = a.offset.data();
  const std::int64_t* const y = b.offset.data();
  std::int64_t* const to = r.offset.data();
  for (int l = 0; l < warp_lanes; ++l) {
    if (y[l] == 0 || (!is_signed && (x[l] < 0 || y[l] < 0))) return unknown();
    to[l] = operation(x[l], y[l]);
  }
  return r;
}

/// The one positive divisor that all lanes share, or 0.
constexpr std::int64_t shared_divisor(const lane_value& b) { return is_constant(b) && b.offset[0] > 0 ? b.offset[0] : 0; }

}  // namespace detail

/// a / b, rounded towards zero when signed.
constexpr lane_value div(const lane_value& a, const lane_value& b, bool is_signed) {
  if (!a.known || !b.known) return unknown();
  lane_value r = unknown();
  if (is_exact(a) && is_exact(b)) {
    r = detail::exact_division(a, b, is_signed, [](std::int64_t x, std::int64_t y) { return x / y; });
  } else {
    const std::int64_t c = detail::shared_divisor(b);
    // Where every lane is a multiple of c nothing is rounded, whatever the sign.
    if (c > 0 && (is_non_negative(a) || (is_signed && granularity(a) % c == 0)))
      r = detail::in_front_of_clamp(a, [c](const lane_value& x) { return detail::floor_quotient(x, c); });
    if (!r.known) r = detail::uniform_or_unknown(a, b, is_signed && !(is_non_negative(a) && is_non_negative(b)));
  }
  return r;
}

/// a >> by; rounded down when signed.
constexpr lane_value shr(const lane_value& a, const lane_value& by, bool is_signed) {
  if (!a.known || !by.known) return unknown();
  lane_value r = unknown();
  if (is_exact(by)) {
    for (const auto bits : by.offset)
      if (bits < 0 || bits > 47) return unknown();
    if (is_signed || is_non_negative(a)) {
      if (is_same(by.offset))
        r = detail::in_front_of_clamp(
            a, [&by](const lane_value& x) { return detail::floor_quotient(x, std::int64_t{1} << by.offset[0]); });
      else if (is_exact(a)) {
        r = lane_value{};
        for (int l = 0; l < warp_lanes; ++l) r.offset[l] = a.offset[l] >> by.offset[l];
      }
    }
  }
  if (!r.known) r = detail::uniform_or_unknown(a, by, is_signed && !is_non_negative(a));
  return r;
}

/// a % b, with the sign of a when signed.
constexpr lane_value mod(const lane_value& a, const lane_value& b, bool is_signed) {
  if (!a.known || !b.known) return unknown();
  const std::int64_t c = detail::shared_divisor(b);
  lane_value r = unknown();
  if (is_power_of_two(c) && (!is_signed || is_non_negative(a))) {
    r = bit_and(a, constant(c - 1));
  } else if (is_exact(a) && is_exact(b)) {
    r = detail::exact_division(a, b, is_signed, [](std::int64_t x, std::int64_t y) { return x % y; });
  } else if (c > 0 && is_signed && granularity(a) % c == 0) {
    r = constant(0);
  } else if (c > 0 && is_non_negative(a) && clamped_term(a) < 0) {
    r = detail::remainder(a, c);
  }
  if (!r.known) r = detail::uniform_or_unknown(a, b, is_signed && !is_non_negative(a));
  return r;
}

}  // namespace tg::analysis
