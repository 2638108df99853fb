// The sum of floats on the host, in double precision.
#pragma once

#include <span>

#include <range/v3/numeric/accumulate.hpp>

namespace tg::kernels::reference {

inline double sum(std::span<const float> x) { return ranges::accumulate(x, 0.0); }

}  // namespace tg::kernels::reference
