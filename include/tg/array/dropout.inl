// What dropout requires of its probability.
#pragma once

#include <tg/array/dropout.hpp>

#include <string>

#include <tg/array/codes.hpp>
#include <tg/base/config.hpp>

namespace tg::detail {

TG_LIBRARY_FUNCTION void require_probability(float probability, source_location where) {
  if (probability >= 0 && probability <= 1) return;
  throw error(shape_impossible, "tg::dropout with a probability of " + std::to_string(probability),
              "a probability is 0 to 1: 0.1f drops one element of ten", where);
}

}  // namespace tg::detail
