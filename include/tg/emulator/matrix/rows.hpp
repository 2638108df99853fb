// The 8 × 8 matrices of b16 that ldmatrix, stmatrix and movmatrix move: one row of 16 bytes, one element pair per lane.
//
// In memory lane 8·i + r has the address of row r of matrix i; in registers lane l holds elements 2·(l % 4) and the
// next of row l / 4, of column l / 4 where it is transposed. Source: PTX ISA 9.0, "ldmatrix", "stmatrix", "movmatrix".
#pragma once

#include <array>

#include <tg/base/dynamic_array.hpp>
#include <tg/emulator/image/matrix_step.hpp>

namespace tg::emulator {

/// Up to four matrices as rows: word w of row r of matrix i.
using matrix_rows = std::array<std::array<std::array<std::uint32_t, 4>, 8>, 4>;

/// The word of 16-bit elements that `lane` gets of matrix `i`, or of its transpose.
inline std::uint32_t pair_of_rows(const matrix_rows& rows, std::size_t i, std::size_t lane, bool transposed) {
  const std::size_t line = lane / 4, pair = lane % 4;
  if (!transposed) return rows[i][line][pair];
  const std::size_t shift = line % 2 * 16;
  const std::uint32_t first = rows[i][2 * pair][line / 2] >> shift, second = rows[i][2 * pair + 1][line / 2] >> shift;
  return (first & 0xffff) | (second << 16);
}

/// From the four words that each row's lane loaded to one register per matrix, or the other way, which is its own
/// inverse in shape: registers become rows.
class rows_step final : public matrix_step {
 public:
  enum class direction : std::uint8_t { rows_to_registers, registers_to_rows, transpose };

  direction way = direction::transpose;
  bool transposed = false;
  dynamic_array<slot_ref> registers;  // per matrix
  std::array<slot_ref, 4> row_words;  // per word of a row
  slot_ref source;                    // of a transposition

  void operator()(warp_view& view) const override {
    matrix_rows rows;
    if (way == direction::transpose) {
      const std::uint32_t* const from = view.words(source);
      for (std::size_t lane = 0; lane < 32; ++lane) rows[0][lane / 4][lane % 4] = from[lane];
      std::uint32_t* const to = view.words(registers[0]);
      for (std::size_t lane = 0; lane < 32; ++lane) to[lane] = pair_of_rows(rows, 0, lane, true);
    } else if (way == direction::rows_to_registers) {
      for (std::size_t w = 0; w < 4; ++w)
        for (std::size_t row = 0; row < 8 * registers.size(); ++row) rows[row / 8][row % 8][w] = view.words(row_words[w])[row];
      for (std::size_t i = 0; i < registers.size(); ++i)
        for (std::size_t lane = 0; lane < 32; ++lane) view.words(registers[i])[lane] = pair_of_rows(rows, i, lane, transposed);
    } else {
      for (std::size_t i = 0; i < registers.size(); ++i)
        for (std::size_t lane = 0; lane < 32; ++lane) rows[i][lane / 4][lane % 4] = view.words(registers[i])[lane];
      for (std::size_t i = 0; i < registers.size(); ++i)
        for (std::size_t at = 0; at < 32; ++at)
          view.words(row_words[at % 4])[8 * i + at / 4] = pair_of_rows(rows, i, at, transposed);
    }
  }
};

/// Only waits for the whole warp.
class gathering_step final : public matrix_step {
 public:
  void operator()(warp_view&) const override {}
};

}  // namespace tg::emulator
