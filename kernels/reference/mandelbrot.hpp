// Counts of the Mandelbrot set on the host, in the arithmetic of the kernel: each product and sum is fused, or only a product.
#pragma once

#include <cmath>

namespace tg::kernels::reference {

/// Steps from 0 until |z|^2 > 4, at most `limit`, at a point of a grid.
template <class T> unsigned mandelbrot(int column, int row, T left, T top, T step, unsigned limit) {
  const T c = std::fma(static_cast<T>(column), step, left), d = std::fma(static_cast<T>(row), step, top);
  T x = 0, y = 0;
  unsigned count = 0;
  while (count < limit && std::fma(x, x, y * y) <= T{4}) {
    const T real = std::fma(x, x, std::fma(-y, y, c));
    y = std::fma(x + x, y, d);
    x = real;
    ++count;
  }
  return count;
}

}  // namespace tg::kernels::reference
