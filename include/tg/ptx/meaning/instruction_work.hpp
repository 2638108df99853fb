// How much arithmetic one PTX instruction is.
#pragma once

#include <cstdint>

#include <tg/ptx/ir/instruction.hpp>
#include <tg/ptx/ir/matrix_shape.hpp>
#include <tg/ptx/ir/opcode_table.hpp>
#include <tg/ptx/ir/type.hpp>

namespace tg::ptx {

/// Floating-point operations of one lane; fma counts two, matrix instructions none.
inline std::uint64_t flops_of(const instruction& i) {
  const std::uint64_t lanes = half_of(i.type()) != token::none ? 2 : 1;
  return is_floating(i.type()) ? row_of(i.op).flops * lanes : 0;
}

/// What one warp does of a matrix instruction.
struct matrix_work {
  std::uint64_t multiply_adds = 0;
  token type = token::none;  // of the first factor
};

/// Returns: nothing for instructions that multiply no matrices. A wgmma is the work of four warps; of a sparse factor
/// half the elements are there.
inline matrix_work matrix_work_of(const instruction& i) {
  if (row_of(i.op).kind != instruction_class::matrix) return {};
  for (const token t : {token::load, token::store, token::fence, token::commit_group, token::wait_group})
    if (i.has(t)) return {};
  const matrix_shape shape = to_matrix_shape(i.tokens());
  matrix_work out{shape.m * shape.n * shape.k, token::f16};
  token second = token::none;
  int types = 0;
  for (const token t : i.tokens())
    if (is_type(t) && ++types == 2) second = t;
  if (types > 2) out.type = second;  // wmma of f16 names only the types of the sums
  if (i.op == opcode::wgmma) out.multiply_adds /= 4;
  if (i.has(token::sp) || i.has(token::sp_ordered_metadata)) out.multiply_adds /= 2;
  return out;
}

}  // namespace tg::ptx
