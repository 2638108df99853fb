// Gravity of all pairs of bodies on the host, in double precision.
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

namespace tg::kernels::reference {

/// The four results of each body, and the sums of the sizes of their terms.
struct pulls { std::vector<double> value, size; };

/// What pulls on each body and its potential. Bodies are x, y, z and mass.
inline pulls n_body(const std::vector<float>& bodies, double softening, double g) {
  pulls out{std::vector<double>(bodies.size()), std::vector<double>(bodies.size())};
  for (std::size_t i = 0; i < bodies.size(); i += 4)
    for (std::size_t j = 0; j < bodies.size(); j += 4) {
      double squares = softening * softening;
      for (std::size_t c = 0; c < 3; ++c) squares += std::pow(double{bodies[j + c]} - double{bodies[i + c]}, 2);
      const double height = g * bodies[j + 3] / std::sqrt(squares);
      for (std::size_t c = 0; c < 3; ++c) {
        const double term = height / squares * (double{bodies[j + c]} - double{bodies[i + c]});
        out.value[i + c] += term, out.size[i + c] += std::abs(term);
      }
      // A body has no potential of itself, but floats take it in and out again.
      if (i != j) out.value[i + 3] -= height;
      out.size[i + 3] += std::abs(height);
    }
  return out;
}

}  // namespace tg::kernels::reference
