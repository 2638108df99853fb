// The Sobel operator on the host, in double precision.
#pragma once

#include <cmath>

#include <kernels/reference/rgb.hpp>

namespace tg::kernels::reference {

/// How far off a kernel may be that computes in floats: a gradient is a sum of eight numbers up to 1 in four steps, squared,
/// added and rooted.
inline constexpr double sobel_bound = 40 * 0x1p-24;

/// The length of the gradient of each sample.
inline rgb_picture sobel(const rgb_picture& picture) {
  return picture.map([&](int row, int pixel, int channel) {
    double gx = 0, gy = 0;
    for (int d = -1; d <= 1; ++d) {
      const int weight = 2 - d * d;
      gx += weight * (picture.at(row + d, pixel + 1, channel) - picture.at(row + d, pixel - 1, channel));
      gy += weight * (picture.at(row + 1, pixel + d, channel) - picture.at(row - 1, pixel + d, channel));
    }
    return std::hypot(gx, gy);
  });
}

}  // namespace tg::kernels::reference
