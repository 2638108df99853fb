// Arc tangents.
//
// Source: atan of numbers above tan(π/8) is π/4 + atan((q − 1)/(q + 1)); minimax polynomials from a Remez exchange with 50
// digits for |q| ≤ 0.4145, for the relative error of the result; coefficients are rounded one after another and the rest
// fitted again. Errors were measured against a wider format, over every exponent and sign of float and double.
#pragma once

#include <limits>

#include <tg/base/fixed_array.hpp>
#include <tg/dsl/math/float_operand.hpp>
#include <tg/dsl/math/polynomial.hpp>
#include <tg/dsl/math/rounded.hpp>
#include <tg/dsl/math/sign.hpp>

namespace tg {

namespace detail {

template <class T> struct arc_tangent;
template <> struct arc_tangent<float> {
  static constexpr float quarter_high = 0x1.921fb6p-1f, quarter_low = -0x1.777a5cp-26f;  // π/4
  static constexpr float huge = 0x1p100f;
  // (atan q − q) / q³ as a polynomial in q²
  static constexpr fixed_array rest = {-0x1.55554ap-2f, 0x1.9991dep-3f, -0x1.23b924p-3f, 0x1.b21adep-4f, -0x1.f2aca8p-5f};
};
template <> struct arc_tangent<double> {
  static constexpr double quarter_high = 0x1.921fb54442d18p-1, quarter_low = 0x1.1a62633145c07p-55;
  static constexpr double huge = 0x1p900;
  static constexpr fixed_array rest = {-0x1.5555555555554p-2, 0x1.9999999999584p-3,  -0x1.249249246f55cp-3,
                                       0x1.c71c71b455179p-4,  -0x1.745d144f701a7p-4, 0x1.3b1364d6c3bd5p-4,
                                       -0x1.110be9b2d4128p-4, 0x1.e16794280ddcfp-5,  -0x1.ab3ae001e586p-5,
                                       0x1.6fe04763bd35bp-5,  -0x1.0fc9fe9131582p-5, 0x1.e81d38584ec1fp-7};
};

/// atan(y/x) for y and x that are not negative: `eighths` · π/4 + `sign` · t.
template <class T> value<T> first_quadrant_angle(const value<T>& y, const value<T>& x, const value<bool>& is_left) {
  using c = arc_tangent<T>;
  const auto is_steep = y > x;
  const auto small = tg::select(is_steep, x, y), large = tg::select(is_steep, y, x);
  const auto is_far = small > tg::rounded_mul(large, T(0.41421356237309503));
  const auto above = tg::select(is_far, tg::rounded_sub(small, large), small);
  const auto below = tg::select(is_far, tg::rounded_add(small, large), large);
  const auto q = above / below;
  const auto square = tg::rounded_mul(q, q);
  const auto t = tg::fma(tg::rounded_mul(q, square), tg::polynomial(square, c::rest), q);

  // far: π/4 + t; steep: π/2 − that; left: π − that
  const auto near = tg::select(is_far, T{1}, T{0});
  const auto up = tg::select(is_steep, tg::rounded_sub(T{2}, near), near);
  const auto eighths = tg::select(is_left, tg::rounded_sub(T{4}, up), up);
  const auto turned =
      tg::bit_cast<T>(tg::bit_cast<sign_word<T>>(t) ^
                      tg::select((is_steep && !is_left) || (!is_steep && is_left), sign_mask<T>, sign_word<T>{0}));
  return tg::fma(eighths, c::quarter_high, tg::fma(eighths, c::quarter_low, turned));
}

}  // namespace detail

/// The angle of the point (x, y), between −π and π, with the sign of y; signs of zeros and infinities as in C.
/// Requires: two floats or two doubles, or one and a C++ number. Units: radians; measured within 2 ulp for float, 1.8 ulp for
/// double. Cost: about 70 instructions, of which one divides; no branch.
template <class Y, class X> requires detail::operands<Y, X>
auto atan2(const Y& y, const X& x) {
  using pair = detail::float_pair<Y, X>;
  using T = typename pair::type;
  using c = detail::arc_tangent<T>;
  using limits = std::numeric_limits<T>;
  const value<T> up = pair::read(y), right = pair::read(x);
  const auto is_left = detail::sign_bit(right) != detail::sign_word<T>{0};
  // Two infinities stand for two ones; sums of huge numbers stay finite, subnormal ones are scaled; 0/0 is 0/1.
  const auto tall = tg::abs(up), wide = tg::abs(right);
  const auto is_endless = tall == limits::infinity() && wide == limits::infinity();
  const auto larger = tg::max(tall, wide);
  const auto factor = tg::select(larger > c::huge, T(0.25), tg::select(larger < 1 / c::huge, 1 / limits::epsilon(), T{1}));
  const auto is_origin = larger == T{0};
  const auto a = tg::select(is_endless, T{1}, tg::rounded_mul(tall, factor));
  const auto b = tg::select(is_endless || is_origin, T{1}, tg::rounded_mul(wide, factor));
  const auto angle = detail::first_quadrant_angle<T>(a, b, is_left);
  return tg::select(up == up && right == right, tg::copysign(angle, up), limits::quiet_NaN());
}

/// The angle whose tangent is x, between −π/2 and π/2. Requires: float or double.
/// Units: radians; measured within 2.1 ulp for float, 1.8 ulp for double. Cost: about 45 instructions, of which one divides; no
/// branch.
template <device_value X> auto atan(const X& x) {
  const auto given = detail::float_operand(x);
  using T = device_type_of<decltype(given)>;
  using limits = std::numeric_limits<T>;
  const auto size = tg::abs(given);
  const auto is_huge = size > detail::arc_tangent<T>::huge;  // … where the angle is π/2
  const auto angle = detail::first_quadrant_angle<T>(tg::select(is_huge, T{1}, size), tg::select(is_huge, T{0}, T{1}),
                                                     detail::to_value<bool>(false));
  return tg::select(given == given, tg::copysign(angle, given), limits::quiet_NaN());
}

}  // namespace tg
