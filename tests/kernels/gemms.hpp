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

/// The largest distance of a product with a bias for each column from the exact one, as a multiple of its bound; a sum has
/// `additions` more than k.
template <class Out, gemm_options Options, class In>
double excess_with_bias(const tiles::matrix<Out>& found, const exact_product<Options, In>& exact,
                        const tiles::matrix<float>& bias, unsigned additions) {
  tiles::excess excess;
  for (unsigned r = 0; r < found.rows; ++r)
    for (unsigned j = 0; j < exact.n; ++j) {
      const auto [sum, size] = exact(0, 0, r, j);
      const double wanted = sum + bias(0, j), added = size + std::abs(bias(0, j));
      excess(found(r, j), wanted, tiles::rounding<Out>(wanted) + (exact.k + additions) * 0x1p-23 * added);
    }
  return excess.worst;
}

}  // namespace gemms
