// Cross entropy of rows of logits on the host, in double precision.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include <kernels/reference/rounding.hpp>

namespace tg::kernels::reference {

/// What the kernels of cross entropy leave.
struct entropies { bounded log_sums, loss, gradient; };

/// `x` is called with a row and a column, `targets` with a row; a target that is not below `columns` counts for nothing. The
/// gradient is multiplied by `scale` and rounded to T.
template <class T, class X, class Targets>
entropies cross_entropy(unsigned rows, unsigned columns, const X& x, const Targets& targets, double scale) {
  entropies out;
  for (unsigned r = 0; r < rows; ++r) {
    double largest = std::numeric_limits<float>::lowest(), sum = 0;
    for (unsigned c = 0; c < columns; ++c) largest = std::max(largest, x(r, c));
    for (unsigned c = 0; c < columns; ++c) sum += std::exp(x(r, c) - largest);
    const double log_sum = largest + std::log(sum);
    const unsigned target = targets(r);
    const bool counts = target < columns;
    const double loss = counts ? log_sum - x(r, target) : 0;
    out.log_sums.add(log_sum, 1e-5 * (1 + std::abs(log_sum)));
    out.loss.add(loss, 1e-5 * (1 + std::abs(log_sum) + std::abs(loss)));
    for (unsigned c = 0; c < columns; ++c) {
      const double share = std::exp(x(r, c) - log_sum);
      const double slope = counts ? scale * (share - (c == target)) : 0;
      out.gradient.add(slope, unit<T> * std::abs(slope) + 1e-5 * share + 1e-6 * (c == target));
    }
  }
  return out;
}

}  // namespace tg::kernels::reference
