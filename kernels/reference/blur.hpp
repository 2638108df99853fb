// Gaussian blur of RGB pictures on the host, in double precision.
#pragma once

#include <cmath>
#include <cstdlib>
#include <vector>

#include <kernels/reference/rgb.hpp>

namespace tg::kernels::reference {

/// The weights exp(-d^2 / (2 sigma^2)) / total of a Gaussian of 2 * radius + 1 taps.
class gaussian {
 public:
  gaussian(int radius, double sigma) : radius_(radius) {
    double total = 0;
    for (int d = 0; d <= radius; ++d) total += weights_.emplace_back(std::exp(-0.5 * d * d / (sigma * sigma))) * (d ? 2 : 1);
    for (double& w : weights_) w /= total;
  }

  /// The weighted sum of `tap(d)` for the distances d from -radius to radius.
  template <class Tap> double operator()(Tap tap) const {
    double sum = 0;
    for (int d = -radius_; d <= radius_; ++d) sum += weights_[std::abs(d)] * tap(d);
    return sum;
  }

 private:
  int radius_;
  std::vector<double> weights_;
};

/// How far off a kernel may be that blurs samples up to 1 in floats along one axis. Weights are off by two units of ex2.approx
/// and a few roundings, which the division by their sum mostly takes back; then each tap adds a product and a sum.
constexpr double blur_bound(int radius) { return (3 * radius * radius + 16 + 2 * radius) * 0x1p-24; }

inline rgb_picture blur_horizontal(const rgb_picture& picture, int radius, double sigma) {
  const gaussian weighted(radius, sigma);
  return picture.map(
      [&](int row, int pixel, int channel) { return weighted([&](int d) { return picture.at(row, pixel + d, channel); }); });
}

inline rgb_picture blur_vertical(const rgb_picture& picture, int radius, double sigma) {
  const gaussian weighted(radius, sigma);
  return picture.map(
      [&](int row, int pixel, int channel) { return weighted([&](int d) { return picture.at(row + d, pixel, channel); }); });
}

}  // namespace tg::kernels::reference
