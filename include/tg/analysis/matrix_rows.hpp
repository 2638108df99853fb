// What ldmatrix and stmatrix cost in shared memory: lane 8m + r gives the address of row r, 16 bytes, of matrix m, and
// each matrix is a phase of its own; the lanes past the last matrix give nothing. Transposition happens behind the
// banks. Source: PTX ISA 9.0, "ldmatrix" and "stmatrix"; Nsight Compute, "Shared Memory".
#pragma once

#include <tg/analysis/shared.hpp>

namespace tg::analysis {

/// Source: PTX ISA 9.0, "ldmatrix": .m8n8 of .b16.
inline constexpr int matrix_row_bytes = 16;
/// Rows of a matrix that ldmatrix moves.
inline constexpr int matrix_rows = 8;

/// Returns: the lanes whose addresses count where `matrices` (1, 2 or 4) are moved.
constexpr lane_mask matrix_lanes(int matrices) {
  return matrices * matrix_rows >= warp_lanes ? all_lanes : (lane_mask{1} << matrices * matrix_rows) - 1;
}

/// The cost of moving `matrices` whose rows begin at these addresses.
constexpr shared_cost count_matrix_rows(const lanes& address_bytes, int matrices) {
  return count_shared(request{address_bytes, matrix_lanes(matrices), matrix_row_bytes});
}

/// Wavefronts of a matrix load whose rows begin at element `index_elems` of a tile that starts at a multiple of 16 bytes.
constexpr shared_cost count_matrix_rows(const lane_value& index_elems, int elem_bytes, int matrices) {
  return count_shared(index_elems, elem_bytes, matrix_row_bytes, matrix_lanes(matrices));
}

}  // namespace tg::analysis
