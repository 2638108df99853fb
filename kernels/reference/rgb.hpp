// RGB pictures on the host, in double precision.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tg::kernels::reference {

/// Rows of 3 * width numbers without gaps.
struct rgb_picture {
  int width = 0;
  int height = 0;
  std::vector<double> samples;

  /// Outside the picture its edge goes on.
  double at(int row, int pixel, int channel) const {
    row = std::clamp(row, 0, height - 1);
    pixel = std::clamp(pixel, 0, width - 1);
    const std::size_t first = (std::size_t(row) * width + pixel) * 3;
    return samples[first + channel];
  }

  /// A picture of the same size whose samples are `f(row, pixel, channel)`.
  template <class F> rgb_picture map(F f) const {
    rgb_picture out{width, height, {}};
    out.samples.reserve(samples.size());
    for (int row = 0; row < height; ++row)
      for (int pixel = 0; pixel < width; ++pixel)
        for (int channel = 0; channel < 3; ++channel) out.samples.push_back(f(row, pixel, channel));
    return out;
  }
};

/// Bytes as numbers where 1 is white. Requires: 3 * width * height bytes.
inline rgb_picture to_picture(std::span<const std::uint8_t> bytes, int width, int height) {
  rgb_picture out{width, height, {}};
  out.samples.reserve(bytes.size());
  for (const std::uint8_t b : bytes) out.samples.push_back(b / 255.0);
  return out;
}

}  // namespace tg::kernels::reference
