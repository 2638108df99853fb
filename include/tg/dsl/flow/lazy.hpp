// Operands that are recorded in a branch, so that nothing in them happens where they are not needed.
#pragma once

#include <concepts>

#include <tg/dsl/flow/if_.hpp>
#include <tg/dsl/value/var.hpp>

namespace tg {

namespace detail {

/// A lambda whose call records an operand.
template <class F>
concept lazy_operand = !operand_like<F> && std::invocable<F&> && operand_like<std::invoke_result_t<F&>>;

template <class F> struct made_by { using type = std::remove_cvref_t<F>; };
template <lazy_operand F> struct made_by<F> { using type = std::remove_cvref_t<std::invoke_result_t<F&>>; };

template <class X> struct number_type { using type = X; };
template <device_value X> struct number_type<X> { using type = device_type_of<X>; };

// The type of a selection: that of its device values, else of its C++ numbers.
template <class A, class B, class MadeA = typename made_by<A>::type, class MadeB = typename made_by<B>::type>
using selected_type = typename number_type<std::conditional_t<device_value<MadeA>, MadeA, MadeB>>::type;

// `x` where `chosen` holds, and only there what it was computed from is read; `x` in any case where nothing is read.
template <class T, class X> auto where_chosen(const value<bool>& chosen, const X& x) {
  if constexpr (!device_value<X>) {
    return x;
  } else if constexpr (!std::is_same_v<device_type_of<X>, T>) {
    return x.get();  // refused where it is assigned
  } else if constexpr (std::is_same_v<T, bool>) {
    return chosen && x;
  } else {
    const value<T> own{x.get().operand};
    if (!own.operand.is_reg()) return own;
    const ptx::operation choice = ptx::operation::select(is_float<T> ? memory_type<T> : bits_type<T>);
    return guarded(emit_value<T, index::data>(choice, {own.operand, to_value<T>(T{}).operand, chosen.operand}));
  }
}

}  // namespace detail

/// `i < n && [&] { return tg::atomic_add(count(0_c), 1u) < limit; }`: the right side happens where the left side holds.
/// Errors: TG103, TG104.
template <device_value A, detail::lazy_operand F> value<bool> operator&&(const A& a, F&& right) {
  const source_location where = detail::tracer::current().where();
  const value<bool> left{detail::condition_of(a)};
  var<bool> holds(left, where);
  if_(left, [&] { holds = right(); }, where);
  return holds.get();
}
/// The right side happens where the left side does not hold.
template <device_value A, detail::lazy_operand F> value<bool> operator||(const A& a, F&& right) {
  const source_location where = detail::tracer::current().where();
  const value<bool> left{detail::condition_of(a)};
  var<bool> holds(left, where);
  if_(!left, [&] { holds = right(); }, where);
  return holds.get();
}

/// `tg::select(i < n, [&] { return x(i) * warp.sum(x(j)); }, 0.0f)`: what a lambda says happens where it is chosen.
/// Errors: TG103, TG104.
template <device_value C, class A, class B> requires(detail::lazy_operand<A> || detail::lazy_operand<B>)
auto select(const C& condition, A&& a, B&& b, source_location where = source_location::current()) {
  using T = detail::selected_type<A, B>;
  const value<bool> chosen{detail::condition_of(condition)};
  if constexpr (!detail::lazy_operand<A>) {
    var<T> out(detail::where_chosen<T>(chosen, a), where);
    if_(!chosen, [&] { out = b(); }, where);
    return out.get();
  } else if constexpr (!detail::lazy_operand<B>) {
    var<T> out(detail::where_chosen<T>(!chosen, b), where);
    if_(chosen, [&] { out = a(); }, where);
    return out.get();
  } else {
    var<T> out(T{}, where);
    if_(chosen, [&] { out = a(); }, where).else_([&] { out = b(); }, where);
    return out.get();
  }
}

}  // namespace tg
