// Softmax of the rows of a matrix on the host, in double precision.
#pragma once

#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include <range/v3/algorithm/max.hpp>
#include <range/v3/numeric/accumulate.hpp>
#include <range/v3/view/chunk.hpp>

namespace tg::kernels::reference {

/// Requires: `x` holds rows of `cols` elements without gaps.
inline std::vector<double> softmax(std::span<const float> x, std::size_t cols) {
  std::vector<double> out;
  out.reserve(x.size());
  for (const auto row : ranges::views::chunk(x, static_cast<std::ptrdiff_t>(cols))) {
    const double peak = ranges::max(row);
    const double sum = ranges::accumulate(row, 0.0, {}, [&](double v) { return std::exp(v - peak); });
    for (const double v : row) out.push_back(std::exp(v - peak) / sum);
  }
  return out;
}

}  // namespace tg::kernels::reference
