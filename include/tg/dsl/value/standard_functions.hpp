// Functions of the C++ library on what a device holds say what to write instead: std::max, std::exp and others on values, tiles
// and arrays.
//
// Templates of the standard library that take two arguments of one type are not viable for `std::max(x(i), 0.0f)`, and each
// compiler then lists them all. Overloads in namespace std are the only ones that a qualified call sees. A program that
// calls them does not compile, so none depends on what they do.
#pragma once

#include <concepts>

#include <tg/dsl/value/value.hpp>

namespace tg::detail {

namespace held {

/// What each type derives from that stands for many values of a device: expressions of tiles and of arrays.
struct many_values {};

}  // namespace held

template <class X>
concept stands_for_many = std::derived_from<std::remove_cvref_t<X>, held::many_values>;
template <class X>
concept held_by_device = device_value<X> || stands_for_many<X>;
template <class A, class B>
concept held_by_device_beside = operands<A, B> || stands_for_many<A> || stands_for_many<B>;

/// Something of the type that the call would have, so that no other message follows.
template <class A> decltype(auto) refuse_standard_function(const A& a) {
  (void)sizeof(diagnosis::standard_function<sizeof(A) == 0, A>);
  if constexpr (stands_for_many<A>) return (a);
  else return value<device_type_of<A>>{ptx::operand{}};
}
template <class A, class B> decltype(auto) refuse_standard_function(const A& a, const B& b) {
  (void)sizeof(diagnosis::standard_function<sizeof(A) == 0, A>);
  if constexpr (stands_for_many<A>) return (a);
  else if constexpr (stands_for_many<B>) return (b);
  else return value<first_type<A, B>>{ptx::operand{}};
}

}  // namespace tg::detail

// Each function is written out, because compilers print two more notes for what a macro made. Errors: TG114.
namespace std {

template <tg::detail::held_by_device X> decltype(auto) abs(const X& x) { return tg::detail::refuse_standard_function(x); }
template <tg::detail::held_by_device X> decltype(auto) fabs(const X& x) { return tg::detail::refuse_standard_function(x); }
template <tg::detail::held_by_device X> decltype(auto) exp(const X& x) { return tg::detail::refuse_standard_function(x); }
template <tg::detail::held_by_device X> decltype(auto) exp2(const X& x) { return tg::detail::refuse_standard_function(x); }
template <tg::detail::held_by_device X> decltype(auto) log(const X& x) { return tg::detail::refuse_standard_function(x); }
template <tg::detail::held_by_device X> decltype(auto) log2(const X& x) { return tg::detail::refuse_standard_function(x); }
template <tg::detail::held_by_device X> decltype(auto) sqrt(const X& x) { return tg::detail::refuse_standard_function(x); }
template <tg::detail::held_by_device X> decltype(auto) tanh(const X& x) { return tg::detail::refuse_standard_function(x); }
template <tg::detail::held_by_device X> decltype(auto) sin(const X& x) { return tg::detail::refuse_standard_function(x); }
template <tg::detail::held_by_device X> decltype(auto) cos(const X& x) { return tg::detail::refuse_standard_function(x); }
template <tg::detail::held_by_device X> decltype(auto) erf(const X& x) { return tg::detail::refuse_standard_function(x); }
template <tg::detail::held_by_device X> decltype(auto) floor(const X& x) { return tg::detail::refuse_standard_function(x); }

template <class A, class B> requires tg::detail::held_by_device_beside<A, B>
decltype(auto) max(const A& a, const B& b) {
  return tg::detail::refuse_standard_function(a, b);
}
template <class A, class B> requires tg::detail::held_by_device_beside<A, B>
decltype(auto) min(const A& a, const B& b) {
  return tg::detail::refuse_standard_function(a, b);
}
template <class A, class B> requires tg::detail::held_by_device_beside<A, B>
decltype(auto) fmax(const A& a, const B& b) {
  return tg::detail::refuse_standard_function(a, b);
}
template <class A, class B> requires tg::detail::held_by_device_beside<A, B>
decltype(auto) fmin(const A& a, const B& b) {
  return tg::detail::refuse_standard_function(a, b);
}
template <class A, class B> requires tg::detail::held_by_device_beside<A, B>
decltype(auto) pow(const A& a, const B& b) {
  return tg::detail::refuse_standard_function(a, b);
}

template <tg::detail::held_by_device X, class L, class H> decltype(auto) clamp(const X& x, const L&, const H&) {
  return tg::detail::refuse_standard_function(x);
}
template <tg::detail::held_by_device X, class B, class C> decltype(auto) fma(const X& x, const B&, const C&) {
  return tg::detail::refuse_standard_function(x);
}

}  // namespace std
