// Functions of elements that kernels include one by one, over trees of tiles or arrays.
#pragma once

#include <tg/dsl/math/atan.hpp>
#include <tg/dsl/math/cbrt.hpp>
#include <tg/dsl/math/expm1.hpp>
#include <tg/dsl/math/fmod.hpp>
#include <tg/dsl/math/log1p.hpp>
#include <tg/dsl/math/pow.hpp>
#include <tg/dsl/math/softplus.hpp>
#include <tg/tree/tree.hpp>

namespace tg {

#define TG_TREE_FUNCTION(word)                                                              \
  namespace detail {                                                                        \
  struct word##_of_element : element_word {                                                 \
    template <class A> auto operator()(const A& a) const { return tg::word(a); }            \
  };                                                                                        \
  }                                                                                         \
  template <tree_like X> auto word(X&& x) {                                                 \
    return tg::detail::tree_kind<X>::map(detail::word##_of_element{}, static_cast<X&&>(x)); \
  }
TG_TREE_FUNCTION(atan)
TG_TREE_FUNCTION(cbrt)
TG_TREE_FUNCTION(expm1)
TG_TREE_FUNCTION(log1p)
TG_TREE_FUNCTION(softplus)
#undef TG_TREE_FUNCTION

#define TG_TREE_FUNCTION(word)                                                                                   \
  namespace detail {                                                                                             \
  struct word##_of_elements : element_word {                                                                     \
    template <class A, class B> auto operator()(const A& a, const B& b) const { return tg::word(a, b); }         \
  };                                                                                                             \
  }                                                                                                              \
  template <class A, class B> requires detail::tree_operands<A, B>                                               \
  auto word(A&& a, B&& b) {                                                                                      \
    return detail::tree_kind<A, B>::map(detail::word##_of_elements{}, static_cast<A&&>(a), static_cast<B&&>(b)); \
  }
TG_TREE_FUNCTION(atan2)
TG_TREE_FUNCTION(fmod)
TG_TREE_FUNCTION(pow)
#undef TG_TREE_FUNCTION

}  // namespace tg
