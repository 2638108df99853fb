// stmatrix: the registers of a warp to matrices of 8 rows of 16 bytes in shared memory.
#pragma once

#include <tg/dsl/matrix/matrix_access.hpp>

namespace tg {

namespace detail {

template <int Matrices, class Tile, class R, class C, class Excuse>
void store_matrices(ptx::token trans, const vec<unsigned, Matrices>& from, const Tile& tile, const R& row, const C& column,
                    const Excuse& excuse, source_location where) {
  using found = typename matrix_judgement<Tile, Matrices, Excuse, R, C>::type;
  if constexpr (diagnosis::is_ok<sizeof(found), found>) {
    auto& t = tracer::current(where);
    place to = find_matrices<Matrices>(tile, excuse, where, row, column);
    to.entry.is_write = true;
    t.emit_access(ptx::opcode::stmatrix,
                  {ptx::token::sync, ptx::token::aligned, ptx::token::m8n8, matrix_count_token(Matrices), trans,
                   ptx::token::shared, ptx::token::b16},
                  {to.address, t.new_vector(from.parts.data(), Matrices)}, to.entry);
  }
}

}  // namespace detail

/// Stores 1, 2 or 4 matrices of 8 rows of 16 bytes, the inverse of `load_matrix`: lane 8m + r says where row r of matrix m
/// begins, register m of lane l goes to bytes 4 * (l % 4) to 4 * (l % 4) + 3 of row l / 4 of matrix m.
/// Requires: called by all lanes of full warps. Errors: TG116, TG117, TG140, TG201, TG203, TG204.
/// PTX: stmatrix.sync.aligned.m8n8.xN.shared.b16, sm_90.
template <class Tile, index_like R, index_like C, int Matrices, detail::excuse_like Excuse = detail::checked>
void store_matrix(const Tile& tile, const R& row, const C& column, const vec<unsigned, Matrices>& from, Excuse excuse = {},
                  source_location where = source_location::current()) {
  detail::store_matrices<Matrices>(ptx::token::none, from, detail::whole_tile(tile), detail::whole_row(tile, row), column,
                                   excuse, where);
}

/// Stores matrices of 16-bit elements as store_matrix does, each transposed.
template <class Tile, index_like R, index_like C, int Matrices, detail::excuse_like Excuse = detail::checked>
void store_matrix_transposed(const Tile& tile, const R& row, const C& column, const vec<unsigned, Matrices>& from,
                             Excuse excuse = {}, source_location where = source_location::current()) {
  detail::store_matrices<Matrices>(ptx::token::trans, from, detail::whole_tile(tile), detail::whole_row(tile, row), column,
                                   excuse, where);
}

}  // namespace tg
