// Operations that are one or two instructions: minima, maxima, roots, fused multiply-add, selection, rounding.
#pragma once

#include <tg/dsl/flow/if_.hpp>
#include <tg/dsl/value/cast.hpp>
#include <tg/dsl/value/standard_functions.hpp>

namespace tg {

namespace detail {

template <template <class, class> class Rule, class A, class B> auto extremum(ptx::opcode op, const A& a, const B& b) {
  using T = joint_type<A, B>;
  (void)sizeof(diagnosis::operation < is_ordered<T> || is_half_pair<T>, T >);
  const auto x = to_value<T>(a);
  const auto y = to_value<T>(b);
  if constexpr (is_integer<T>)
    return emit_value<T, Rule<typename decltype(x)::form, typename decltype(y)::form>>(op, {compute_type<T>},
                                                                                       {x.operand, y.operand});
  else return emit_value<T, index::data>(op, {compute_type<T>}, {x.operand, y.operand});
}

/// `op` on one float operand.
template <device_value X> auto float_unary(const ptx::operation& what, const X& x) {
  using T = device_type_of<X>;
  (void)sizeof(diagnosis::operation<is_float<T>, T>);
  return emit_value<T, index::data>(what, {x.get().operand});
}

/// A property of one float operand.
template <device_value X> value<bool> float_test(ptx::token property, const X& x) {
  using T = device_type_of<X>;
  using found = diagnosis::operation<is_float<T>, T>;
  if constexpr (!diagnosis::is_ok<sizeof(found), found>) return {ptx::operand{}};
  else return {tracer::current().compute(ptx::token::pred, ptx::opcode::testp, {property, memory_type<T>}, {x.get().operand})};
}

template <class A, class B, class C>
concept ternary =
    operand_like<A> && operand_like<B> && operand_like<C> && (device_value<A> || device_value<B> || device_value<C>);

template <class A, class B, class C> struct joint_of_three {
  static consteval auto pick() {
    if constexpr (!device_value<A>) return std::type_identity<joint_type<B, C>>{};
    else if constexpr (!device_value<B>) return std::type_identity<joint_type<A, C>>{};
    else if constexpr (!device_value<C>) return std::type_identity<joint_type<A, B>>{};
    else return (void)sizeof(joint_type<B, C>), std::type_identity<joint_type<A, B>>{};
  }
  using type = typename decltype(pick())::type;
};

}  // namespace detail

/// The smaller of two; of floats, the one that is a number where one is NaN. On an index the lane pattern is kept.
template <class A, class B> requires detail::operands<A, B>
auto min(const A& a, const B& b) {
  return detail::extremum<detail::signed_rules<detail::joint_type<A, B>>::template minimum>(ptx::opcode::min, a, b);
}
/// The larger of two; of floats, the one that is a number where one is NaN. On an index the lane pattern is kept.
template <class A, class B> requires detail::operands<A, B>
auto max(const A& a, const B& b) {
  return detail::extremum<detail::signed_rules<detail::joint_type<A, B>>::template maximum>(ptx::opcode::max, a, b);
}
/// `x` limited to [low, high].
template <class X, class L, class H> requires detail::ternary<X, L, H>
auto clamp(const X& x, const L& low, const H& high) {
  return tg::min(tg::max(x, low), high);
}

/// a·b + c with one rounding; of pairs, both halves.
template <class A, class B, class C> requires detail::ternary<A, B, C>
auto fma(const A& a, const B& b, const C& c) {
  using T = typename detail::joint_of_three<A, B, C>::type;
  (void)sizeof(diagnosis::operation < is_arithmetic<T> && !is_integer<T>, T >);
  return detail::emit_value<T, index::data>(
      ptx::opcode::fma, {ptx::token::rn, compute_type<T>},
      {detail::to_value<T>(a).operand, detail::to_value<T>(b).operand, detail::to_value<T>(c).operand});
}

/// The absolute value.
template <device_value X> auto abs(const X& x) {
  using T = device_type_of<X>;
  constexpr bool defined = is_arithmetic<T> && !std::is_unsigned_v<T>;
  (void)sizeof(diagnosis::operation<defined, T>);
  const auto own = x.get();
  return detail::emit_value<T, index::computed<T, typename decltype(own)::form>>(ptx::opcode::abs, {compute_type<T>},
                                                                                 {own.operand});
}

/// The square root, correctly rounded.
template <device_value X> auto sqrt(const X& x) {
  return detail::float_unary(ptx::operation{ptx::opcode::sqrt, {ptx::token::rn, memory_type<device_type_of<X>>}}, x);
}

/// `a` where the condition holds, else `b`; both are evaluated. PTX: selp.
template <device_value C, class A, class B> requires detail::operands<A, B>
auto select(const C& condition, const A& a, const B& b) {
  using T = detail::joint_type<A, B>;
  const ptx::operand p = detail::condition_of(condition);
  if constexpr (std::is_same_v<T, bool>) {
    return (condition && a) || (!condition && b);
  } else {
    const auto x = detail::to_value<T>(a);
    const auto y = detail::to_value<T>(b);
    using form = index::computed<T, typename decltype(x)::form, typename decltype(y)::form>;
    return detail::guarded(detail::emit_value<T, form>(ptx::operation::select(is_float<T> ? memory_type<T> : bits_type<T>),
                                                       {x.operand, y.operand, p}));
  }
}

/// One of two numbers of one type: `tg::select(i < n, 1.0f, 0.0f)`. Errors: TG101.
template <device_value C, host_number A, host_number B> auto select(const C& condition, A a, B b) {
  using found = diagnosis::same_types<std::is_same_v<A, B>, diagnosis::types<A, B>>;
  if constexpr (diagnosis::is_ok<sizeof(found), found>) return tg::select(condition, detail::to_value<A>(a), b);
  else return value<A>{ptx::operand{}};
}

/// The largest integer not above `x`, as a float.
template <device_value X> auto floor(const X& x) {
  constexpr ptx::token t = memory_type<device_type_of<X>>;
  return detail::float_unary(ptx::operation::convert(ptx::token::rmi, t, t), x);
}
/// The smallest integer not below `x`, as a float.
template <device_value X> auto ceil(const X& x) {
  constexpr ptx::token t = memory_type<device_type_of<X>>;
  return detail::float_unary(ptx::operation::convert(ptx::token::rpi, t, t), x);
}
/// The nearest integer, halves to even, as a float.
template <device_value X> auto round_even(const X& x) {
  constexpr ptx::token t = memory_type<device_type_of<X>>;
  return detail::float_unary(ptx::operation::convert(ptx::token::rni, t, t), x);
}
/// The nearest integer, halves away from zero, as a float. Cost: 3 instructions.
template <device_value X> auto round(const X& x) {
  using T = device_type_of<X>;
  constexpr ptx::token t = memory_type<T>;
  const ptx::operation truncation = ptx::operation::convert(ptx::token::rzi, t, t);
  if constexpr (is_float<T>) {
    // The sum is rounded to zero, so that it reaches the next integer only where x is half of it away.
    const ptx::operand at = x.get().operand;
    const auto half = detail::emit_value<T, index::data>(ptx::opcode::copysign, {t}, {at, detail::to_value<T>(T(0.5)).operand});
    const auto sum = detail::emit_value<T, index::data>(ptx::opcode::add, {ptx::token::rz, t}, {at, half.operand});
    return detail::float_unary(truncation, sum);
  } else {
    return detail::float_unary(truncation, x);
  }
}
/// Whether `x` is NaN. PTX: testp.notanumber.
template <device_value X> value<bool> isnan(const X& x) { return detail::float_test(ptx::token::notanumber, x); }
/// Whether `x` is inf or −inf. PTX: testp.infinite.
template <device_value X> value<bool> isinf(const X& x) { return detail::float_test(ptx::token::infinite, x); }
/// Whether `x` is neither infinite nor NaN. PTX: testp.finite.
template <device_value X> value<bool> isfinite(const X& x) { return detail::float_test(ptx::token::finite, x); }
/// `x` without its fraction, as a float.
template <device_value X> auto trunc(const X& x) {
  constexpr ptx::token t = memory_type<device_type_of<X>>;
  return detail::float_unary(ptx::operation::convert(ptx::token::rzi, t, t), x);
}

}  // namespace tg
