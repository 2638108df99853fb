// A sparse A: half of each row is kept, metadata says which half.
//
// A chunk of 2 (tf32), 4 or 8 (4-bit types) columns keeps one half of them; four bits, two numbers of a quarter of the
// chunk, say which. Lane 4·g + s has the bits of rows g and g + 8, or of one of them: for 16- and 32-bit types four
// chunks of each, for others eight chunks of row g in even lanes and of row g + 8 in odd ones. The selector names the
// first lane. Source: PTX ISA 9.0, "Sparse matrix storage"; "Matrix fragments for multiply-accumulate operation with
// sparse matrix A".
#pragma once

#include <algorithm>

#include <tg/emulator/image/matrix_step.hpp>
#include <tg/emulator/matrix/fragment_layout.hpp>

namespace tg::emulator {

/// The metadata operand of mma.sp.
struct sparsity {
  slot_ref metadata;
  std::uint32_t selector = 0;
  std::uint32_t element_bits = 16;

  bool is_used() const { return metadata.index != no_slot; }

  /// Columns of a chunk.
  std::size_t chunk() const { return element_bits == 32 ? 2 : element_bits == 4 ? 8 : 4; }

  /// The four bits for one chunk of a row.
  std::uint32_t bits(const std::uint32_t* lanes, const matrix_shape& s, std::size_t row, std::size_t number) const {
    const std::size_t chunks = s.k / chunk();
    if (element_bits >= 16) {
      const std::size_t first = chunks == 4 ? selector : 2 * selector;
      return lanes[4 * (row % 8) + first + number / 4] >> (row / 8 * 16 + number % 4 * 4) & 15;
    }
    const std::size_t first = chunks == 8 ? 2 * selector : 0;
    return lanes[4 * (row % 8) + first + row / 8 + number / 8 * 2] >> (number % 8 * 4) & 15;
  }

  /// m × k/2 kept elements → m × k with zeros between them, in place.
  void expand(const warp_view& view, const matrix_shape& s, float* a) const {
    const std::uint32_t* const lanes = view.words(metadata);
    const std::size_t width = chunk(), kept = width / 2;
    dynamic_array<float> whole(s.m * s.k);
    for (std::size_t row = 0; row < s.m; ++row)
      for (std::size_t number = 0; number < s.k / width; ++number) {
        const std::uint32_t both = bits(lanes, s, row, number);
        const float* const from = a + row * (s.k / 2) + number * kept;
        float* const to = whole.data() + row * s.k + number * width;
        for (std::size_t i = 0; i < kept; ++i) {
          const std::size_t quarter = i * 2 < kept ? both & 3 : both >> 2;
          to[quarter * width / 4 + i % std::max<std::size_t>(kept / 2, 1)] = from[i];
        }
      }
    std::copy(whole.begin(), whole.end(), a);
  }
};

}  // namespace tg::emulator
