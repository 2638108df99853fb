// How one warp walks over a tile in shared memory: the patterns that a layout has to serve.
//
// A pattern is a type with
//   lanes                  how many lanes take part, from lane 0 on
//   bytes(extents)         what each of them moves, a power of two up to 16
//   at(lane, extents)      where it begins; lanes that begin outside the tile take no part
// It stands for itself at every place of the tile that is a multiple of its height and width, as powers of two.
#pragma once

#include <concepts>

#include <tg/analysis/advice.hpp>

namespace tg {

/// Rows, columns and element size of a tile.
struct tile_extents {
  int rows = 1;
  int columns = 1;
  int element_bytes = 4;
};

/// Where a lane begins.
struct tile_place {
  int row = 0;
  int column = 0;
};

/// A tile as far as layouts are concerned; `tg::tile` is one too.
template <class T, int Rows, int Columns> struct tile_of {
  static constexpr int rows = Rows;
  static constexpr int columns = Columns;
  static constexpr int element_bytes = sizeof(T);
};

/// Rows, columns and bytes per element of a tile type.
template <class Tile> inline constexpr tile_extents extents_of{Tile::rows, Tile::columns, Tile::element_bytes};

/// What a pattern of an access has: `lanes`, how many take part; `bytes(e)`, how many each moves; `at(lane, e)`, where a
/// lane begins in a tile of extents `e`.
template <class P>
concept tile_pattern = requires(tile_extents e) {
  { P::lanes } -> std::convertible_to<int>;
  { P::bytes(e) } -> std::same_as<int>;
  { P::at(0, e) } -> std::same_as<tile_place>;
};

/// Neighbouring lanes touch neighbouring vectors of `N` elements: along a row, and on in the next.
template <int N = 1> struct row_access {
  static constexpr int lanes = analysis::warp_lanes;
  static constexpr int bytes(tile_extents e) { return N * e.element_bytes; }
  static constexpr tile_place at(int lane, tile_extents e) { return {lane * N / e.columns, lane * N % e.columns}; }
};

/// Neighbouring lanes touch vectors of `N` elements below each other: down a column, and on in the next.
template <int N = 1> struct column_access {
  static constexpr int lanes = analysis::warp_lanes;
  static constexpr int bytes(tile_extents e) { return N * e.element_bytes; }
  static constexpr tile_place at(int lane, tile_extents e) { return {lane % e.rows, lane / e.rows * N}; }
};

/// Eight rows of 16 bytes: what ldmatrix and stmatrix move in one phase, transposed or not.
/// Source: PTX ISA 9.0, "ldmatrix": eight addresses for each 8x8 matrix of 16-bit elements.
struct matrix_access {
  static constexpr int lanes = 8;
  static constexpr int bytes(tile_extents) { return 16; }
  static constexpr tile_place at(int lane, tile_extents) { return {lane, 0}; }
};

/// A fragment of a matrix product, each lane `N` neighbours in a row: four lanes side by side, eight rows. Accumulators
/// are stored with N = 2, packed operands are loaded with as many elements as make 4 bytes.
template <int N = 2> struct fragment_access {
  static constexpr int lanes = analysis::warp_lanes;
  static constexpr int bytes(tile_extents e) { return N * e.element_bytes; }
  static constexpr tile_place at(int lane, tile_extents) { return {lane / 4, lane % 4 * N}; }
};

/// The access to a fragment with rows and columns exchanged, one element at a time.
template <int N = 2> struct transposed_fragment_access {
  static constexpr int lanes = analysis::warp_lanes;
  static constexpr int bytes(tile_extents e) { return e.element_bytes; }
  static constexpr tile_place at(int lane, tile_extents) { return {lane % 4 * N, lane / 4}; }
};

/// Returns: the pattern as rows and columns of the lanes that it has in a tile.
template <tile_pattern P> constexpr analysis::tile_access to_tile_access(tile_extents e) {
  analysis::tile_access out;
  out.rows = e.rows;
  out.cols = e.columns;
  out.elem_bytes = e.element_bytes;
  out.access_bytes = P::bytes(e);
  out.active = 0;
  for (int lane = 0; lane < P::lanes; ++lane) {
    const tile_place at = P::at(lane, e);
    if (at.row < 0 || at.row >= e.rows || at.column < 0 || at.column >= e.columns) continue;
    out.active |= analysis::lane_mask{1} << lane;
    out.row[static_cast<std::size_t>(lane)] = at.row;
    out.col[static_cast<std::size_t>(lane)] = at.column;
  }
  return out;
}

}  // namespace tg
