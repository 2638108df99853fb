// Functions of the C++ library on arrays say what to write instead. Overloads in namespace std are the only ones that a
// qualified call sees. A program that calls them does not compile, so none depends on what they do.
#pragma once

// Before all others, so that compiler output about a diagnosis does not begin with a tower of headers.
#include <tg/array/diagnosis.hpp>

#include <tg/array/node.hpp>

namespace tg::detail {

template <class A, class B>
concept with_array_operand = array_like<A> || array_like<B>;

template <class X> const X& refuse_standard_function_of_array(const X& x) {
  (void)sizeof(diagnosis::standard_function_of_array<sizeof(X) == 0, X>);
  return x;
}
template <class A, class B> const auto& refuse_standard_function_of_array(const A& a, const B& b) {
  if constexpr (array_like<A>) return refuse_standard_function_of_array(a);
  else return refuse_standard_function_of_array(b);
}

}  // namespace tg::detail

namespace std {

// Errors: TG114.
#define TG_REFUSED_OF_ONE(name) \
  template <tg::array_like X> const X& name(const X& x) { return tg::detail::refuse_standard_function_of_array(x); }
#define TG_REFUSED_OF_TWO(name)                                             \
  template <class A, class B> requires tg::detail::with_array_operand<A, B> \
  const auto& name(const A& a, const B& b) {                                \
    return tg::detail::refuse_standard_function_of_array(a, b);             \
  }
TG_REFUSED_OF_ONE(abs)
TG_REFUSED_OF_ONE(fabs)
TG_REFUSED_OF_ONE(exp)
TG_REFUSED_OF_ONE(exp2)
TG_REFUSED_OF_ONE(log)
TG_REFUSED_OF_ONE(log2)
TG_REFUSED_OF_ONE(sqrt)
TG_REFUSED_OF_ONE(tanh)
TG_REFUSED_OF_ONE(sin)
TG_REFUSED_OF_ONE(cos)
TG_REFUSED_OF_ONE(erf)
TG_REFUSED_OF_ONE(floor)
TG_REFUSED_OF_TWO(max)
TG_REFUSED_OF_TWO(min)
TG_REFUSED_OF_TWO(fmax)
TG_REFUSED_OF_TWO(fmin)
TG_REFUSED_OF_TWO(pow)
#undef TG_REFUSED_OF_ONE
#undef TG_REFUSED_OF_TWO
template <tg::array_like X, class L, class H> const X& clamp(const X& x, const L&, const H&) {
  return tg::detail::refuse_standard_function_of_array(x);
}
template <tg::array_like X, class B, class C> const X& fma(const X& x, const B&, const C&) {
  return tg::detail::refuse_standard_function_of_array(x);
}

}  // namespace std
