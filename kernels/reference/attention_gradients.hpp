// Gradients of attention on the host, in double precision.
#pragma once

#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include <kernels/reference/attention.hpp>

namespace tg::kernels::reference {

/// Rows of numbers without gaps, which are 0 at first.
struct table {
  unsigned rows, columns;
  std::vector<double> elements;

  table(unsigned rows, unsigned columns) : rows(rows), columns(columns), elements(std::size_t{rows} * columns) {}

  double& operator()(unsigned r, unsigned c) { return elements[std::size_t{r} * columns + c]; }
  double operator()(unsigned r, unsigned c) const { return elements[std::size_t{r} * columns + c]; }
};

/// Gradients of q, k and v, and the sums of magnitudes that their errors are relative to.
struct attention_gradients {
  table q, k, v, q_size, k_size, v_size;

  /// `rows` of q, `key_rows` of k and v.
  attention_gradients(unsigned rows, unsigned width, unsigned key_rows, unsigned key_width)
      : q(rows, width),
        k(key_rows, key_width),
        v(key_rows, key_width),
        q_size(rows, width),
        k_size(key_rows, key_width),
        v_size(key_rows, key_width) {}

  /// How far off element i of a gradient may be, where weights and results are rounded by `unit`.
  static double bound(const table& wanted, const table& size, std::size_t i, double unit) {
    return unit * std::abs(wanted.elements[i]) + 1.5 * unit * size.elements[i] + 1e-6;
  }
};

/// Adds what one head of one sequence does to the gradients; its rows and heads are as `attend` has them. d_o: the gradient of
/// o. `to_o(row, column, exact)` returns o as a kernel reads it; `put_row(row, log_sum, delta)` gets the logarithm of the sum
/// of exponentials of a query and the sum of o * d_o.
template <class Mask, class Q, class K, class V, class Slope, class ToO, class PutRow>
void add_attention_gradients(attention_gradients& to, const Mask& mask, const attention_shape& s, unsigned size, unsigned row,
                             unsigned key_row, unsigned head, const Q& q, const K& k, const V& v, const Slope& d_o,
                             const ToO& to_o, const PutRow& put_row) {
  const float scale = 1 / std::sqrt(static_cast<float>(size));
  const unsigned left = head * size, key_left = head / s.group * size;
  std::vector<double> weight(s.keys);
  for (unsigned i = 0; i < s.queries; ++i) {
    for (unsigned j = 0; j < s.keys; ++j) {
      double score = 0;
      for (unsigned d = 0; d < size; ++d) score += q(row + i, left + d) * k(key_row + j, key_left + d);
      weight[j] = is_seen(mask, i, s.queries, j, s.keys) ? score * scale : -std::numeric_limits<double>::infinity();
    }
    double total = 0, delta = 0, delta_size = 0;
    const double log_sum = to_weights(weight, total);
    for (unsigned d = 0; d < size; ++d) {
      double sum = 0;
      for (unsigned j = 0; j < s.keys; ++j) sum += total == 0 ? 0 : weight[j] / total * v(key_row + j, key_left + d);
      const double term = to_o(row + i, left + d, sum) * d_o(row + i, left + d);
      delta += term, delta_size += std::abs(term);
    }
    put_row(row + i, log_sum, delta);
    for (unsigned j = 0; j < s.keys; ++j) {
      if (weight[j] == 0) continue;
      const double w = weight[j] / total;
      double slope = 0, slope_size = 0;
      for (unsigned d = 0; d < size; ++d) {
        const double term = d_o(row + i, left + d) * v(key_row + j, key_left + d);
        slope += term, slope_size += std::abs(term);
        to.v(key_row + j, key_left + d) += w * d_o(row + i, left + d);
        to.v_size(key_row + j, key_left + d) += std::abs(w * d_o(row + i, left + d));
      }
      const double own = w * (slope - delta) * scale;
      // Relative to the rounded change; the sums under it are in float.
      const double own_size = std::abs(own) + w * (slope_size + delta_size) * scale * 0x1p-8;
      for (unsigned d = 0; d < size; ++d) {
        to.q(row + i, left + d) += own * k(key_row + j, key_left + d);
        to.q_size(row + i, left + d) += own_size * std::abs(k(key_row + j, key_left + d));
        to.k(key_row + j, key_left + d) += own * q(row + i, left + d);
        to.k_size(key_row + j, key_left + d) += own_size * std::abs(q(row + i, left + d));
      }
    }
  }
}

}  // namespace tg::kernels::reference
