// What tests of attention in tiles and of its gradients share: options, shapes, and PyTorch's inputs.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#include <kernels/attention_tiles.hpp>

#include "../f8_sums.hpp"
#include "../tile/tiles.hpp"

namespace attentions {

using tg::kernels::attention_options;

struct shape { unsigned queries, keys, heads = 1, group = 1, batch = 1; };

inline constexpr attention_options all{}, causal{.causal = true};
template <unsigned Window> inline constexpr attention_options last{.causal = true, .window = Window};

/// How far a number of T may be from what it stands for, relative to it.
template <class T>
inline constexpr double unit = std::is_same_v<T, tg::bf16>  ? 0x1p-8
                               : std::is_same_v<T, tg::f16> ? 0x1p-11
                                                            : 0x1p-4;
/// How far a weight of T may be from what it stands for where it is small: half the distance of the smallest 8-bit floats,
/// which stand for weights up to 1 as numbers up to 256.
template <class T> inline constexpr double least = sizeof(T) == 1 ? 0x1p-18 : 0;

/// Whether query i of `queries` sees key j of `keys`.
constexpr bool is_seen(const attention_options& o, unsigned i, unsigned queries, unsigned j, unsigned keys) {
  if (!o.causal) return true;
  const long long end = 1LL + i + keys - queries;
  return j < end && (o.window == 0 || j + static_cast<long long>(o.window) >= end);
}

/// One sequence of attention: rows of q and o from `row` on, of k and v from `key_row` on; v and o are called with a row and a
/// column. The logarithm of row r of head h is log_sums(h, r). Weights are rounded to T, o to Out.
template <int Size, class T, class Out = T, class Q, class V, class O, class LogSums>
void check_sequence(tiles::excess& excess, const attention_options& options, const shape& s, unsigned row, unsigned key_row,
                    const Q& q, const Q& k, const V& v, const O& o, const LogSums& log_sums, bool has_f8_sums = false) {
  const float scale = 1 / std::sqrt(float(Size));
  std::vector<double> weight(s.keys);
  for (unsigned h = 0; h < s.heads; ++h)
    for (unsigned i = 0; i < s.queries; ++i) {
      const unsigned left = h * Size, key_left = h / s.group * Size;
      double largest = -std::numeric_limits<double>::infinity(), total = 0, of_scores = 0;
      for (unsigned j = 0; j < s.keys; ++j) {
        double score = 0, terms = 0;
        for (unsigned d = 0; d < Size; ++d) {
          const double term = q(row + i, left + d) * k(key_row + j, key_left + d);
          score += term, terms += std::abs(term);
        }
        if (has_f8_sums) of_scores = std::max(of_scores, terms * scale * error_of_f8_sums(Size));
        weight[j] = is_seen(options, i, s.queries, j, s.keys) ? score * scale : -std::numeric_limits<double>::infinity();
        largest = std::max(largest, weight[j]);
      }
      for (double& w : weight) total += w = std::isinf(w) ? 0 : std::exp(w - largest);
      if constexpr (!std::is_same_v<LogSums, int>) {
        const double wanted = largest + std::log(total);
        if (total == 0) CHECK(log_sums(h, row + i) == -std::numeric_limits<double>::infinity());
        else excess(log_sums(h, row + i), wanted, 1e-5 * (1 + std::abs(wanted)) + of_scores);
      }
      for (unsigned d = 0; d < Size; ++d) {
        double sum = 0, size = 0, values = 0;
        for (unsigned j = 0; j < s.keys; ++j) {
          const double term = total == 0 ? 0 : weight[j] / total * v(key_row + j, key_left + d);
          sum += term, size += std::abs(term);
          if (weight[j] > 0) values += std::abs(v(key_row + j, key_left + d)) / total;
        }
        const double of_weights = (sizeof(T) == 1 ? 1 : 2) * unit<T> * size + least<T> * values;
        const double of_sums = has_f8_sums ? 2 * of_scores + error_of_f8_sums(static_cast<int>(s.keys)) : 0;
        excess(o(row + i, left + d), sum, unit<Out> * std::abs(sum) + of_weights + (of_sums + 1e-5) * size + 1e-6);
      }
    }
}

/// The numbers from `first` on of the rule that attention_values.py and attention_gradient_values.py have too.
template <class T> tiles::matrix<T> ruled(std::uint32_t first, unsigned rows, unsigned columns) {
  tiles::matrix<T> out(rows, columns);
  for (unsigned r = 0; r < rows; ++r)
    for (unsigned c = 0; c < columns; ++c) out(r, c) = T(static_cast<float>(first++ * 2654435761u >> 24) / 64 - 2);
  return out;
}

}  // namespace attentions
