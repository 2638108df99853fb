// Powers.
//
// Source: log₂ x as a sum of two numbers, from the series of artanh for s = (m − 1)/(m + 1) with its first terms kept in
// pairs (Dekker's sums and products with fma); the rest of the series is a minimax polynomial. y · log₂ x stays a pair, and
// 2ˣ is that of `exp2`. Errors were measured against a wider format, over every exponent and sign of float and double.
#pragma once

#include <limits>

#include <tg/base/fixed_array.hpp>
#include <tg/dsl/math/exp.hpp>
#include <tg/dsl/math/log.hpp>
#include <tg/dsl/math/reciprocal.hpp>
#include <tg/dsl/math/sign.hpp>

namespace tg {

namespace detail {

/// A number as the sum of a rounded one and what the rounding lost.
template <class T> struct two_parts { value<T> high, low; };

/// a + b where |a| ≥ |b| or a = 0.
template <class T> two_parts<T> joined(const value<T>& a, const value<T>& b) {
  const auto high = tg::rounded_add(a, b);
  return {high, tg::rounded_sub(b, tg::rounded_sub(high, a))};
}

template <class T> two_parts<T> product(const two_parts<T>& a, const two_parts<T>& b) {
  const auto high = tg::rounded_mul(a.high, b.high);
  const auto error = tg::fma(a.high, b.high, -high);
  return joined<T>(high, tg::fma(a.high, b.low, tg::fma(a.low, b.high, error)));
}

template <class T> struct power;
template <> struct power<float> {
  static constexpr float third_high = 0x1.555556p-2f, third_low = -0x1.555556p-27f;
  static constexpr float two_log2e_high = 0x1.715476p1f, two_log2e_low = 0x1.4ae0cp-25f;
  // (artanh s − s − s³/3) / s⁵ as a polynomial in s²
  static constexpr fixed_array rest = {0x1.99999ap-3f, 0x1.24918cp-3f, 0x1.c77018p-4f, 0x1.787d3ap-4f};
};
template <> struct power<double> {
  static constexpr double third_high = 0x1.5555555555555p-2, third_low = 0x1.5555555555555p-56;
  static constexpr double two_log2e_high = 0x1.71547652b82fep1, two_log2e_low = 0x1.777d0ffda0d24p-55;
  static constexpr fixed_array rest = {0x1.999999999999ap-3, 0x1.2492492492491p-3, 0x1.c71c71c71cff4p-4,
                                       0x1.745d1745116fep-4, 0x1.3b13b1bd88acfp-4, 0x1.1110df59ae588p-4,
                                       0x1.e1f8165912034p-5, 0x1.ac481e8c1a899p-5, 0x1.b8e9f0a794448p-5};
};

/// log₂ x of a positive finite number.
template <class T> two_parts<T> log2_in_parts(const value<T>& x) {
  using l = logarithm<T>;
  using c = power<T>;
  using word = typename l::word;
  const auto is_subnormal = x < l::least_normal;
  const auto bits = tg::bit_cast<word>(tg::select(is_subnormal, tg::rounded_mul(x, l::lift), x));
  const auto exponent = (bits - l::root_of_half) >> l::mantissa_bits;
  const auto f = tg::rounded_sub(tg::bit_cast<T>(bits - (exponent << l::mantissa_bits)), T{1});
  const auto whole = tg::fma(tg::cast<T>(is_subnormal), T{-l::mantissa_bits}, tg::cast<T>(tg::cast<int>(exponent)));

  const auto below = tg::rounded_add(f, T{2});
  const auto below_low = tg::rounded_sub(f, tg::rounded_sub(below, T{2}));
  const auto inverse = tg::rcp(below);
  const auto s = tg::rounded_mul(f, inverse);
  const two_parts<T> q{s, tg::rounded_mul(tg::fma(-s, below_low, tg::fma(-s, below, f)), inverse)};

  const auto square = product<T>(q, q);
  const auto rest = tg::rounded_mul(square.high, tg::polynomial(square.high, c::rest));  // beyond 1/3, in units of s²
  const auto third = tg::rounded_add(rest, c::third_high);
  const two_parts<T> factor{third, tg::rounded_add(tg::rounded_sub(rest, tg::rounded_sub(third, c::third_high)), c::third_low)};
  const auto cubic = product<T>(product<T>(q, square), factor);
  const auto sum = joined<T>(q.high, cubic.high);
  const auto artanh = joined<T>(sum.high, tg::rounded_add(sum.low, tg::rounded_add(q.low, cubic.low)));
  const two_parts<T> scale{to_value<T>(c::two_log2e_high), to_value<T>(c::two_log2e_low)};
  const auto mantissa = product<T>(artanh, scale);
  const auto all = joined<T>(whole, mantissa.high);
  return joined<T>(all.high, tg::rounded_add(all.low, mantissa.low));
}

}  // namespace detail

/// x to the power of y, with the special values of C: 1 for y = 0 and for x = 1, even beside NaN; NaN for negative x where
/// y is no integer. Requires: two floats or two doubles, or one of them and a C++ number.
/// Units: measured within 1 ulp for float, 0.9 ulp for double. Cost: about 150 instructions, of which one divides; no branch.
template <class X, class Y> requires detail::operands<X, Y>
auto pow(const X& x, const Y& y) {
  using pair = detail::float_pair<X, Y>;
  using T = typename pair::type;
  using c = detail::exponential<T>;
  using limits = std::numeric_limits<T>;
  const value<T> base = pair::read(x), exponent = pair::read(y);
  const auto size = tg::abs(base);
  const auto is_plain = size > T{0} && size < limits::infinity();
  const auto [high, low] = detail::log2_in_parts<T>(tg::select(is_plain, size, T{1}));
  const auto log = tg::select(is_plain, high, tg::select(size == T{0}, -limits::infinity(), limits::infinity()));

  const auto product = tg::rounded_mul(exponent, log);
  const auto lost = tg::fma(exponent, low, tg::fma(exponent, high, -product));
  const auto within = tg::clamp(product, c::least2, c::greatest2);
  const auto shifted = tg::rounded_add(within, c::to_integer);
  const auto near = tg::rounded_sub(within, tg::rounded_sub(shifted, c::to_integer));
  const auto r = tg::select(within == product, tg::rounded_add(near, lost), near);
  const auto magnitude = detail::scale(tg::fma(r, tg::polynomial(r, c::rest2), T{1}), shifted);

  const auto half = tg::rounded_mul(exponent, T(0.5));
  const auto is_integer = tg::trunc(exponent) == exponent;
  const auto is_odd = is_integer && tg::trunc(half) != half;
  const auto sign = tg::select(is_odd, detail::sign_bit(base), detail::sign_word<T>{0});
  const auto is_undefined = (base < T{0} && is_plain && !is_integer) || base != base || exponent != exponent;
  const auto result = tg::select(is_undefined, limits::quiet_NaN(), detail::with_sign<T>(magnitude, sign));
  const auto is_one = exponent == T{0} || base == T{1} || (base == T{-1} && tg::abs(exponent) == limits::infinity());
  return tg::select(is_one, T{1}, result);
}

}  // namespace tg
