// Weights of quantised blocks, one by one and in double. kernels/block_formats.hpp has the same layouts again on purpose: this
// judges it.
#pragma once

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

#include <tg/dsl/vector/narrow_float.hpp>

namespace tg::kernels::reference {

/// A weight, and the sum of the sizes of its terms, which says how far off a float computation may be.
struct weight { double value = 0, size = 0; };

namespace detail {

inline double half_at(const std::uint8_t* at) {
  std::uint16_t bits;
  std::memcpy(&bits, at, 2);
  return static_cast<double>(static_cast<float>(std::bit_cast<tg::f16>(bits)));
}
inline weight sum_of(double a, double b) { return {a + b, std::abs(a) + std::abs(b)}; }
inline int nibble(const std::uint8_t* bytes, unsigned j) { return j < 16 ? bytes[j] & 15 : bytes[j - 16] >> 4; }
inline int fifth(const std::uint8_t* bits, unsigned j) { return (bits[j / 8] >> (j % 8) & 1) << 4; }

/// Weight j of a block of q4_k, or of q5_k, which has 32 bytes of fifth bits in front of the nibbles.
inline weight in_groups(const std::uint8_t* b, unsigned j, bool has_fifth) {
  const std::uint8_t* const s = b + 4;
  const unsigned g = j / 32, l = j % 32;
  const int scale = g < 4 ? s[g] & 63 : (s[g + 4] & 15) | (s[g - 4] >> 6) << 4;
  const int minimum = g < 4 ? s[g + 4] & 63 : s[g + 4] >> 4 | (s[g] >> 6) << 4;
  const std::uint8_t* const quants = b + (has_fifth ? 48 : 16) + 32 * (g / 2);
  int q = g % 2 == 0 ? quants[l] & 15 : quants[l] >> 4;
  if (has_fifth) q += (b[16 + l] >> g & 1) << 4;
  return sum_of(half_at(b) * scale * q, -half_at(b + 2) * minimum);
}
inline weight in_q6_k(const std::uint8_t* b, unsigned j) {
  const unsigned half = j / 128, k = j % 128 / 32, l = j % 32;
  const int low = b[64 * half + 32 * (k % 2) + l] >> (k < 2 ? 0 : 4) & 15;
  const int high = b[128 + 32 * half + l] >> (2 * k) & 3;
  const auto scale = static_cast<std::int8_t>(b[192 + 8 * half + 2 * k + l / 16]);
  const double d = half_at(b + 208) * scale;
  return sum_of(d * ((low | high << 4) - 32), 0);
}
inline weight in_nf4(const std::uint8_t* b, unsigned j) {
  static constexpr double table[] = {-1,
                                     -0.6961928009986877,
                                     -0.5250730514526367,
                                     -0.39491748809814453,
                                     -0.28444138169288635,
                                     -0.18477343022823334,
                                     -0.09105003625154495,
                                     0,
                                     0.07958029955625534,
                                     0.16093020141124725,
                                     0.24611230194568634,
                                     0.33791524171829224,
                                     0.44070982933044434,
                                     0.5626170039176941,
                                     0.7229568362236023,
                                     1};
  float scale;
  std::memcpy(&scale, b, 4);
  const int q = j % 2 == 0 ? b[4 + j / 2] >> 4 : b[4 + j / 2] & 15;
  return sum_of(static_cast<double>(scale) * table[q], 0);
}

}  // namespace detail

/// Weight j of a block of this format: "q4_0", "q4_1", "q5_0", "q5_1", "q8_0", "q8_1", "q4_k", "q5_k", "q6_k", "nf4".
inline weight weight_of(std::string_view format, const std::uint8_t* b, unsigned j) {
  using namespace detail;
  const double d = half_at(b);
  if (format == "q4_0") return sum_of(d * (nibble(b + 2, j) - 8), 0);
  if (format == "q4_1") return sum_of(d * nibble(b + 4, j), half_at(b + 2));
  if (format == "q5_0") return sum_of(d * (nibble(b + 6, j) + fifth(b + 2, j) - 16), 0);
  if (format == "q5_1") return sum_of(d * (nibble(b + 8, j) + fifth(b + 4, j)), half_at(b + 2));
  if (format == "q8_0") return sum_of(d * static_cast<std::int8_t>(b[2 + j]), 0);
  if (format == "q8_1") return sum_of(d * static_cast<std::int8_t>(b[4 + j]), 0);
  if (format == "q4_k") return in_groups(b, j, false);
  if (format == "q5_k") return in_groups(b, j, true);
  return format == "q6_k" ? in_q6_k(b, j) : in_nf4(b, j);
}

}  // namespace tg::kernels::reference
