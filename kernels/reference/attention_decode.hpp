// Attention for decoding on the host, in double precision, and how far off a kernel may be.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <kernels/reference/attention.hpp>

namespace tg::kernels::reference {

/// Query tokens of each sequence, heads of keys, and heads of q for each of them.
struct decode_shape {
  unsigned key_heads = 1, queries = 1, group = 1;

  unsigned rows() const { return queries * group; }
};

/// Keys from `begin` to before `end` of a sequence.
struct key_range { unsigned begin = 0, end = ~0u; };
/// Part `split` of `splits` of `length` keys in steps of `step`, without a window.
inline key_range range_of_part(unsigned split, unsigned splits, unsigned length, unsigned step) {
  const unsigned each = ((length + step - 1) / step + splits - 1) / splits * step;
  return {split * each, (split + 1) * each};
}

/// Attention of sequence `s`, which has `length` keys; the last `queries` of them are the query tokens' own. Options: with
/// `window`, `alibi` and `tree`, as `attention_decode_options`. `q(row, d)`: row (s * key_heads + head) * rows + token * group
/// + g. `key(j, column)` and `value(j, column)`: key j of the sequence, column head * size + d. `slope(head)`: of a head of q.
/// `bias(token, j)`: of key j of the last `queries`. Keys outside of `range` count for nothing. Calls `put(row, d, wanted,
/// bound)` for each element, and `put_log_sum(row, wanted, bound)` for each row.
template <class Options, class Q, class K, class V, class Slope, class Bias, class Put, class PutLogSum>
void attend_decoding(const attention_errors& off, const Options& options, const decode_shape& n, unsigned size, unsigned s,
                     unsigned length, const Q& q, const K& key, const V& value, const Slope& slope, const Bias& bias,
                     const Put& put, const PutLogSum& put_log_sum, const key_range& range = {}) {
  const double scale = 1 / std::sqrt(static_cast<float>(size)), nothing = -std::numeric_limits<double>::infinity();
  std::vector<double> weight(length);
  for (unsigned h = 0; h < n.key_heads; ++h)
    for (unsigned r = 0; r < n.rows(); ++r) {
      const unsigned row = (s * n.key_heads + h) * n.rows() + r, left = h * size, token = r / n.group;
      const long long own = static_cast<long long>(length) - n.queries + token;  // the token's own place
      double of_scores = 0;
      for (unsigned j = 0; j < length; ++j) {
        double score = 0, terms = 0;
        for (unsigned d = 0; d < size; ++d) score += q(row, d) * key(j, left + d);
        score *= scale, terms += std::abs(score);
        if (options.alibi) {
          const double added = slope(h * n.group + r % n.group) * (static_cast<double>(j) - (static_cast<double>(length) - 1));
          score += added, terms += std::abs(added);
        }
        const bool is_in_tree = j + n.queries >= length;
        if (options.tree && is_in_tree) score += bias(token, j + n.queries - length);
        if (!options.tree && (j > own || (options.window != 0 && j + static_cast<long long>(options.window) <= own)))
          score = nothing;
        if (j < range.begin || j >= range.end) score = nothing;
        if (!std::isinf(score)) of_scores = std::max(of_scores, (terms + std::abs(score)) * 0x1p-21);
        weight[j] = score;
      }
      double total = 0;
      const double log_sum = to_weights(weight, total);
      put_log_sum(row, log_sum, std::isinf(log_sum) ? 0 : 1e-5 * (1 + std::abs(log_sum)) + of_scores);
      for (unsigned d = 0; d < size; ++d) {
        double sum = 0, magnitude = 0, values = 0;
        for (unsigned j = 0; j < length; ++j) {
          if (weight[j] == 0) continue;
          const double x = value(j, left + d), term = weight[j] / total * x;
          sum += term, magnitude += std::abs(term), values += std::abs(x) / total;
        }
        put(row, d, sum,
            off.result * std::abs(sum) + off.weight * magnitude + off.least_weight * values +
                (2 * of_scores + 1e-5) * magnitude + 1e-6);
      }
    }
}

}  // namespace tg::kernels::reference
