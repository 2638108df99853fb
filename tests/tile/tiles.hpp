// Matrices on the device for tests of tiles, with guards around what kernels may write.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <random>
#include <vector>

#include <kernels/reference/rounding.hpp>
#include <tg/tg.hpp>
#include <tg/tile.hpp>

namespace tiles {

/// A row-major matrix on the host whose rows are a multiple of `apart` elements apart; the gaps hold NaN, of integers the
/// smallest.
template <class T> struct matrix {
  unsigned rows, columns, leading;
  std::vector<T> elements;

  matrix(unsigned rows, unsigned columns, unsigned apart = 8)
      : rows(rows),
        columns(columns),
        leading((columns + apart - 1) / apart * apart),
        elements(std::size_t{rows} * leading, gap()) {}
  matrix(unsigned rows, unsigned columns, std::mt19937& random, unsigned apart = 8) : matrix(rows, columns, apart) {
    std::normal_distribution<float> normal;
    for (unsigned r = 0; r < rows; ++r)
      for (unsigned c = 0; c < columns; ++c) (*this)(r, c) = T(normal(random));
  }

  T& operator()(unsigned r, unsigned c) { return elements[std::size_t{r} * leading + c]; }
  double operator()(unsigned r, unsigned c) const { return static_cast<double>(elements[std::size_t{r} * leading + c]); }

  static T gap() {
    if constexpr (std::is_integral_v<T>) return std::numeric_limits<T>::min();
    else return T(std::numeric_limits<float>::quiet_NaN());
  }
  static bool is_gap(T x) {
    if constexpr (std::is_integral_v<T>) return x == gap();
    else return std::isnan(static_cast<double>(x));
  }
};

/// A copy on the device, and the argument of a launch that it is.
template <class T> struct on_device {
  matrix<T> host;
  tg::buffer<T> memory;

  on_device(tg::device& gpu, const matrix<T>& m) : host(m), memory(gpu.upload(m.elements)) {}
  auto argument() { return tg::matrix(memory, host.rows, host.columns, host.leading); }

  /// What the device holds now. Fails where a gap between rows was written.
  matrix<T> read() {
    matrix<T> out = host;
    out.elements = memory.to_host();
    bool is_whole = true;
    for (unsigned r = 0; r < out.rows; ++r)
      for (unsigned c = out.columns; c < out.leading; ++c) is_whole = is_whole && matrix<T>::is_gap(out(r, c));
    CHECK_MESSAGE(is_whole, "a kernel wrote outside of the matrix");
    return out;
  }
};

/// The largest |found - wanted| / bound; infinite for NaN.
struct excess {
  double worst = 0;

  void operator()(double found, double wanted, double bound) {
    const double own = std::abs(found - wanted) / (bound + 1e-30);
    if (!(own <= worst)) worst = std::isnan(own) ? std::numeric_limits<double>::infinity() : own;
  }
};

using tg::kernels::reference::rounding;
using tg::kernels::reference::smallest;
using tg::kernels::reference::unit;

}  // namespace tiles
