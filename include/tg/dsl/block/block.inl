// The coordinates of a thread as the first instructions of a kernel.
#pragma once

#include <tg/dsl/block/block.hpp>

#include <tg/base/config.hpp>
#include <tg/dsl/recorder/tracer.hpp>

namespace tg::detail {

TG_LIBRARY_FUNCTION block_registers read_block(int x, int y, int z) {
  using ptx::operand;
  constexpr ptx::token word = ptx::token::b32, type = ptx::token::u32;
  auto& t = tracer::current();
  const auto read = [&](ptx::special s) { return t.copy(word, type, operand::special(s)); };
  constexpr ptx::special threads[] = {ptx::special::tid_x, ptx::special::tid_y, ptx::special::tid_z};
  constexpr ptx::special blocks[] = {ptx::special::ctaid_x, ptx::special::ctaid_y, ptx::special::ctaid_z};
  constexpr ptx::special grids[] = {ptx::special::nctaid_x, ptx::special::nctaid_y, ptx::special::nctaid_z};
  const int extent[] = {x, y, z};
  block_registers out;
  for (int k = 0; k < 3; ++k) out.thread[k] = extent[k] == 1 ? operand::integer(0) : read(threads[k]);
  for (int k = 0; k < 3; ++k) out.index[k] = read(blocks[k]);
  for (int k = 0; k < 3; ++k) out.grid[k] = read(grids[k]);
  for (int k = 0; k < 3; ++k) {
    const operand first = t.compute(word, ptx::operation::mul_low(type), {out.index[k], operand::integer(extent[k])});
    out.global[k] = t.compute(word, ptx::operation::add(type), {first, out.thread[k]});
  }
  return out;
}

TG_LIBRARY_FUNCTION ptx::operand wide_index(const ptx::operand& index, int extent, const ptx::operand& thread) {
  constexpr ptx::token wide = ptx::token::b64;
  auto& t = tracer::current();
  const ptx::operand first = t.compute(wide, ptx::operation::mul_wide(ptx::token::u32), {index, ptx::operand::integer(extent)});
  if (extent == 1) return first;
  const ptx::operand own = t.compute(wide, ptx::operation::convert(ptx::token::u64, ptx::token::u32), {thread});
  return t.compute(wide, ptx::operation::add(ptx::token::s64), {first, own});
}

}  // namespace tg::detail
