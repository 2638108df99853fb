// Gradients beside central differences of a function in double precision.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <vector>

namespace arrays {

using rows_of_numbers = std::vector<double>;  // a matrix without gaps, or a line

/// The gradient of `sum(weight * f(x))` at x, by differences. Units: off by about 1e-9 of the function's size.
inline rows_of_numbers gradient_of(const std::function<rows_of_numbers(const rows_of_numbers&)>& f, rows_of_numbers x,
                                   const rows_of_numbers& weight) {
  constexpr double step = 1e-5;
  rows_of_numbers out(x.size());
  const auto total = [&] {
    const rows_of_numbers y = f(x);
    double sum = 0;
    for (std::size_t i = 0; i < y.size(); ++i) sum += weight[i] * y[i];
    return sum;
  };
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double own = x[i];
    x[i] = own + step;
    const double above = total();
    x[i] = own - step;
    out[i] = (above - total()) / (2 * step);
    x[i] = own;
  }
  return out;
}

/// The largest difference of two lists, relative to the largest wanted number. Infinite for NaN or other lengths.
template <class T> double apart(const std::vector<T>& found, const rows_of_numbers& wanted) {
  if (found.size() != wanted.size()) return INFINITY;
  double most = 1e-30, out = 0;
  for (const double w : wanted) most = std::max(most, std::abs(w));
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const double own = std::abs(static_cast<double>(found[i]) - wanted[i]) / most;
    if (!(own <= out)) out = std::isnan(own) ? INFINITY : own;
  }
  return out;
}

inline std::vector<float> to_floats(const rows_of_numbers& x) { return {x.begin(), x.end()}; }

}  // namespace arrays
