// Functions of elements, over trees of tiles or arrays: the same words as for single values. Each is a type of its own, because
// a lambda's type would repeat that of its operand.
#pragma once

#include <tg/dsl/math/approx.hpp>
#include <tg/dsl/math/exp.hpp>
#include <tg/dsl/math/log.hpp>
#include <tg/dsl/math/math.hpp>
#include <tg/dsl/math/reciprocal.hpp>
#include <tg/dsl/math/tanh.hpp>
#include <tg/dsl/math/trigonometry.hpp>
#include <tg/tree/operators.hpp>

namespace tg {

// A function of one element.
#define TG_TREE_FUNCTION(word)                                                              \
  namespace detail::held {                                                                  \
  struct word##_of_element : tg::detail::element_word {                                     \
    template <class A> auto operator()(const A& a) const { return tg::word(a); }            \
  };                                                                                        \
  }                                                                                         \
  template <tree_like X> auto word(X&& x) {                                                 \
    return tg::detail::tree_kind<X>::map(detail::word##_of_element{}, static_cast<X&&>(x)); \
  }
TG_TREE_FUNCTION(abs)
TG_TREE_FUNCTION(ceil)
TG_TREE_FUNCTION(cos)
TG_TREE_FUNCTION(exp)
TG_TREE_FUNCTION(exp2)
TG_TREE_FUNCTION(floor)
TG_TREE_FUNCTION(isfinite)
TG_TREE_FUNCTION(isnan)
TG_TREE_FUNCTION(log)
TG_TREE_FUNCTION(log2)
TG_TREE_FUNCTION(rcp)
TG_TREE_FUNCTION(round)
TG_TREE_FUNCTION(rsqrt)
TG_TREE_FUNCTION(sin)
TG_TREE_FUNCTION(sqrt)
TG_TREE_FUNCTION(tanh)
TG_TREE_FUNCTION(trunc)
#undef TG_TREE_FUNCTION

namespace approx {

#define TG_TREE_FUNCTION(word)                                                                    \
  namespace detail::held {                                                                        \
  struct word##_of_element : tg::detail::element_word {                                           \
    template <class A> auto operator()(const A& a) const { return tg::approx::word(a); }          \
  };                                                                                              \
  }                                                                                               \
  template <tree_like X> auto word(X&& x) {                                                       \
    return tg::detail::tree_kind<X>::map(detail::held::word##_of_element{}, static_cast<X&&>(x)); \
  }
TG_TREE_FUNCTION(exp)
TG_TREE_FUNCTION(exp2)
TG_TREE_FUNCTION(exp2_ftz)
TG_TREE_FUNCTION(log)
TG_TREE_FUNCTION(log2)
TG_TREE_FUNCTION(rcp)
TG_TREE_FUNCTION(rsqrt)
TG_TREE_FUNCTION(sqrt)
TG_TREE_FUNCTION(tanh)
#undef TG_TREE_FUNCTION

}  // namespace approx

namespace detail::held {

struct larger_element : tg::detail::element_word {
  template <class A, class B> auto operator()(const A& a, const B& b) const { return tg::max(a, b); }
};
struct smaller_element : tg::detail::element_word {
  template <class A, class B> auto operator()(const A& a, const B& b) const { return tg::min(a, b); }
};
struct selected_element : tg::detail::element_word {
  template <class C, class A, class B> auto operator()(const C& c, const A& a, const B& b) const { return tg::select(c, a, b); }
};
struct fma_of_elements : tg::detail::element_word {
  template <class A, class B, class C> auto operator()(const A& a, const B& b, const C& c) const { return tg::fma(a, b, c); }
};

}  // namespace detail::held

/// The larger of two elements.
template <class A, class B> requires detail::tree_operands<A, B>
auto max(A&& a, B&& b) {
  return detail::tree_kind<A, B>::map(detail::larger_element{}, static_cast<A&&>(a), static_cast<B&&>(b));
}
/// The smaller of two elements.
template <class A, class B> requires detail::tree_operands<A, B>
auto min(A&& a, B&& b) {
  return detail::tree_kind<A, B>::map(detail::smaller_element{}, static_cast<A&&>(a), static_cast<B&&>(b));
}
/// x between low and high.
template <class X, class L, class H> requires(tree_like<X> || tree_like<L> || tree_like<H>)
auto clamp(X&& x, L&& low, H&& high) {
  return tg::max(tg::min(static_cast<X&&>(x), static_cast<H&&>(high)), static_cast<L&&>(low));
}
/// a where the condition holds, else b.
template <class C, class A, class B> requires(tree_like<C> || tree_like<A> || tree_like<B>)
auto where(C&& condition, A&& a, B&& b) {
  return detail::tree_kind<C, A, B>::map(detail::selected_element{}, static_cast<C&&>(condition), static_cast<A&&>(a),
                                         static_cast<B&&>(b));
}
/// a * b + c, rounded once.
template <class A, class B, class C> requires(tree_like<A> || tree_like<B> || tree_like<C>)
auto fma(A&& a, B&& b, C&& c) {
  return detail::tree_kind<A, B, C>::map(detail::fma_of_elements{}, static_cast<A&&>(a), static_cast<B&&>(b),
                                         static_cast<C&&>(c));
}
/// Each element as a T, as `tg::cast` of one does.
template <class T, tree_like X> auto cast(X&& x) { return detail::tree_kind<X>::template cast<T>(static_cast<X&&>(x)); }

}  // namespace tg
