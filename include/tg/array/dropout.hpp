// Dropout: some elements become 0, and the others make up for them.
#pragma once

#include <cstdint>

#include <tg/array/random.hpp>
#include <tg/tree/functions.hpp>
#include <tg/tree/operators.hpp>

namespace tg {

/// Each element is 0 with this probability, else x / (1 - probability). Which ones, a seed and their places decide: an error
/// goes back by the same words, `dx = tg::dropout(dy, probability, seed)`, and no mask is kept. Shapes: any. Requires: 0 <=
/// probability < 1. A new seed or probability is no new kernel. Errors: TG707.
template <array_like X> requires requires(const X& x) { x.shape(); }
auto dropout(const X& x, float probability, std::uint64_t seed) {
  return tg::where(tg::uniform(x, seed) < probability, 0.0f, tg::cast<float>(x) * (1.0f / (1.0f - probability)));
}

}  // namespace tg
