// The transpose of a matrix on the host.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace tg::kernels::reference {

/// Requires: `a` holds rows x cols elements without gaps. Returns: cols x rows elements.
template <class T> std::vector<T> transpose(std::span<const T> a, std::size_t rows, std::size_t cols) {
  std::vector<T> out(a.size());
  for (std::size_t row = 0; row < rows; ++row)
    for (std::size_t col = 0; col < cols; ++col) out[col * rows + row] = a[row * cols + col];
  return out;
}

}  // namespace tg::kernels::reference
