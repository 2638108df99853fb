// Sampling from the fewest tokens that have a share together, in f64.
#pragma once

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include <kernels/reference/sampling.hpp>

namespace tg::kernels::reference {

/// Columns that can be drawn, in their order, and the probability of each and all before it.
struct nucleus {
  std::vector<unsigned> column;
  std::vector<double> up_to;

  nucleus(const float* logits, unsigned columns, double p, double temperature) : column(columns) {
    std::iota(column.begin(), column.end(), 0u);
    std::stable_sort(column.begin(), column.end(), [&](unsigned a, unsigned b) { return logits[a] > logits[b]; });
    const double largest = logits[column[0]];
    const auto weight = [&](unsigned c) { return std::exp((double{logits[c]} - largest) / temperature); };
    double all = 0;
    for (const unsigned c : column) all += weight(c);
    std::size_t kept = 1;
    for (double sum = weight(column[0]); kept < column.size() && sum < p * all; ++kept) sum += weight(column[kept]);
    column.resize(kept);
    std::sort(column.begin(), column.end());
    double sum = 0;
    for (const unsigned c : column) up_to.push_back(sum += weight(c));
    for (double& own : up_to) own /= sum;
  }

  /// Whether `u` draws the column, if the sums may be wrong by `tolerance`.
  bool may_draw(unsigned wanted, double u, double tolerance) const {
    for (std::size_t i = 0; i < column.size(); ++i)
      if (column[i] == wanted) return u >= (i == 0 ? 0 : up_to[i - 1]) - tolerance && u <= up_to[i] + tolerance;
    return false;
  }
};

}  // namespace tg::kernels::reference
