// Cube roots.
//
// Source: a first guess from a third of the bits, two steps of Halley's method, and one Newton step whose residual is
// computed with the rounding error of the square. Errors were measured against a wider format, over every exponent and sign
// of float and double.
#pragma once

#include <limits>

#include <tg/dsl/math/float_operand.hpp>
#include <tg/dsl/math/reciprocal.hpp>
#include <tg/dsl/math/sign.hpp>
#include <tg/dsl/value/bits.hpp>

namespace tg {

/// The cube root, odd; zeros, infinities and NaN are their own. Requires: float or double.
/// Units: measured within 0.75 ulp for float, 0.55 ulp for double. Cost: about 50 instructions, of which 3 divide; no branch.
template <device_value X> auto cbrt(const X& x) {
  const auto given = detail::float_operand(x);
  using T = device_type_of<decltype(given)>;
  using limits = std::numeric_limits<T>;
  using word = detail::sign_word<T>;
  constexpr bool is_single = sizeof(T) == 4;
  constexpr T step = is_single ? T(0x1p24) : T(0x1p54), root_of_step = is_single ? T(0x1p8) : T(0x1p18);
  constexpr word third = is_single ? word{0x55555556} : static_cast<word>(0x5555555555555556);
  constexpr word offset = is_single ? word{0x2a514067} : static_cast<word>(0x2a9f7893782da1ce);

  const auto size = tg::abs(given);
  // Neither subnormal nor so large that four cubes are infinite.
  const auto is_small = size<limits::min(), is_large = size> limits::max() / 8;
  const auto a = tg::rounded_mul(size, tg::select(is_small, step, tg::select(is_large, 1 / step, T{1})));
  auto root = tg::bit_cast<T>(tg::mul_high(tg::bit_cast<word>(a), third) + offset);
  for (int k = 0; k < 2; ++k) {
    const auto cube = tg::rounded_mul(tg::rounded_mul(root, root), root);
    const auto next = tg::rounded_mul(root, (cube + (a + a)) / ((cube + cube) + a));
    root.operand = next.operand;
  }
  const auto square = tg::rounded_mul(root, root);
  const auto lost = tg::fma(root, root, -square);
  const auto residual = tg::fma(lost, root, tg::fma(square, root, -a));
  const auto better = tg::fma(-residual, tg::rcp(tg::rounded_mul(square, T{3})), root);
  const auto back = tg::select(is_small, 1 / root_of_step, tg::select(is_large, root_of_step, T{1}));
  const auto result = tg::copysign(tg::rounded_mul(better, back), given);
  return tg::select(size > T{0} && size < limits::infinity(), result, given);
}

}  // namespace tg
