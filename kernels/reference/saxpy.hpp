// y = a * x + y on the host, in double precision.
#pragma once

#include <span>
#include <vector>

#include <range/v3/range/conversion.hpp>
#include <range/v3/view/zip_with.hpp>

namespace tg::kernels::reference {

/// Requires: x and y of the same size.
inline std::vector<double> saxpy(double a, std::span<const float> x, std::span<const float> y) {
  return ranges::views::zip_with([a](double u, double v) { return a * u + v; }, x, y) | ranges::to<std::vector<double>>;
}

}  // namespace tg::kernels::reference
