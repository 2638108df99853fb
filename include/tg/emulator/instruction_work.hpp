// How much arithmetic one PTX instruction is.
#pragma once

#include <cstdint>
#include <vector>

#include <tg/emulator/decode_half.hpp>
#include <tg/emulator/matrix/decode_step.hpp>

namespace tg::emulator {

/// Floating-point operations of one lane; fma counts two, matrix instructions none.
inline std::uint64_t flops_of(const ptx::instruction& i) {
  using enum ptx::opcode;
  const std::uint64_t lanes = detail::is_pair_type(i.type()) ? 2 : 1;
  if (!detail::is_floating(i.type())) return 0;
  switch (i.op) {
    case fma:
    case mad:
      return 2 * lanes;
    case add:
    case sub:
    case mul:
    case div:
    case sqrt:
    case rcp:
    case rsqrt:
    case sin:
    case cos:
    case ex2:
    case lg2:
    case tanh:
      return lanes;
    default:
      return 0;
  }
}

/// What one warp does of a matrix instruction.
struct matrix_work {
  std::uint64_t multiply_adds = 0;
  ptx::token type = ptx::token::none;  // of the first factor
};

/// Returns: nothing for instructions that multiply no matrices. A wgmma is the work of four warps; of a sparse factor
/// half the elements are there.
inline matrix_work matrix_work_of(const ptx::instruction& i) {
  using ptx::token;
  const bool multiplies = i.op == ptx::opcode::mma || (i.op == ptx::opcode::wmma && i.has(token::mma)) ||
                          (i.op == ptx::opcode::wgmma && i.has(token::mma_async));
  if (!multiplies) return {};
  const ptx::matrix_shape shape = ptx::to_matrix_shape(i.tokens());
  const std::vector<token> types = detail::types_of(i);
  matrix_work out{shape.m * shape.n * shape.k, token::f16};
  if (types.size() > 2) out.type = types[1];  // wmma of f16 names only the types of the sums
  if (i.op == ptx::opcode::wgmma) out.multiply_adds /= 4;
  if (i.has(token::sp) || i.has(token::sp_ordered_metadata)) out.multiply_adds /= 2;
  return out;
}

}  // namespace tg::emulator
