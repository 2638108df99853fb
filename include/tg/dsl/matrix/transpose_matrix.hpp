// movmatrix: a matrix of 8 x 8 halves that the registers of a warp hold, transposed in them.
#pragma once

#include <tg/dsl/matrix/matrix_access.hpp>

namespace tg {

/// The transposed of the 8 x 8 matrix of 16-bit elements of which lane l holds, low half first, elements 2 * (l % 4)
/// and 2 * (l % 4) + 1 of row l / 4, as a register of `load_matrix`, of a fragment or of sums of f16 does:
/// `const auto columns = tg::transpose_matrix(sums(0));`.
/// Requires: an unsigned, or a pair of f16 or bf16; called by all lanes of full warps. Errors: TG110, TG117.
/// PTX: movmatrix.sync.aligned.m8n8.trans.b16, sm_75.
template <device_value X>
value<device_type_of<X>> transpose_matrix(const X& x, source_location where = source_location::current()) {
  using T = device_type_of<X>;
  using found = diagnosis::operation<std::is_same_v<T, unsigned> || is_half_pair<T>, T>;
  if constexpr (!diagnosis::is_ok<sizeof(found), found>) {
    return ptx::operand{};
  } else {
    auto& t = detail::tracer::current(where);
    t.at(where);
    detail::require_whole_warps(t, "a transposition", where);
    return {t.compute(ptx::token::b32, ptx::opcode::movmatrix,
                      {ptx::token::sync, ptx::token::aligned, ptx::token::m8n8, ptx::token::trans, ptx::token::b16},
                      {x.get().operand})};
  }
}

/// Transposes several matrices, each by itself.
template <int Matrices>
vec<unsigned, Matrices> transpose_matrix(const vec<unsigned, Matrices>& x, source_location where = source_location::current()) {
  auto out = detail::unfilled<vec<unsigned, Matrices>>();
  for (int m = 0; m < Matrices; ++m) out.parts[static_cast<std::size_t>(m)] = tg::transpose_matrix(x(m), where).operand;
  return out;
}

}  // namespace tg
