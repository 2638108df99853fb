// What tests of products share: matrices, and the exact product.
#pragma once

#include <array>
#include <cmath>
#include <random>

#include <kernels/gemm.hpp>

#include "../tile/tiles.hpp"

namespace gemms {

using namespace tg::kernels;

template <class T> inline constexpr unsigned apart = 16 / sizeof(T);

/// Matrices below each other; whole numbers where T has only such.
template <class T> tiles::matrix<T> make(unsigned rows, unsigned columns, std::mt19937& random) {
  if constexpr (!std::is_integral_v<T>) return tiles::matrix<T>(rows, columns, random, apart<T>);
  else {
    tiles::matrix<T> out(rows, columns, apart<T>);
    for (unsigned r = 0; r < rows; ++r)
      for (unsigned c = 0; c < columns; ++c) out(r, c) = static_cast<T>(random());
    return out;
  }
}

/// Sums in double, and sums of magnitudes.
template <gemm_options Options, class In> struct exact_product {
  const tiles::matrix<In>&a, &b;
  unsigned n, k;

  // Element (r, c) of a product whose rows of A begin at `left`, of B at `right`.
  std::array<double, 2> operator()(unsigned left, unsigned right, unsigned r, unsigned c) const {
    double sum = 0, size = 0;
    for (unsigned d = 0; d < k; ++d) {
      const double term = (Options.left_transposed ? a(left + d, r) : a(left + r, d)) *
                          (Options.right_transposed ? b(right + c, d) : b(right + d, c));
      sum += term, size += std::abs(term);
    }
    return {sum, size};
  }
};

}  // namespace gemms
