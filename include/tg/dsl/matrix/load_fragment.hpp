// Fragments from shared memory by ldmatrix.
//
// Every operand of 32-bit registers is made of matrices of 8 lines of 16 bytes, in the order of its registers: 8 lines on
// until the lines end, then 16 bytes along the depth. That is the order in which the lanes name the rows to ldmatrix.
#pragma once

#include <tg/dsl/matrix/fragment.hpp>
#include <tg/dsl/matrix/load_matrix.hpp>

namespace tg {

/// The fragment whose first element is (row, column) of a tile that holds one line in each row, its depth along the
/// columns: A as it is, B with its columns as rows. `lane` is `block.warp().lane`.
/// Requires: row, column and lane are the same number, or that of the lane, in all lanes of full warps; T has the tile's
/// element size, or the tile counts the bytes of packed elements. Errors: those of `load_matrix`.
/// PTX: one ldmatrix of as many matrices as the fragment has registers.
template <class Fragment, class Tile, index_like R, index_like C, device_value L, detail::excuse_like Excuse = detail::checked>
Fragment load_fragment(const Tile& tile, const R& row, const C& column, const L& lane, Excuse excuse = {},
                       source_location where = source_location::current()) {
  static_assert(std::is_same_v<typename Fragment::register_type, unsigned> && 16 % Tile::element_bytes == 0,
                "load_fragment<Fragment> requires registers of 32 bits: ldmatrix moves nothing else");
  constexpr int down = Fragment::lines / analysis::matrix_rows;
  constexpr int along = analysis::matrix_row_bytes / Tile::element_bytes;
  const auto line = lane % constant<down * analysis::matrix_rows>{};
  constexpr int steps = Fragment::registers / down;
  if constexpr (Fragment::side == mma_side::b && down > 1 && steps > 1) {
    // An instruction multiplies eight columns of B, whose registers have to be neighbours. So the matrices are loaded along the
    // depth first, or ptxas moves registers before each product.
    const auto matrix = lane / constant<analysis::matrix_rows>{};
    const auto own_line =
        lane % constant<analysis::matrix_rows>{} + matrix / constant<steps>{} * constant<analysis::matrix_rows>{};
    const auto loaded = load_matrix<Fragment::registers>(
        tile, own_line + row, matrix % constant<steps>{} * constant<along>{} + column, excuse, where);
    auto out = Fragment::unfilled();
    for (std::size_t r = 0; r < loaded.parts.size(); ++r) out.parts.parts[r % steps * down + r / steps] = loaded.parts[r];
    return out;
  } else if constexpr (Fragment::registers == down) {
    return {load_matrix<Fragment::registers>(tile, line + row, column, excuse, where)};
  } else {
    const auto part = lane / constant<down * analysis::matrix_rows>{} % constant<Fragment::registers / down>{};
    return {load_matrix<Fragment::registers>(tile, line + row, part * constant<along>{} + column, excuse, where)};
  }
}

/// Loads a fragment of 16-bit elements from a tile that holds one line in each column: B as it is, A transposed.
/// (row, column) is the first element, rows along the depth.
template <class Fragment, class Tile, index_like R, index_like C, device_value L, detail::excuse_like Excuse = detail::checked>
Fragment load_fragment_transposed(const Tile& tile, const R& row, const C& column, const L& lane, Excuse excuse = {},
                                  source_location where = source_location::current()) {
  static_assert(Fragment::packed == 2 && Tile::element_bytes == 2,
                "load_fragment_transposed<Fragment> requires elements of 16 bits: ldmatrix transposes nothing else");
  constexpr int lines = Fragment::lines / analysis::matrix_rows;
  constexpr int steps = Fragment::depth / analysis::matrix_rows;
  const auto step = lane % constant<steps * analysis::matrix_rows>{};
  const auto line = lane / constant<steps * analysis::matrix_rows>{} % constant<lines>{} * constant<analysis::matrix_rows>{};
  const auto loaded = load_matrix_transposed<Fragment::registers>(tile, step + row, line + column, excuse, where);
  auto out = Fragment::unfilled();
  for (std::size_t r = 0; r < loaded.parts.size(); ++r) out.parts.parts[r % steps * lines + r / steps] = loaded.parts[r];
  return out;
}

}  // namespace tg
