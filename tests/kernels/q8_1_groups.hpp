// Activations in Q8_1 whose sums are exact, and how far the weight of byte 0 is from 0.
#pragma once

#include <cmath>

#include "blocks.hpp"

namespace blocks {

/// Groups of 32 bytes with scales that are powers of two: d times the sum of bytes is a number of f16.
struct q8_1_groups {
  std::vector<std::int8_t> q;
  std::vector<tg::f16x2> ds;

  q8_1_groups(std::size_t count, inputs::generator& random) : q(count), ds(count / 32) {
    for (std::size_t g = 0; g < ds.size(); ++g) {
      int sum = 0;
      for (std::size_t j = 0; j < 32; ++j) {
        q[32 * g + j] = static_cast<std::int8_t>(static_cast<int>(random.engine() % 127) - 63);
        sum += q[32 * g + j];
      }
      const float d = std::ldexp(1.0f, -static_cast<int>(random.engine() % 8));
      ds[g] = {tg::f16(d), tg::f16(d * static_cast<float>(sum))};
    }
  }
  double number(std::size_t i) const { return static_cast<double>(static_cast<float>(ds[i / 32].low)) * q[i]; }
};

/// The scale that the block of weight i begins with, of q6_k ends with.
template <class Format> double scale_of(std::string_view name, const std::vector<std::uint8_t>& bytes, std::size_t i) {
  return tg::kernels::reference::detail::half_at(&bytes[i / Format::values * Format::bytes + (name == "q6_k" ? 208 : 0)]);
}
/// The size of the constant part of weight i, where the reference does not have it as a term: 8 or 16 times the scale.
template <class Format> double distance_of_zero(std::string_view name, const std::vector<std::uint8_t>& bytes, std::size_t i) {
  const double d = std::abs(scale_of<Format>(name, bytes, i));
  return name == "q4_0" ? 8 * d : name == "q5_0" ? 16 * d : 0;
}

}  // namespace blocks
