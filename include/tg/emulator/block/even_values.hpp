// Values that are evenly spaced over the coordinates of the threads, in each of the blocks that run as one.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include <tg/emulator/block/machine.hpp>

namespace tg::emulator {

/// A sample has this many lanes of each block: at coordinates 0, and at 1 along x, y and z.
inline constexpr std::uint32_t sample_corners = 4;

/// Values at coordinates (x, y, z) of each block: base + x dx + y dy + z dz, without wrapping.
struct even_values {
  std::array<std::int64_t, most_abreast> base;
  std::int64_t dx, dy, dz;
  std::int64_t fall, rise;  // from a block's base to its lowest and highest value
  std::int64_t lowest, highest;
  std::int64_t any_bits;  // of bases and steps
  bool is_exact;          // false: some value wraps, is too large to tell, or the blocks have different steps

  /// Whether all threads of a block have one value.
  bool is_uniform() const { return dx == 0 && dy == 0 && dz == 0; }
};

/// Small enough that sums over a block do not wrap.
inline constexpr std::int64_t most_moderate = std::int64_t{1} << 48;
/// Whether the size of `value` is below `most_moderate`.
constexpr bool is_moderate(std::int64_t value) { return value > -most_moderate && value < most_moderate; }

/// Sets `v` to the values of type `Value` of a sample in blocks whose last thread has the coordinates `last`; exact where they
/// are moderate and all blocks have the same steps.
template <class Value>
void take_values(even_values& v, const std::byte* sample, std::uint32_t blocks, const std::array<std::int64_t, 3>& last) {
  using bits = std::make_unsigned_t<Value>;
  std::array<bits, sample_corners * most_abreast> lanes;
  std::memcpy(lanes.data(), sample, sizeof lanes);
  const auto step = [](const bits* s, int k) {
    return std::int64_t{static_cast<std::make_signed_t<bits>>(static_cast<bits>(s[k] - s[0]))};
  };
  v.dx = step(lanes.data(), 1), v.dy = step(lanes.data(), 2), v.dz = step(lanes.data(), 3);
  bool is_exact = is_moderate(v.dx) && is_moderate(v.dy) && is_moderate(v.dz);
  std::int64_t low = most_moderate, high = -most_moderate;
  v.any_bits = v.dx | v.dy | v.dz;
  for (std::uint32_t c = 0; c < blocks; ++c) {
    const bits* const s = lanes.data() + c * sample_corners;
    v.base[c] = static_cast<Value>(s[0]);
    is_exact = is_exact && is_moderate(v.base[c]) && step(s, 1) == v.dx && step(s, 2) == v.dy && step(s, 3) == v.dz;
    v.any_bits |= v.base[c];
    low = std::min(low, v.base[c]);
    high = std::max(high, v.base[c]);
  }
  v.is_exact = is_exact;
  if (!is_exact) return;
  v.fall = v.rise = 0;
  const std::array<std::int64_t, 3> steps{v.dx, v.dy, v.dz};
  for (std::size_t k = 0; k < 3; ++k) (steps[k] < 0 ? v.fall : v.rise) += steps[k] * last[k];
  v.lowest = low + v.fall;
  v.highest = high + v.rise;
}

}  // namespace tg::emulator
