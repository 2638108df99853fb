// Matrices in shared memory as wgmma finds them: the 64-bit descriptor, and where each 16 bytes lie.
//
//   63-62 swizzle (0 none, 1 of 128, 2 of 64, 3 of 32 bytes) | 51-49 base offset | 45-32 stride | 29-16 leading | 13-0
//   start
//
// start, stride and leading count 16 bytes. A line is a row of A or a column of B. By k, 8 lines stand below each
// other, each 16 bytes (swizzled: as many as the swizzle names), the next 8 a stride on; without swizzle the second 16
// bytes of a line are a leading on. By line, 16 bytes are 8 neighbouring lines at one k; 8 steps of k stand below each
// other. Source: PTX ISA 9.0, "Shared Memory Matrix Layout", "Matrix Descriptor Format".
#pragma once

#include <algorithm>

#include <tg/emulator/matrix/element.hpp>

namespace tg::emulator {

/// What a descriptor says, in bytes.
struct shared_tile {
  std::uint64_t start = 0, leading = 0, stride = 0, base_offset = 0, swizzle = 16;

  explicit shared_tile(std::uint64_t descriptor)
      : start((descriptor & 0x3fff) << 4),
        leading((descriptor >> 16 & 0x3fff) << 4),
        stride((descriptor >> 32 & 0x3fff) << 4),
        base_offset((descriptor >> 49 & 7) << 7) {
    constexpr std::uint64_t widths[] = {16, 128, 64, 32};
    swizzle = widths[descriptor >> 62];
  }

  /// Where 16 bytes `part` (0 or 1) along k of a line are.
  std::uint64_t along_k(std::size_t line, std::size_t part) const {
    return swizzled(start + line % 8 * swizzle + line / 8 * stride + part * (swizzle == 16 ? leading : 16));
  }

  /// Where lines 8·unit to 8·unit + 7 at step k are.
  std::uint64_t along_lines(std::size_t unit, std::size_t k) const {
    const std::size_t units = swizzle / 16;
    const std::uint64_t at = start + k % 8 * swizzle + unit % units * 16;
    return swizzled(units == 1 ? at + unit * stride + k / 8 * leading : at + unit / units * leading + k / 8 * stride);
  }

 private:
  /// Three, two or one bits from bit 7 on are added, without carry, to those from bit 4 on.
  std::uint64_t swizzled(std::uint64_t at) const { return at ^ (((at - base_offset) >> 7 & (swizzle / 16 - 1)) << 4); }
};

/// dense[line * line_step + k * k_step] = element, for `lines` lines of 32 bytes along k. `at(address)` gives the
/// host's view of 16 bytes of shared memory.
template <class At>
void gather_tile(const shared_tile& tile, const matrix_element& element, std::size_t lines, bool by_line, std::size_t line_step,
                 std::size_t k_step, float* dense, At at) {
  alignas(64) std::array<std::array<std::uint32_t, 32>, 8> words{};
  alignas(64) std::array<float, 32 * 32> values;
  const std::size_t packed = element.per_register();
  const auto load = [&](std::uint64_t address, std::size_t first_word, std::size_t lane) {
    std::array<std::uint32_t, 4> four;
    std::memcpy(four.data(), at(address), 16);
    for (std::size_t j = 0; j < 4; ++j) words[first_word + j][lane] = four[j];
  };
  if (!by_line) {
    for (std::size_t first = 0; first < lines; first += 32) {
      const std::size_t count = std::min<std::size_t>(32, lines - first);
      for (std::size_t lane = 0; lane < count; ++lane)
        for (std::size_t part = 0; part < 2; ++part) load(tile.along_k(first + lane, part), 4 * part, lane);
      for (std::size_t j = 0; j < 8; ++j) {
        element.unpack(words[j].data(), values.data());
        for (std::size_t s = 0; s < packed; ++s)
          for (std::size_t lane = 0; lane < count; ++lane)
            dense[(first + lane) * line_step + (j * packed + s) * k_step] = values[s * 32 + lane];
      }
    }
    return;
  }
  for (std::size_t k = 0; k < 8 * packed; ++k) {
    for (std::size_t unit = 0; unit < lines / 8; ++unit) load(tile.along_lines(unit, k), 0, unit);
    for (std::size_t j = 0; j < 4; ++j) {
      element.unpack(words[j].data(), values.data());
      for (std::size_t s = 0; s < packed; ++s)
        for (std::size_t unit = 0; unit < lines / 8; ++unit)
          dense[(8 * unit + j * packed + s) * line_step + k * k_step] = values[s * 32 + unit];
    }
  }
}

}  // namespace tg::emulator
