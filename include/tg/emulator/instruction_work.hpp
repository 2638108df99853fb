// How much arithmetic one PTX instruction is.
#pragma once

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <string_view>

#include <tg/emulator/decode_half.hpp>
#include <tg/ptx/instruction.hpp>

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
  constexpr std::string_view elements[] = {"f16", "bf16", "tf32", "f32",  "f64",  "s8",   "u8",   "s4",
                                           "u4",  "b1",   "s32",  "e4m3", "e5m2", "e3m2", "e2m3", "e2m1"};
  matrix_work out;
  std::array<token, ptx::instruction::max_tokens> types{};
  std::size_t type_count = 0;
  bool is_sparse = false;
  for (const token t : i.tokens()) {
    const std::string_view name = ptx::name(t);
    is_sparse = is_sparse || name.starts_with("sp");
    if (out.multiply_adds != 0 && std::ranges::find(elements, name) != std::end(elements)) types[type_count++] = t;
    if (name.size() < 6 || name[0] != 'm' || name.find('k') == std::string_view::npos || out.multiply_adds != 0)
      continue;
    std::uint64_t product = 1;
    for (std::size_t at = 0; at < name.size(); ++at)
      if (name[at] == 'm' || name[at] == 'n' || name[at] == 'k') {
        std::uint64_t extent = 0;
        std::from_chars(name.data() + at + 1, name.data() + name.size(), extent);
        product *= extent;
      }
    out.multiply_adds = product;
  }
  out.type = type_count > 2 ? types[1] : token::f16;  // wmma of f16 names only the types of the sums
  if (i.op == ptx::opcode::wgmma) out.multiply_adds /= 4;
  if (is_sparse) out.multiply_adds /= 2;
  return out;
}

}  // namespace tg::emulator
