// Products of matrices on the host.
#pragma once

#include "arrays.hpp"

namespace arrays {

/// The product of matrices in the last two dimensions; the others broadcast.
inline host matmul(const host& a, const host& b) {
  const auto matrices = [](const host& x) { return std::vector<std::int64_t>(x.shape.begin(), x.shape.end() - 2); };
  std::vector<std::int64_t> shape = joined(matrices(a), matrices(b));
  const std::int64_t depth = a.shape.back();
  shape.push_back(a.shape[a.rank() - 2]);
  shape.push_back(b.shape.back());
  host out(shape);
  if (depth == 0) return out;
  for_each_index(shape, [&](const auto& i, std::size_t n) {
    std::vector<std::int64_t> first = i;
    first.back() = 0;
    const double* left = &a.numbers[place_in(a, first)];
    first = i;
    first[first.size() - 2] = 0;
    const double* right = &b.numbers[place_in(b, first)];
    // Tests are not optimised: what this loop costs is most of what they take.
    double own = 0;
    for (std::int64_t k = 0; k < depth; ++k, ++left, right += b.shape.back()) own += *left * *right;
    out.numbers[n] = own;
  });
  return out;
}
inline host magnitudes(const host& x) {
  return map([](double a) { return std::abs(a); }, x);
}

/// The largest difference of sums of products, as a multiple of what floats may be apart: k * 2^-23 of the sum of magnitudes.
inline double excess_of_products(const host& got, const host& wanted, const host& a, const host& b) {
  if (got.shape != wanted.shape) return std::numeric_limits<double>::infinity();
  const host size = matmul(magnitudes(a), magnitudes(b));
  const double depth = static_cast<double>(std::max<std::int64_t>(a.shape.back(), 1));
  double out = 0;
  for (std::size_t k = 0; k < got.numbers.size(); ++k) {
    if (std::isnan(got.numbers[k])) return std::numeric_limits<double>::infinity();
    out = std::max(out, std::abs(got.numbers[k] - wanted.numbers[k]) / ((size.numbers[k] + 1) * depth * 0x1p-23));
  }
  return out;
}

}  // namespace arrays
