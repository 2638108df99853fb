// Filters of grey pictures on the host, in double precision. Outside a picture its edge goes on.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace tg::kernels::reference {

/// Rows of samples, one for each pixel.
struct grey_picture {
  int width, height;
  std::vector<double> samples;

  template <class T>
  grey_picture(const std::vector<T>& from, int width, int height)
      : width(width), height(height), samples(from.begin(), from.end()) {}
  /// The sample of a pixel, which is kept inside the picture.
  double at(int row, int column) const {
    const int r = std::clamp(row, 0, height - 1), c = std::clamp(column, 0, width - 1);
    return samples[static_cast<std::size_t>(r) * static_cast<std::size_t>(width) + static_cast<std::size_t>(c)];
  }
};

/// The median of the size x size pixels around each.
inline std::vector<double> median(const grey_picture& picture, int size) {
  std::vector<double> out, around;
  for (int row = 0; row < picture.height; ++row)
    for (int column = 0; column < picture.width; ++column) {
      around.clear();
      for (int i = 0; i < size; ++i)
        for (int k = 0; k < size; ++k) around.push_back(picture.at(row + i - size / 2, column + k - size / 2));
      const auto middle = around.begin() + size * size / 2;
      std::nth_element(around.begin(), middle, around.end());
      out.push_back(*middle);
    }
  return out;
}

}  // namespace tg::kernels::reference
