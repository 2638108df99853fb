// Activation functions over trees of tiles or arrays: the same words as for single values.
#pragma once

#include <tg/dsl/math/activation.hpp>
#include <tg/tree/tree_function.hpp>

namespace tg {

TG_TREE_FUNCTION(tg, erf)
TG_TREE_FUNCTION(tg, gelu)
TG_TREE_FUNCTION(tg, gelu_tanh)
TG_TREE_FUNCTION(tg, relu)
TG_TREE_FUNCTION(tg, sigmoid)
TG_TREE_FUNCTION(tg, silu)

TG_TREE_FUNCTION_OF_TWO(tg, geglu)
TG_TREE_FUNCTION_OF_TWO(tg, leaky_relu)
TG_TREE_FUNCTION_OF_TWO(tg, swiglu)

namespace approx {

TG_TREE_FUNCTION(tg::approx, gelu_tanh)
TG_TREE_FUNCTION(tg::approx, sigmoid)
TG_TREE_FUNCTION(tg::approx, silu)

}  // namespace approx

}  // namespace tg
