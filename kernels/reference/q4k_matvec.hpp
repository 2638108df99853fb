// Q4_K blocks on the host: their weights, and matrix-vector products in double precision.
// The layout is that of kernels/q4k_matvec.hpp, written again on purpose: this file judges that kernel.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>

#include <tg/dsl/vector/narrow_float.hpp>

namespace tg::kernels::reference {

/// One block of 256 weights, taken apart. Weight 32 * g + j is d * scale[g] * nibble[32 * g + j] - dmin * minimum[g].
struct q4k_block {
  static constexpr std::size_t bytes = 144;
  static constexpr std::size_t weights = 256;

  double d = 0, dmin = 0;
  std::array<int, 8> scale{}, minimum{};
  std::array<int, weights> nibble{};

  /// Requires: 144 bytes.
  explicit q4k_block(std::span<const std::uint8_t> from) {
    const auto half = [&](std::size_t at) {
      return double{f16::from_bits(static_cast<std::uint16_t>(from[at] | from[at + 1] << 8))};
    };
    d = half(0);
    dmin = half(2);
    const auto s = from.subspan(4, 12), quants = from.subspan(16);
    for (std::size_t g = 0; g < 8; ++g) {
      scale[g] = g < 4 ? s[g] & 63 : (s[g + 4] & 15) | s[g - 4] >> 6 << 4;
      minimum[g] = g < 4 ? s[g + 4] & 63 : s[g + 4] >> 4 | s[g] >> 6 << 4;
      for (std::size_t j = 0; j < 32; ++j) {
        const int both = quants[g / 2 * 32 + j];
        nibble[32 * g + j] = g % 2 == 0 ? both & 15 : both >> 4;
      }
    }
  }

  double weight(std::size_t i) const { return d * scale[i / 32] * nibble[i] - dmin * minimum[i / 32]; }
};

/// A sum, and the sum of the magnitudes of its terms, to which rounding errors are relative. A term is what half a
/// group adds, or a minimum.
struct q4k_sum {
  double value = 0;
  double magnitude = 0;
};

/// One row times x, which is given as the bytes and the pairs (d, s) of Q8_1 groups.
/// Requires: 144 bytes for each 256 of q and for each 8 of ds.
inline q4k_sum q4k_dot(std::span<const std::uint8_t> row, std::span<const std::int8_t> q, std::span<const f16x2> ds) {
  q4k_sum out;
  const auto add = [&](double term) {
    out.value += term;
    out.magnitude += std::abs(term);
  };
  for (std::size_t half = 0; half < q.size() / 16; ++half) {
    const std::size_t first = half * 16, group = half / 2;
    const q4k_block block(row.subspan(first / q4k_block::weights * q4k_block::bytes, q4k_block::bytes));
    int products = 0;
    for (std::size_t j = 0; j < 16; ++j) products += block.nibble[(first + j) % q4k_block::weights] * q[first + j];
    add(block.d * block.scale[group % 8] * double{ds[group].low} * products);
    if (half % 2 == 0) add(-block.dmin * block.minimum[group % 8] * double{ds[group].high});
  }
  return out;
}

}  // namespace tg::kernels::reference
