// Filters of grey pictures on the host, in double precision. Outside a picture its edge goes on.
#pragma once

#include <algorithm>
#include <cmath>
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

/// Samples, and how far off the result of a kernel that computes in floats may be.
struct bounded_samples { std::vector<double> value, bound; };

/// The mean of the pixels in reach, with weights that fall with distance and with difference of samples.
inline bounded_samples bilateral(const grey_picture& picture, int radius, double sigma_space, double sigma_range) {
  constexpr double unit = 0x1p-24;
  bounded_samples out;
  for (int row = 0; row < picture.height; ++row)
    for (int column = 0; column < picture.width; ++column) {
      const double center = picture.at(row, column);
      double total = 0, sum = 0, size = 0, off = 0, weight_off = 0;
      int taps = 0;
      for (int i = -radius; i <= radius; ++i)
        for (int k = -radius; k <= radius; ++k) {
          if (i * i + k * k > radius * radius) continue;
          const double d = picture.at(row + i, column + k) - center;
          const double rate = (i * i + k * k) / (2 * sigma_space * sigma_space) + d * d / (2 * sigma_range * sigma_range);
          const double weight = std::exp(-rate), own = weight * (4 + 8 * rate) * unit;
          total += weight, sum += weight * d, size += weight * std::abs(d), ++taps;
          weight_off += own, off += (own + weight * unit) * std::abs(d);
        }
      // Errors of weights count in the sum and in what it is divided by; then additions, a division and the last sum.
      const double mean = sum / total;
      off =
          (off + weight_off * std::abs(mean) + (taps + 1) * unit * (size + std::abs(sum))) / total + 2 * unit * std::abs(mean);
      out.value.push_back(center + mean);
      out.bound.push_back(1.001 * off + unit * std::abs(center + mean));
    }
  return out;
}

/// The picture at the centres of pixels of another size: linear between pixels where `cubic` is 0, else Keys' cubic with it.
inline bounded_samples resize(const grey_picture& picture, int out_width, int out_height, double cubic) {
  constexpr double unit = 0x1p-24;
  const int taps = cubic == 0 ? 2 : 4;
  const auto weight = [&](double distance) {
    const double s = std::abs(distance);
    if (cubic == 0) return s < 1 ? 1 - s : 0;
    if (s < 1) return ((cubic + 2) * s - (cubic + 3)) * s * s + 1;
    return s < 2 ? cubic * (((s - 5) * s + 8) * s - 4) : 0;
  };
  bounded_samples out;
  for (int y = 0; y < out_height; ++y)
    for (int x = 0; x < out_width; ++x) {
      const double down = (y + 0.5) * picture.height / out_height - 0.5, across = (x + 0.5) * picture.width / out_width - 0.5;
      const int row = static_cast<int>(std::floor(down)), column = static_cast<int>(std::floor(across));
      double sum = 0, off = 0;
      for (int i = 1 - taps / 2; i <= taps / 2; ++i)
        for (int k = 1 - taps / 2; k <= taps / 2; ++k) {
          const double a = weight(down - row - i), b = weight(across - column - k), sample = picture.at(row + i, column + k);
          sum += a * b * sample;
          off += (12 * (std::abs(a) + std::abs(b)) + 2 * taps * std::abs(a * b)) * unit * std::abs(sample);
        }
      out.value.push_back(sum);
      out.bound.push_back(1.001 * off);
    }
  return out;
}

}  // namespace tg::kernels::reference
