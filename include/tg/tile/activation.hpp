// Activation functions over tiles: the same words as for single values.
#pragma once

#include <tg/dsl/math/activation.hpp>
#include <tg/tile/tree.hpp>

namespace tg {

#define TG_TILE_FUNCTION(word)                                             \
  template <tile_like X> auto word(const X& x) {                           \
    return detail::make_map([](const auto& a) { return tg::word(a); }, x); \
  }
TG_TILE_FUNCTION(erf)
TG_TILE_FUNCTION(gelu)
TG_TILE_FUNCTION(gelu_tanh)
TG_TILE_FUNCTION(relu)
TG_TILE_FUNCTION(sigmoid)
TG_TILE_FUNCTION(silu)
#undef TG_TILE_FUNCTION

namespace approx {

#define TG_TILE_FUNCTION(word)                                                         \
  template <tile_like X> auto word(const X& x) {                                       \
    return tg::detail::make_map([](const auto& a) { return tg::approx::word(a); }, x); \
  }
TG_TILE_FUNCTION(gelu_tanh)
TG_TILE_FUNCTION(sigmoid)
TG_TILE_FUNCTION(silu)
#undef TG_TILE_FUNCTION

}  // namespace approx

}  // namespace tg
