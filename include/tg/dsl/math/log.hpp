// Logarithms.
//
// Source: minimax polynomials from a Remez exchange with 60 digits on [√½, √2], for the relative error of the result;
// coefficients are rounded one after another and the rest fitted again. Errors were measured against a wider format,
// over every 17th float (log: all) and over 10⁷ doubles of all magnitudes.
#pragma once

#include <tg/base/fixed_array.hpp>
#include <tg/base/limits.hpp>
#include <tg/dsl/math/float_operand.hpp>
#include <tg/dsl/math/polynomial.hpp>
#include <tg/dsl/math/rounded.hpp>
#include <tg/dsl/value/bit_cast.hpp>

namespace tg {

namespace detail {

template <class T> struct logarithm;

template <> struct logarithm<float> {
  using word = int;
  static constexpr int mantissa_bits = 23;
  static constexpr word root_of_half = 0x3f3504f3;
  static constexpr float least_normal = 0x1p-126f, lift = 0x1p23f;
  static constexpr float ln2_high = 0x1.62e43p-1f, ln2_low = -0x1.05c61p-29f;
  static constexpr float log2e_high = 0x1.715476p0f, log2e_low = 0x1.4ae0cp-26f;
  static constexpr float log10e_high = 0x1.bcb7b2p-2f, log10e_low = -0x1.5b235ep-27f;
  static constexpr float log10_2_high = 0x1.344136p-2f, log10_2_low = -0x1.ec10cp-27f;
  // (ln(1 + f) − f) / f²
  static constexpr fixed_array rest = {-0x1.fffff8p-2f, 0x1.55554ep-2f,  -0x1.00043ap-2f, 0x1.99a540p-3f, -0x1.542436p-3f,
                                       0x1.225512p-3f,  -0x1.0f3a60p-3f, 0x1.09079cp-3f,  -0x1.39e382p-4f};
};

template <> struct logarithm<double> {
  using word = long long;
  static constexpr int mantissa_bits = 52;
  static constexpr word root_of_half = 0x3fe6a09e667f3bcd;
  static constexpr double least_normal = 0x1p-1022, lift = 0x1p52;
  static constexpr double ln2_high = 0x1.62e42fefa39efp-1, ln2_low = 0x1.abc9e3b39803fp-56;
  static constexpr double log2e_high = 0x1.71547652b82fep0, log2e_low = 0x1.777d0ffda0d24p-56;
  static constexpr double log10e_high = 0x1.bcb7b1526e50ep-2, log10e_low = 0x1.95355baaafad3p-57;
  static constexpr double log10_2_high = 0x1.34413509f79ffp-2, log10_2_low = -0x1.9dc1da994fd21p-59;
  static constexpr fixed_array rest = {
      -0x1.0000000000003p-1, 0x1.555555555546bp-2,  -0x1.fffffffffde36p-3, 0x1.99999999bead6p-3,  -0x1.55555556f8729p-3,
      0x1.2492491523196p-3,  -0x1.fffffed8d4e99p-4, 0x1.c71c779208be8p-4,  -0x1.9999d1f0d1bf3p-4, 0x1.745c94df4b5e4p-4,
      -0x1.554f1399c6225p-4, 0x1.3b16f757dac37p-4,  -0x1.24fac701b9fd8p-4, 0x1.11609c78c1f4bp-4,  -0x1.f87609d16d164p-5,
      0x1.d3e37f5d34229p-5,  -0x1.e4e1f33d6e5a3p-5, 0x1.0b79d7418f96ap-4,  -0x1.b69420cdd0dc2p-5, 0x1.4f0bb3be46ac3p-6};
};

/// ln x = exponent · ln 2 + f + rest, with 1 + f in [√½, √2) and rest much smaller than f.
template <class T> struct split_logarithm { value<T> exponent, f, rest; };

template <class T> split_logarithm<T> split(const value<T>& x) {
  using c = logarithm<T>;
  using word = typename c::word;
  const auto is_subnormal = x < c::least_normal;
  const auto bits = tg::bit_cast<word>(tg::select(is_subnormal, tg::rounded_mul(x, c::lift), x));
  const auto exponent = (bits - c::root_of_half) >> c::mantissa_bits;
  const auto f = tg::rounded_sub(tg::bit_cast<T>(bits - (exponent << c::mantissa_bits)), T{1});
  return {tg::fma(tg::cast<T>(is_subnormal), T{-c::mantissa_bits}, tg::cast<T>(tg::cast<int>(exponent))), f,
          tg::rounded_mul(tg::rounded_mul(f, f), tg::polynomial(f, c::rest))};
}

/// `result` for positive finite x; −inf for zeros, inf for inf, NaN for the rest.
template <class T> value<T> with_special_logarithms(const value<T>& x, const value<T>& result) {
  const auto special = tg::select(x == T{0}, -infinity<T>, tg::select(x < T{0}, not_a_number<T>, x));
  return tg::select(x > T{0} && x < infinity<T>, result, special);
}

/// exponent · log 2 + (f + rest) · scale, all constants as a pair of high and low parts.
template <class T> value<T> scaled_logarithm(const value<T>& x, T scale_high, T scale_low, T log_2_high, T log_2_low) {
  const auto [exponent, f, rest] = split(x);
  const auto high = tg::rounded_add(f, rest);
  const auto low = tg::rounded_sub(rest, tg::rounded_sub(high, f));
  const auto product = tg::rounded_mul(high, scale_high);
  const auto error = tg::fma(low, scale_high, tg::fma(high, scale_low, tg::fma(high, scale_high, -product)));
  const auto sum = tg::rounded_add(product, tg::fma(exponent, log_2_low, error));
  return with_special_logarithms(x, tg::fma(exponent, log_2_high, sum));
}

}  // namespace detail

/// The natural logarithm; −inf for zero, NaN below. Requires: float or double.
/// Units: measured within 0.88 ulp for float, 0.89 ulp for double. Cost: 34 instructions, 46 for double; no branch.
template <device_value X> auto log(const X& x) {
  const auto given = detail::float_operand(x);
  using T = device_type_of<decltype(given)>;
  using c = detail::logarithm<T>;
  const auto [exponent, f, rest] = detail::split(given);
  const auto mantissa = tg::rounded_add(f, tg::fma(exponent, c::ln2_low, rest));
  return detail::with_special_logarithms(given, tg::fma(exponent, c::ln2_high, mantissa));
}

/// The logarithm to base 2 in the same way; exact for powers of two.
/// Units: measured within 0.98 ulp for float, 1.05 ulp for double. Cost: 42 instructions, 54 for double; no branch.
template <device_value X> auto log2(const X& x) {
  const auto given = detail::float_operand(x);
  using T = device_type_of<decltype(given)>;
  using c = detail::logarithm<T>;
  return detail::scaled_logarithm<T>(given, c::log2e_high, c::log2e_low, T{1}, T{0});
}

/// The logarithm to base 10 in the same way.
/// Units: measured within 0.89 ulp for float, 0.92 ulp for double. Cost: as `log2`.
template <device_value X> auto log10(const X& x) {
  const auto given = detail::float_operand(x);
  using T = device_type_of<decltype(given)>;
  using c = detail::logarithm<T>;
  return detail::scaled_logarithm<T>(given, c::log10e_high, c::log10e_low, c::log10_2_high, c::log10_2_low);
}

}  // namespace tg
