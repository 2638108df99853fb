// The remainder of a division of floats.
#pragma once

#include <limits>

#include <tg/dsl/flow/while_.hpp>
#include <tg/dsl/math/float_operand.hpp>
#include <tg/dsl/math/log.hpp>
#include <tg/dsl/math/sign.hpp>
#include <tg/dsl/value/let.hpp>
#include <tg/dsl/value/var.hpp>

namespace tg {

namespace detail {

/// The exponent of the highest bit of a positive finite number.
template <class T> value<int> exponent_of(const value<T>& x) {
  using c = logarithm<T>;
  using word = typename c::word;
  const auto is_subnormal = x < c::least_normal;
  const auto bits = tg::bit_cast<word>(tg::select(is_subnormal, tg::rounded_mul(x, c::lift), x));
  const auto field = tg::cast<int>(bits >> c::mantissa_bits);
  return {(field - tg::select(is_subnormal, c::mantissa_bits, 0) - (std::numeric_limits<T>::max_exponent - 1)).operand};
}

}  // namespace detail

/// x − n·y for the integer n by which the result has the sign of x and is smaller than y: exact, as in C. NaN for y = 0 and
/// for infinite x. Requires: two floats or two doubles.
/// Cost: 25 instructions; where |x| ≥ |y| a loop of 30 with a division, each round of which takes 22 bits off the quotient,
/// 50 of doubles.
template <class X, class Y> requires detail::operands<X, Y>
auto fmod(const X& x, const Y& y, source_location where = source_location::current()) {
  using pair = detail::float_pair<X, Y>;
  using T = typename pair::type;
  using limits = std::numeric_limits<T>;
  using word = detail::sign_word<T>;
  static constexpr int step = limits::digits - 2, bias = limits::max_exponent - 1;
  const value<T> given = pair::read(x), divisor = tg::abs(pair::read(y));
  const auto is_defined = tg::abs(given) < limits::infinity() && divisor > T{0};
  var<T> rest(tg::abs(given), where);
  const auto power_of_two = [](const auto& n) { return tg::bit_cast<T>(tg::cast<word>(n + bias) << (limits::digits - 1)); };
  tg::while_([&] { return is_defined && rest >= divisor; },
             [&] {
               const auto now = tg::let(rest);
               // A multiple of y by a power of two whose quotient is below 2^digits, so that the next line is exact.
               const auto shift = tg::max(detail::exponent_of<T>(now) - detail::exponent_of<T>(divisor) - step, 0);
               const auto half = shift >> 1;
               const auto multiple = tg::rounded_mul(tg::rounded_mul(divisor, power_of_two(half)), power_of_two(shift - half));
               const auto quotient = tg::trunc(now / multiple);
               const auto left = tg::fma(-quotient, multiple, now);
               rest = tg::select(left < T{0}, tg::rounded_add(left, multiple), left);
             },
             where);
  const auto result = tg::select(is_defined, rest.get(), limits::quiet_NaN());
  return tg::copysign(result, given);
}

}  // namespace tg
