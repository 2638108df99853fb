// The hardware's own approximations, on float: one instruction each, two where a scale is needed.
//
// Source of all bounds: PTX ISA 9.1, section 9.7.3. A relative error of 2⁻²³ is one to two ulp.
#pragma once

#include <tg/dsl/math/math.hpp>

namespace tg::approx {

namespace detail {

/// `x`, read. Anything but a float is one error and stands as a float from there on. Errors: TG110.
template <device_value X> value<float> single(const X& x) {
  using T = device_type_of<X>;
  using found = diagnosis::operation<std::is_same_v<T, float>, T>;
  if constexpr (diagnosis::is_ok<sizeof(found), found>) return {x.get().operand};
  else return ptx::operand{};
}

inline value<float> unary(ptx::opcode op, const value<float>& x) {
  return tg::detail::emit_value<float, index::data>(op, {ptx::token::approx, ptx::token::f32}, {x.operand});
}

template <class A, class B> value<float> quotient(ptx::token how, const A& a, const B& b) {
  using T = tg::detail::joint_type<A, B>;
  (void)sizeof(diagnosis::operation<std::is_same_v<T, float>, T>);
  return tg::detail::emit_value<float, index::data>(
      ptx::opcode::div, {how, ptx::token::f32},
      {tg::detail::to_value<float>(a).operand, tg::detail::to_value<float>(b).operand});
}

}  // namespace detail

/// 2ˣ. Units: within 2 ulp, everywhere. PTX: ex2.approx.f32.
template <device_value X> auto exp2(const X& x) { return detail::unary(ptx::opcode::ex2, detail::single(x)); }
/// 2ˣ for who does not need subnormal numbers: they are taken and given as 0, and nothing is spent on them.
/// Units: within 2 ulp; 0 below 2⁻¹²⁶. PTX: ex2.approx.ftz.f32.
template <device_value X> value<float> exp2_ftz(const X& x) {
  return tg::detail::emit_value<float, index::data>(ptx::opcode::ex2, {ptx::token::approx, ptx::token::ftz, ptx::token::f32},
                                                    {detail::single(x).operand});
}
/// eˣ as 2 to the x·log₂e. Units: relative error 2⁻²² + |x|·2⁻²³, for the product is rounded. PTX: mul, ex2.approx.f32.
template <device_value X> auto exp(const X& x) { return approx::exp2(detail::single(x) * 0x1.715476p0f); }

/// The logarithm to base 2. Units: absolute error 2⁻²² for x in (0.5, 2), relative error 2⁻²² elsewhere.
/// PTX: lg2.approx.f32.
template <device_value X> auto log2(const X& x) { return detail::unary(ptx::opcode::lg2, detail::single(x)); }
/// The natural logarithm as log₂x·ln 2, with one rounding more. PTX: lg2.approx.f32, mul.
template <device_value X> auto log(const X& x) { return approx::log2(detail::single(x)) * 0x1.62e43p-1f; }

/// sin x. Units: absolute error 2⁻²⁰·⁴ for |x| ≤ 2π, 2⁻¹⁴·⁷ for |x| ≤ 100π. PTX: sin.approx.f32, for which the PTX manual says
/// 2⁻²⁰·⁵; an H100 was up to 6.92e-7 off.
template <device_value X> auto sin(const X& x) { return detail::unary(ptx::opcode::sin, detail::single(x)); }
/// cos x. Units: as `approx::sin`. PTX: cos.approx.f32.
template <device_value X> auto cos(const X& x) { return detail::unary(ptx::opcode::cos, detail::single(x)); }

/// tanh x. Requires: sm_75. Units: relative error 2⁻¹¹. PTX: tanh.approx.f32.
template <device_value X> auto tanh(const X& x) { return detail::unary(ptx::opcode::tanh, detail::single(x)); }

/// √x. Units: relative error 2⁻²³. PTX: sqrt.approx.f32.
template <device_value X> auto sqrt(const X& x) { return detail::unary(ptx::opcode::sqrt, detail::single(x)); }
/// 1/√x. Units: relative error 2⁻²²·⁹. PTX: rsqrt.approx.f32.
template <device_value X> auto rsqrt(const X& x) { return detail::unary(ptx::opcode::rsqrt, detail::single(x)); }
/// 1/x. Units: within 1 ulp. PTX: rcp.approx.f32.
template <device_value X> auto rcp(const X& x) { return detail::unary(ptx::opcode::rcp, detail::single(x)); }

/// a/b. Units: within 2 ulp for |b| in [2⁻¹²⁶, 2¹²⁶]; 0 for greater finite |b|, NaN if a is infinite there too.
/// PTX: div.approx.f32.
template <class A, class B> requires tg::detail::operands<A, B>
auto div(const A& a, const B& b) {
  return detail::quotient(ptx::token::approx, a, b);
}
/// a/b. Units: within 2 ulp for all operands. PTX: div.full.f32, which scales the operands.
template <class A, class B> requires tg::detail::operands<A, B>
auto div_full(const A& a, const B& b) {
  return detail::quotient(ptx::token::full, a, b);
}

}  // namespace tg::approx
