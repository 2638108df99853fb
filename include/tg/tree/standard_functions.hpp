// Functions of the C++ library on tiles and arrays say what to write instead. Overloads in namespace std are the only ones that
// a qualified call sees. A program that calls them does not compile, so none depends on what they do.
#pragma once

// Before all others, so that compiler output about a diagnosis does not begin with a tower of headers.
#include <tg/dsl/verdict/diagnosis.hpp>

#include <tg/tree/tree.hpp>

namespace tg::detail {

template <class A, class B>
concept with_tree_operand = tree_like<A> || tree_like<B>;

template <class X> const X& refuse_standard_function_of_tree(const X& x) {
  (void)sizeof(diagnosis::standard_function<sizeof(X) == 0, X>);
  return x;
}
template <class A, class B> const auto& refuse_standard_function_of_tree(const A& a, const B& b) {
  if constexpr (tree_like<A>) return refuse_standard_function_of_tree(a);
  else return refuse_standard_function_of_tree(b);
}

}  // namespace tg::detail

namespace std {

// Errors: TG114.
#define TG_REFUSED_OF_ONE(name) \
  template <tg::tree_like X> const X& name(const X& x) { return tg::detail::refuse_standard_function_of_tree(x); }
#define TG_REFUSED_OF_TWO(name)                                            \
  template <class A, class B> requires tg::detail::with_tree_operand<A, B> \
  const auto& name(const A& a, const B& b) {                               \
    return tg::detail::refuse_standard_function_of_tree(a, b);             \
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
template <tg::tree_like X, class L, class H> const X& clamp(const X& x, const L&, const H&) {
  return tg::detail::refuse_standard_function_of_tree(x);
}
template <tg::tree_like X, class B, class C> const X& fma(const X& x, const B&, const C&) {
  return tg::detail::refuse_standard_function_of_tree(x);
}

}  // namespace std
