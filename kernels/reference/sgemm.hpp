// A product of matrices on the host, in double, with what its rounding errors are measured by.
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

namespace tg::kernels::reference {

/// A * B and |A| * |B|.
struct product {
  std::vector<double> sum;
  std::vector<double> magnitude;
};

/// Requires: `a` holds m x k elements without gaps, `b` k x n.
template <class A, class B> product multiply(const A& a, const B& b, std::size_t m, std::size_t n, std::size_t k) {
  product out{std::vector<double>(m * n), std::vector<double>(m * n)};
  for (std::size_t row = 0; row < m; ++row)
    for (std::size_t at = 0; at < k; ++at) {
      const auto left = static_cast<double>(a[row * k + at]);
      for (std::size_t col = 0; col < n; ++col) {
        const double term = left * static_cast<double>(b[at * n + col]);
        out.sum[row * n + col] += term;
        out.magnitude[row * n + col] += std::abs(term);
      }
    }
  return out;
}

}  // namespace tg::kernels::reference
