// How a function of elements becomes one of trees: the same word, found for trees of tiles or arrays.
#pragma once

#include <tg/tree/tree.hpp>

// A function of one element, which namespace `from` has already: TG_TREE_FUNCTION(tg, exp). Each is a type of its own, because
// a lambda's type would repeat that of its operand.
#define TG_TREE_FUNCTION(from, word)                                                        \
  namespace detail {                                                                        \
  struct word##_of_element : tg::detail::element_word {                                     \
    template <class A> auto operator()(const A& a) const { return from::word(a); }          \
  };                                                                                        \
  }                                                                                         \
  template <tg::tree_like X> auto word(X&& x) {                                             \
    return tg::detail::tree_kind<X>::map(detail::word##_of_element{}, static_cast<X&&>(x)); \
  }

// A function of two elements.
#define TG_TREE_FUNCTION_OF_TWO(from, word)                                                                          \
  namespace detail {                                                                                                 \
  struct word##_of_elements : tg::detail::element_word {                                                             \
    template <class A, class B> auto operator()(const A& a, const B& b) const { return from::word(a, b); }           \
  };                                                                                                                 \
  }                                                                                                                  \
  template <class A, class B> requires tg::detail::tree_operands<A, B>                                               \
  auto word(A&& a, B&& b) {                                                                                          \
    return tg::detail::tree_kind<A, B>::map(detail::word##_of_elements{}, static_cast<A&&>(a), static_cast<B&&>(b)); \
  }
