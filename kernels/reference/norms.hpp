// Norms of rows on the host, in double precision, and how far off kernels that compute in floats may be.
#pragma once

#include <algorithm>
#include <cmath>

#include <kernels/reference/rounding.hpp>

namespace tg::kernels::reference {

/// (x - mean) / sqrt(variance + epsilon) * gamma + beta of each row, rounded to T. x is called with a row and a column, gamma
/// and beta with a column.
template <class T, class X, class Gamma, class Beta>
bounded layer_norm(unsigned rows, unsigned columns, const X& x, const Gamma& gamma, const Beta& beta, double epsilon) {
  bounded out;
  for (unsigned r = 0; r < rows; ++r) {
    double mean = 0, variance = 0;
    for (unsigned c = 0; c < columns; ++c) mean += x(r, c) / columns;
    for (unsigned c = 0; c < columns; ++c) variance += (x(r, c) - mean) * (x(r, c) - mean) / columns;
    for (unsigned c = 0; c < columns; ++c) {
      const double scaled = (x(r, c) - mean) / std::sqrt(variance + epsilon) * gamma(c), wanted = scaled + beta(c);
      const double size = std::abs(scaled) + std::abs(gamma(c)) + std::abs(beta(c));
      out.add(wanted, unit<T> * std::abs(wanted) + 1e-5 * size);
    }
  }
  return out;
}

/// What `residual_rms_norm` leaves.
struct rms_normed { bounded sum, y; };
/// x + residual, and it divided by the root of the mean of its squares, times gamma.
template <class T, class X, class Residual, class Gamma>
rms_normed residual_rms_norm(unsigned rows, unsigned columns, const X& x, const Residual& residual, const Gamma& gamma,
                             double epsilon) {
  rms_normed out;
  for (unsigned r = 0; r < rows; ++r) {
    double squares = 0;
    for (unsigned c = 0; c < columns; ++c) squares += std::pow(x(r, c) + residual(r, c), 2) / columns;
    for (unsigned c = 0; c < columns; ++c) {
      const double sum = x(r, c) + residual(r, c), wanted = sum / std::sqrt(squares + epsilon) * gamma(c);
      out.sum.add(sum, unit<T> * std::abs(sum));
      out.y.add(wanted, (unit<T> + 1e-5) * std::abs(wanted));
    }
  }
  return out;
}

/// silu(norm(x) * gate) * (norm(x) * up), where x is m x k, gate and up are k x n, and the operand of the products is rounded
/// to T.
template <class T, class X, class Gamma, class Gate, class Up>
bounded rms_swiglu(unsigned m, unsigned n, unsigned k, const X& x, const Gamma& gamma, const Gate& gate, const Up& up,
                   double epsilon) {
  bounded out;
  for (unsigned r = 0; r < m; ++r) {
    double squares = 0;
    for (unsigned d = 0; d < k; ++d) squares += x(r, d) * x(r, d) / k;
    const double scale = 1 / std::sqrt(squares + epsilon);
    for (unsigned j = 0; j < n; ++j) {
      double sums[2] = {}, sizes[2] = {};
      for (unsigned d = 0; d < k; ++d)
        for (int w = 0; w < 2; ++w) {
          const double left = x(r, d) * gamma(d), factor = scale * (w == 0 ? gate(d, j) : up(d, j));
          sums[w] += left * factor, sizes[w] += std::max(std::abs(left), smallest<T>) * std::abs(factor);
        }
      const double share = 1 / (1 + std::exp(-sums[0])), silu = sums[0] * share, wanted = silu * sums[1];
      // silu has a slope of at most 1.1.
      const double off = unit<T> + (k + 8) * 0x1p-23;
      const double bound =
          1.1 * off * sizes[0] * std::abs(sums[1]) + std::abs(silu) * off * sizes[1] + 1.1 * off * off * sizes[0] * sizes[1];
      out.add(wanted, rounding<T>(wanted) + 1e-5 * std::abs(wanted) + bound);
    }
  }
  return out;
}

}  // namespace tg::kernels::reference
