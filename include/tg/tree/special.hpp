// Functions of elements that kernels include one by one, over trees of tiles or arrays.
#pragma once

#include <tg/dsl/math/atan.hpp>
#include <tg/dsl/math/cbrt.hpp>
#include <tg/dsl/math/expm1.hpp>
#include <tg/dsl/math/fmod.hpp>
#include <tg/dsl/math/log1p.hpp>
#include <tg/dsl/math/pow.hpp>
#include <tg/dsl/math/softplus.hpp>
#include <tg/tree/tree_function.hpp>

namespace tg {

TG_TREE_FUNCTION(tg, atan)
TG_TREE_FUNCTION(tg, cbrt)
TG_TREE_FUNCTION(tg, expm1)
TG_TREE_FUNCTION(tg, log1p)
TG_TREE_FUNCTION(tg, softplus)

TG_TREE_FUNCTION_OF_TWO(tg, atan2)
TG_TREE_FUNCTION_OF_TWO(tg, fmod)
TG_TREE_FUNCTION_OF_TWO(tg, pow)

}  // namespace tg
