// What the tests of the kernels share: fresh random inputs, rows with gaps, poison where nothing may be left or
// written.
#pragma once

#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <span>
#include <vector>

#include <tg/tg.hpp>

#include "../random_seed.hpp"

namespace inputs {

/// A generator whose seed is new in each run; TG_TEST_SEED repeats a run.
struct generator {
  std::uint32_t seed = random_seed();
  std::mt19937 engine{seed};

  float between(float low, float high) { return std::uniform_real_distribution<float>(low, high)(engine); }
  std::vector<float> floats(std::size_t count, float low = -1, float high = 1) {
    std::vector<float> out(count);
    for (float& x : out) x = between(low, high);
    return out;
  }
  std::vector<std::uint8_t> bytes(std::size_t count) {
    std::vector<std::uint8_t> out(count);
    for (auto& x : out) x = static_cast<std::uint8_t>(engine());
    return out;
  }
};

/// The rounding error of one operation on floats, relative to its result.
inline constexpr double unit_roundoff = 0x1p-24;

template <class T> T poison() {
  if constexpr (std::is_integral_v<T>) return static_cast<T>(0xcdcdcdcdcdcdcdcd);
  else return static_cast<T>(std::numeric_limits<double>::quiet_NaN());
}

template <class T> bool is_poison(T x) {
  if constexpr (std::is_integral_v<T>) return x == poison<T>();
  else return std::isnan(static_cast<double>(x));
}

/// Rows on a device that are `leading` elements apart, poison in the gaps and, unless given, in the rows.
template <class T> class rows {
 public:
  rows(tg::device& gpu, std::size_t height, std::size_t width, std::size_t leading)
      : rows(gpu, std::vector<T>(height * width, poison<T>()), height, width, leading) {}
  rows(tg::device& gpu, const std::vector<T>& dense, std::size_t height, std::size_t width, std::size_t leading)
      : height_(height), width_(width), leading_(leading) {
    std::vector<T> all(height * leading, poison<T>());
    for (std::size_t r = 0; r < height; ++r)
      for (std::size_t c = 0; c < width; ++c) all[r * leading + c] = dense[r * width + c];
    buffer_ = gpu.upload(all);
  }

  auto matrix() { return tg::matrix(buffer_, height_, width_, leading_); }

  /// The rows without gaps, after a check that nothing was written into the gaps.
  std::vector<T> to_host() const {
    const auto all = buffer_.to_host();
    std::vector<T> out;
    std::size_t touched = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (i % leading_ < width_) out.push_back(all[i]);
      else touched += is_poison(all[i]) ? 0 : 1;
    }
    CHECK_MESSAGE(touched == 0, "elements between the rows were written");
    return out;
  }

 private:
  std::size_t height_, width_, leading_;
  tg::buffer<T> buffer_;
};

/// The largest of |got - wanted| - allowed over all elements; negative when every element keeps its bound. NaN is
/// infinite.
template <class T, class Allowed>
double largest_excess(std::span<const T> got, std::span<const double> wanted, Allowed allowed) {
  double worst =
      got.size() == wanted.size() ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < got.size() && i < wanted.size(); ++i) {
    const double excess = std::abs(static_cast<double>(got[i]) - wanted[i]) - allowed(i);
    worst = excess <= worst ? worst : std::isnan(excess) ? std::numeric_limits<double>::infinity() : excess;
  }
  return worst;
}

}  // namespace inputs
