// Activation functions over trees of tiles or arrays: the same words as for single values. Each is a type of its own, because a
// lambda's type would repeat that of its operand.
#pragma once

#include <tg/dsl/math/activation.hpp>
#include <tg/tree/tree.hpp>

namespace tg {

#define TG_TREE_FUNCTION(word)                                                              \
  namespace detail {                                                                        \
  struct word##_of_element : tg::detail::element_word {                                     \
    template <class A> auto operator()(const A& a) const { return tg::word(a); }            \
  };                                                                                        \
  }                                                                                         \
  template <tree_like X> auto word(X&& x) {                                                 \
    return tg::detail::tree_kind<X>::map(detail::word##_of_element{}, static_cast<X&&>(x)); \
  }
TG_TREE_FUNCTION(erf)
TG_TREE_FUNCTION(gelu)
TG_TREE_FUNCTION(gelu_tanh)
TG_TREE_FUNCTION(relu)
TG_TREE_FUNCTION(sigmoid)
TG_TREE_FUNCTION(silu)
#undef TG_TREE_FUNCTION

#define TG_TREE_FUNCTION(word)                                                                                   \
  namespace detail {                                                                                             \
  struct word##_of_elements : tg::detail::element_word {                                                         \
    template <class A, class B> auto operator()(const A& a, const B& b) const { return tg::word(a, b); }         \
  };                                                                                                             \
  }                                                                                                              \
  template <class A, class B> requires detail::tree_operands<A, B>                                               \
  auto word(A&& a, B&& b) {                                                                                      \
    return detail::tree_kind<A, B>::map(detail::word##_of_elements{}, static_cast<A&&>(a), static_cast<B&&>(b)); \
  }
TG_TREE_FUNCTION(geglu)
TG_TREE_FUNCTION(leaky_relu)
TG_TREE_FUNCTION(swiglu)
#undef TG_TREE_FUNCTION

namespace approx {

#define TG_TREE_FUNCTION(word)                                                              \
  namespace detail {                                                                        \
  struct word##_of_element : tg::detail::element_word {                                     \
    template <class A> auto operator()(const A& a) const { return tg::approx::word(a); }    \
  };                                                                                        \
  }                                                                                         \
  template <tree_like X> auto word(X&& x) {                                                 \
    return tg::detail::tree_kind<X>::map(detail::word##_of_element{}, static_cast<X&&>(x)); \
  }
TG_TREE_FUNCTION(gelu_tanh)
TG_TREE_FUNCTION(sigmoid)
TG_TREE_FUNCTION(silu)
#undef TG_TREE_FUNCTION

}  // namespace approx

}  // namespace tg
