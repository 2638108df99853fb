// Sine and cosine.
//
// Source: minimax polynomials from a Remez exchange with 60 digits on ±π/4, for the relative error of the result;
// coefficients are rounded one after another and the rest fitted again. Errors were measured against a wider format,
// over every 17th float and over 10⁷ doubles of all magnitudes.
#pragma once

#include <tg/base/fixed_array.hpp>
#include <tg/dsl/math/float_operand.hpp>
#include <tg/dsl/math/polynomial.hpp>
#include <tg/dsl/math/quarter_turns.hpp>
#include <tg/dsl/math/sign.hpp>

namespace tg {

namespace detail {

// (sin r − r) / r³ and (cos r − 1 + r²/2) / r⁴ as polynomials in r²
template <class T> struct circular;
template <> struct circular<float> {
  static constexpr fixed_array sine = {-0x1.555546p-3f, 0x1.110778p-7f, -0x1.9953fep-13f};
  static constexpr fixed_array cosine = {0x1.55554ap-5f, -0x1.6c0c28p-10f, 0x1.99e80cp-16f};
};
template <> struct circular<double> {
  static constexpr fixed_array sine = {-0x1.5555555555548p-3, 0x1.111111110f730p-7,   -0x1.a01a019be91b4p-13,
                                       0x1.71de35551ff05p-19, -0x1.ae5e4b76a201ap-26, 0x1.5d8b50a354683p-33};
  static constexpr fixed_array cosine = {0x1.555555555554bp-5,   -0x1.6c16c16c15039p-10, 0x1.a01a019c951b8p-16,
                                         -0x1.27e4f7f7005cbp-22, 0x1.1ee9dff84fcfcp-29,  -0x1.8fa8d0385af21p-37};
};

}  // namespace detail

/// The sine and the cosine of one angle.
template <class T> struct sine_and_cosine { value<T> sin, cos; };

/// sin x and cos x for one reduction: `auto [s, c] = tg::sincos(x);`. Requires: float or double.
/// Units: radians; measured within 1.54 ulp for float, 1.5 ulp for double, all finite x included. NaN for ±inf.
/// Cost: 40 instructions, 46 for double; behind a branch for |x| ≥ 2¹⁷ (2³⁰ for double) 52 or 58 more, of which 4 load
/// from constant memory.
template <device_value X> auto sincos(const X& x) {
  const auto given = detail::float_operand(x);
  using T = device_type_of<decltype(given)>;
  const auto [quarter, r] = detail::reduce(tg::abs(given));
  const auto square = tg::rounded_mul(r, r);
  const auto sine = tg::fma(tg::rounded_mul(r, square), tg::polynomial(square, detail::circular<T>::sine), r);
  const auto half = tg::fma(square, T(-0.5), T{1});
  // What 1 − r²/2 lost in rounding goes back in with the small terms.
  const auto lost = tg::fma(square, T(-0.5), tg::rounded_sub(T{1}, half));
  const auto cosine = tg::rounded_add(
      half, tg::fma(tg::rounded_mul(square, square), tg::polynomial(square, detail::circular<T>::cosine), lost));

  using word = detail::sign_word<T>;
  const auto is_odd = (quarter & 1u) != 0u;
  const auto upper_bit = [](const auto& q) { return tg::cast<word>(q & 2u) << (sizeof(T) * 8 - 2); };
  return sine_and_cosine<T>{detail::with_sign(tg::select(is_odd, cosine, sine), upper_bit(quarter) ^ detail::sign_bit(given)),
                            detail::with_sign(tg::select(is_odd, sine, cosine), upper_bit(quarter + 1u))};
}

/// sin x. Units, Cost: as `sincos`.
template <device_value X> auto sin(const X& x) { return tg::sincos(detail::float_operand(x)).sin; }
/// cos x. Units, Cost: as `sincos`.
template <device_value X> auto cos(const X& x) { return tg::sincos(detail::float_operand(x)).cos; }

}  // namespace tg
