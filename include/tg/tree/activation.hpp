// Activation functions over trees of tiles or arrays: the same words as for single values.
#pragma once

#include <tg/dsl/math/activation.hpp>
#include <tg/tree/tree.hpp>

namespace tg {

#define TG_TREE_FUNCTION(word)                                             \
  template <tree_like X> auto word(const X& x) {                           \
    return detail::make_map([](const auto& a) { return tg::word(a); }, x); \
  }
TG_TREE_FUNCTION(erf)
TG_TREE_FUNCTION(gelu)
TG_TREE_FUNCTION(gelu_tanh)
TG_TREE_FUNCTION(relu)
TG_TREE_FUNCTION(sigmoid)
TG_TREE_FUNCTION(silu)
#undef TG_TREE_FUNCTION

namespace approx {

#define TG_TREE_FUNCTION(word)                                                         \
  template <tree_like X> auto word(const X& x) {                                       \
    return tg::detail::make_map([](const auto& a) { return tg::approx::word(a); }, x); \
  }
TG_TREE_FUNCTION(gelu_tanh)
TG_TREE_FUNCTION(sigmoid)
TG_TREE_FUNCTION(silu)
#undef TG_TREE_FUNCTION

}  // namespace approx

}  // namespace tg
