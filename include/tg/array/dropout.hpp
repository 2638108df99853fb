// Dropout: some elements become 0, and the others make up for them.
#pragma once

#include <cstdint>

#include <tg/array/random.hpp>
#include <tg/base/error.hpp>
#include <tg/tree/functions.hpp>
#include <tg/tree/operators.hpp>

namespace tg {

namespace detail {

/// Errors: TG705 for a probability of dropout that is not within 0 and 1.
void require_probability(float probability, source_location where);

}  // namespace detail

/// Each element is 0 with this probability, else x / (1 - probability). Which ones, a seed and their places decide: an error
/// goes back by the same words, `dx = tg::dropout(dy, probability, seed)`, and no mask is kept. Shapes: any. A new seed or
/// probability is no new kernel. Errors: TG705 for a probability that is not within 0 and 1, TG707, TG723.
template <array_like X>
auto dropout(const X& x, float probability, std::uint64_t seed, source_location where = source_location::current()) {
  detail::require_probability(probability, where);
  return tg::where(tg::uniform(x, seed) < probability, 0.0f, tg::cast<float>(x) * (1.0f / (1.0f - probability)));
}

}  // namespace tg
