// Nearest points on the host, in double precision.
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

namespace tg::kernels::reference {

/// The squares of the distances of the k points nearest to a query, and their numbers, the nearest first, equal ones in the
/// order of their numbers. points[d * n + p] is coordinate d of point p. Where there are no k points the rest is infinity and
/// 2^32 - 1.
inline std::vector<std::pair<double, unsigned>> nearest(const std::vector<float>& points, unsigned n,
                                                        const std::vector<float>& query, unsigned k) {
  std::vector<std::pair<double, unsigned>> all;
  for (unsigned p = 0; p < n; ++p) {
    double sum = 0;
    for (std::size_t d = 0; d < query.size(); ++d) {
      const double difference = double{query[d]} - double{points[d * n + p]};
      sum += difference * difference;
    }
    all.emplace_back(sum, p);
  }
  std::sort(all.begin(), all.end());
  all.resize(k, {std::numeric_limits<double>::infinity(), ~0u});
  return all;
}

}  // namespace tg::kernels::reference
