// ldmatrix: matrices of 8 rows of 16 bytes from shared memory, spread over the registers of a warp.
#pragma once

#include <tg/dsl/matrix/matrix_access.hpp>

namespace tg {

namespace detail {

template <int Matrices, class Tile, class R, class C, class Excuse>
TG_ALWAYS_INLINE vec<unsigned, Matrices> load_matrices(ptx::token trans, const Tile& tile, const R& row, const C& column,
                                                       const Excuse& excuse, source_location where) {
  using found = typename matrix_judgement<Tile, Matrices, Excuse, R, C>::type;
  auto out = unfilled<vec<unsigned, Matrices>>();
  if constexpr (diagnosis::is_ok<sizeof(found), found>)
    load_matrices(out.parts.data(), Matrices, trans, find_matrices<Matrices>(tile, excuse, where, row, column));
  return out;
}

}  // namespace detail

/// Loads 1, 2 or 4 matrices of 8 rows of 16 bytes: lane 8m + r says where row r of matrix m begins, the lanes past the last
/// matrix say nothing. Register m of lane l is then bytes 4 * (l % 4) to 4 * (l % 4) + 3 of row l / 4 of matrix m.
/// Requires: called by all lanes of full warps. Errors: TG116, TG117, TG140, TG201, TG203, TG204.
/// PTX: ldmatrix.sync.aligned.m8n8.xN.shared.b16, sm_75.
template <int Matrices, class Tile, index_like R, index_like C, detail::excuse_like Excuse = detail::checked>
TG_ALWAYS_INLINE vec<unsigned, Matrices> load_matrix(const Tile& tile, const R& row, const C& column, Excuse excuse = {},
                                                     source_location where = source_location::current()) {
  return detail::load_matrices<Matrices>(ptx::token::none, detail::whole_tile(tile), detail::whole_row(tile, row), column,
                                         excuse, where);
}

/// Loads matrices of 16-bit elements, each transposed: register m of lane l is elements 2 * (l % 4) and 2 * (l % 4) + 1 of
/// column l / 4 of matrix m.
template <int Matrices, class Tile, index_like R, index_like C, detail::excuse_like Excuse = detail::checked>
TG_ALWAYS_INLINE vec<unsigned, Matrices> load_matrix_transposed(const Tile& tile, const R& row, const C& column,
                                                                Excuse excuse = {},
                                                                source_location where = source_location::current()) {
  return detail::load_matrices<Matrices>(ptx::token::trans, detail::whole_tile(tile), detail::whole_row(tile, row), column,
                                         excuse, where);
}

}  // namespace tg
