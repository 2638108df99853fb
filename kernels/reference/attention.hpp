// Attention on the host, in double precision, and how far off a kernel may be.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace tg::kernels::reference {

/// The queries and keys of a sequence; `heads` of q, of which `group` share one of k and v; `batch` sequences.
struct attention_shape { unsigned queries, keys, heads = 1, group = 1, batch = 1; };

/// Relative errors of a kernel of attention.
struct attention_errors {
  double weight = 0;        ///< of a weight, which is rounded twice or once
  double least_weight = 0;  ///< of weights near 0, relative to the largest
  double result = 0;        ///< of the rounding of a result
  double scores = 0;        ///< of the sum that a score is, relative to the sizes of its terms
  double sums = 0;          ///< of sums of weighted values
};

/// Whether query i of `queries` sees key j of `keys`. Mask: with `causal` and `window`, as `attention_options`.
template <class Mask> constexpr bool is_seen(const Mask& mask, unsigned i, unsigned queries, unsigned j, unsigned keys) {
  if (!mask.causal) return true;
  const long long end = 1LL + i + keys - queries;
  return j < end && (mask.window == 0 || j + static_cast<long long>(mask.window) >= end);
}

/// The scores of a query become weights whose largest is 1. Returns: the logarithm of the sum of exponentials of the scores;
/// minus infinity and weights of 0 where no key is seen. `total`: the sum of the weights.
inline double to_weights(std::vector<double>& scores, double& total) {
  const double nothing = -std::numeric_limits<double>::infinity();
  const double largest = scores.empty() ? nothing : *std::max_element(scores.begin(), scores.end());
  total = 0;
  for (double& w : scores) total += w = std::isinf(w) ? 0 : std::exp(w - largest);
  return total == 0 ? nothing : largest + std::log(total);
}

/// Attention of one sequence, whose rows of q and o begin at `row` and whose rows of k and v begin at `key_row`, with heads of
/// `size` elements and scores divided by its root. q, k and v are called with a row and a column. Calls
/// `put(row, column, wanted, bound)` for each element of o, and `put_log_sum(head, row, wanted, bound)` for each logarithm of a
/// sum of exponentials.
template <class Mask, class Q, class K, class V, class Put, class PutLogSum>
void attend(const attention_errors& off, const Mask& mask, const attention_shape& s, unsigned size, unsigned row,
            unsigned key_row, const Q& q, const K& k, const V& v, const Put& put, const PutLogSum& put_log_sum) {
  const float scale = 1 / std::sqrt(static_cast<float>(size));
  std::vector<double> weight(s.keys);
  for (unsigned h = 0; h < s.heads; ++h)
    for (unsigned i = 0; i < s.queries; ++i) {
      const unsigned left = h * size, key_left = h / s.group * size;
      double total = 0, of_scores = 0;
      for (unsigned j = 0; j < s.keys; ++j) {
        double score = 0, terms = 0;
        for (unsigned d = 0; d < size; ++d) {
          const double term = q(row + i, left + d) * k(key_row + j, key_left + d);
          score += term, terms += std::abs(term);
        }
        of_scores = std::max(of_scores, terms * scale * off.scores);
        weight[j] = is_seen(mask, i, s.queries, j, s.keys) ? score * scale : -std::numeric_limits<double>::infinity();
      }
      const double log_sum = to_weights(weight, total);
      put_log_sum(h, row + i, log_sum, std::isinf(log_sum) ? 0 : 1e-5 * (1 + std::abs(log_sum)) + of_scores);
      for (unsigned d = 0; d < size; ++d) {
        double sum = 0, magnitude = 0, values = 0;
        for (unsigned j = 0; j < s.keys; ++j) {
          if (weight[j] == 0) continue;
          const double value = v(key_row + j, key_left + d), term = weight[j] / total * value;
          sum += term, magnitude += std::abs(term), values += std::abs(value) / total;
        }
        put(row + i, left + d, sum,
            off.result * std::abs(sum) + off.weight * magnitude + off.least_weight * values +
                (2 * of_scores + off.sums + 1e-5) * magnitude + 1e-6);
      }
    }
}

}  // namespace tg::kernels::reference
