// Transforms of arrays beside those of the definition.
#pragma once

#include <kernels/arrays/fft.hpp>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <vector>

#include "../inputs.hpp"
#include "refusals.hpp"

namespace transforms {

using numbers = std::vector<std::complex<double>>;

/// The transform of each line of n numbers by its definition; `sign` is that of the exponent.
inline numbers transformed(const numbers& x, std::size_t n, int sign) {
  numbers roots(n), out(x.size());
  for (std::size_t k = 0; k < n; ++k)
    roots[k] = std::polar(1.0, sign * 2 * std::acos(-1.0) * static_cast<double>(k) / static_cast<double>(n));
  for (std::size_t line = 0; line < x.size(); line += n)
    for (std::size_t k = 0; k < n; ++k)
      for (std::size_t j = 0; j < n; ++j) out[line + k] += x[line + j] * roots[j * k % n];
  return out;
}
inline numbers turned(const numbers& x, std::size_t rows, std::size_t columns) {
  numbers out(x.size());
  for (std::size_t picture = 0; picture < x.size(); picture += rows * columns)
    for (std::size_t r = 0; r < rows; ++r)
      for (std::size_t c = 0; c < columns; ++c) out[picture + c * rows + r] = x[picture + r * columns + c];
  return out;
}
inline numbers scaled(numbers x, double by) {
  for (auto& each : x) each *= by;
  return x;
}
inline numbers complex_of(const std::vector<float>& pairs) {
  numbers out;
  for (std::size_t k = 0; k + 1 < pairs.size(); k += 2) out.emplace_back(pairs[k], pairs[k + 1]);
  return out;
}
inline double norm_of(const numbers& x) {
  double sum = 0;
  for (const auto& each : x) sum += std::norm(each);
  return std::sqrt(sum);
}
/// The Euclidean norm of the error, relative to the bound of a transform of n numbers.
inline double worst_of(const numbers& found, const numbers& wanted, double n) {
  REQUIRE(found.size() == wanted.size());
  numbers off;
  for (std::size_t k = 0; k < found.size(); ++k) off.push_back(found[k] - wanted[k]);
  const double own = norm_of(off) / ((std::log2(n) * 7 + 2) * 0x1p-24 * norm_of(wanted) + 1e-30);
  return std::isnan(own) ? INFINITY : own;
}

template <unsigned Named> void check_lines(std::int64_t lines, std::int64_t n) {
  tg::device gpu;
  inputs::generator random;
  INFO("seed ", random.seed, ", lines ", lines, ", n ", n);
  const auto host = random.floats(static_cast<std::size_t>(4 * lines * n));
  const tg::array<float, 4> x(gpu, {2, lines, n, 2}, host);
  const auto size = static_cast<std::size_t>(n);
  CHECK(worst_of(complex_of(tg::fft<Named>(x).to_host()), transformed(complex_of(host), size, -1), double(n)) <= 1);
  const auto back = scaled(transformed(complex_of(host), size, 1), 1.0 / double(n));
  CHECK(worst_of(complex_of(tg::inverse_fft<Named>(x).to_host()), back, double(n)) <= 1);
}

template <unsigned Named> void check_real(std::int64_t lines, std::int64_t n) {
  tg::device gpu;
  inputs::generator random;
  INFO("seed ", random.seed, ", lines ", lines, ", n ", n);
  const auto host = random.floats(static_cast<std::size_t>(lines * n));
  const tg::array<float, 2> x(gpu, {lines, n}, host);
  const auto y = tg::real_fft<Named>(x);
  REQUIRE(y.shape() == tg::array_shape<3>(lines, n / 2 + 1, 2));
  const numbers all = transformed(numbers(host.begin(), host.end()), static_cast<std::size_t>(n), -1);
  numbers wanted;
  for (std::size_t k = 0; k < all.size(); ++k)
    if (k % static_cast<std::size_t>(n) <= static_cast<std::size_t>(n / 2)) wanted.push_back(all[k]);
  CHECK(worst_of(complex_of(y.to_host()), wanted, double(n) * 2) <= 1);
  const auto again = tg::inverse_real_fft<Named>(y);
  CHECK(again.shape() == x.shape());
  const auto found = again.to_host();
  CHECK(worst_of(numbers(found.begin(), found.end()), numbers(host.begin(), host.end()), double(n) * double(n)) <= 1);
}

}  // namespace transforms
