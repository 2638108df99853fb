// Q8_1 groups of 32 numbers on the host, in double precision.
// The layout is that of kernels/q8_1.hpp, written again on purpose: this file judges that kernel.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>

namespace tg::kernels::reference {

/// A group before its scale and sum are rounded to f16.
struct q8_1_numbers {
  std::array<int, 32> q{};
  double d = 0;
  double s = 0;
};

/// Requires: 32 numbers.
inline q8_1_numbers quantize_q8_1(std::span<const float> x) {
  q8_1_numbers out;
  for (const float v : x) out.d = std::max(out.d, std::abs(double{v}) / 127);
  for (std::size_t j = 0; j < out.q.size() && out.d > 0; ++j) {
    out.q[j] = static_cast<int>(std::nearbyint(x[j] / out.d));
    out.s += out.d * out.q[j];
  }
  return out;
}

}  // namespace tg::kernels::reference
