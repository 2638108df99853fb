// 1/x and 1/√x.
#pragma once

#include <tg/dsl/math/approx.hpp>
#include <tg/dsl/math/float_operand.hpp>
#include <tg/dsl/math/rounded.hpp>

namespace tg {

namespace detail {

/// 1/√x from an estimate of it.
template <class T> value<T> newton_rsqrt(const value<T>& x, const value<T>& estimate) {
  const auto error = tg::fma(tg::rounded_mul(x, estimate), -estimate, T(1));
  // For 0, inf, NaN and negative numbers the error is NaN and the estimate is right.
  return tg::select(error == error, tg::fma(tg::rounded_mul(estimate, T(0.5)), error, estimate), estimate);
}

}  // namespace detail

/// 1/x, correctly rounded. Requires: float or double. PTX: rcp.rn.
template <device_value X> auto rcp(const X& x) {
  const auto given = detail::float_operand(x);
  return detail::float_unary(ptx::operation{ptx::opcode::rcp, {ptx::token::rn, memory_type<device_type_of<decltype(given)>>}},
                             given);
}

/// 1/√x; ±inf for ±0, 0 for inf, NaN below zero. Requires: float or double.
/// Units: measured within 1.01 ulp for float, from an estimate 2 ulp off; within 1.49 ulp for double.
/// PTX: rsqrt.approx and one Newton step for float; sqrt.rn and rcp.rn for double.
template <device_value X> auto rsqrt(const X& x) {
  const auto given = detail::float_operand(x);
  if constexpr (std::is_same_v<device_type_of<decltype(given)>, float>) {
    return detail::newton_rsqrt<float>(given, approx::rsqrt(given));
  } else {
    return tg::rcp(tg::sqrt(given));
  }
}

}  // namespace tg
