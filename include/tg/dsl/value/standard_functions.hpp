// std::max, std::min and std::clamp of device values say what to write instead.
//
// Templates of the standard library that take two arguments of one type are not viable for `std::max(x(i), 0.0f)`, and each
// compiler then lists them all. Overloads in namespace std are the only ones that a qualified call sees. A program that
// calls them does not compile, so none depends on what they do.
#pragma once

#include <tg/dsl/value/value.hpp>

namespace tg::detail {

template <class A, class B> auto refuse_standard_function(const A&, const B&) {
  (void)sizeof(diagnosis::standard_function<sizeof(A) == 0, A>);
  return value<first_type<A, B>>{ptx::operand{}};
}

}  // namespace tg::detail

namespace std {

template <class A, class B> requires tg::detail::operands<A, B>
auto max(const A& a, const B& b) {
  return tg::detail::refuse_standard_function(a, b);
}
template <class A, class B> requires tg::detail::operands<A, B>
auto min(const A& a, const B& b) {
  return tg::detail::refuse_standard_function(a, b);
}
template <tg::device_value X, tg::operand_like L, tg::operand_like H> auto clamp(const X& x, const L& low, const H&) {
  return tg::detail::refuse_standard_function(x, low);
}

}  // namespace std
