// Descriptors of operands in shared memory, as numbers.
#pragma once

#include <tg/dsl/wgmma/shared_operand.hpp>

#include <tg/base/config.hpp>
#include <tg/dsl/recorder/tape.hpp>
#include <tg/dsl/recorder/tracer.hpp>

namespace tg::detail {

TG_LIBRARY_FUNCTION ptx::operand operand_start(const tile_registers& tile, int alignment_bytes, int leading_bytes) {
  using ptx::operand;
  constexpr ptx::token word = ptx::token::b32;
  auto& t = tracer::current();
  t.align_tile(tile.variable, alignment_bytes);
  const operand units = t.compute(word, ptx::operation::shr(ptx::token::u32), {tile.base, operand::integer(4)});
  const operand start = t.compute(word, ptx::operation::bit_and(word), {units, operand::integer(0x3fff)});
  return t.compute(word, ptx::operation::bit_or(word), {start, operand::integer(std::int64_t{leading_bytes >> 4} << 16)});
}

TG_LIBRARY_FUNCTION ptx::operand operand_after(const ptx::operand& start, const ptx::operand& count, int bytes) {
  using ptx::operand;
  constexpr ptx::token word = ptx::token::b32;
  auto& t = tracer::current();
  const bool is_number = count.is(ptx::operand_kind::integer);
  if (is_number && count.value * bytes == 0) return start;
  const operand units =
      is_number ? operand::integer(count.value * bytes >> 4)
                : t.compute(word, ptx::operation::shr(ptx::token::u32),
                            {t.compute(word, ptx::operation::mul_low(ptx::token::u32), {count, operand::integer(bytes)}),
                             operand::integer(4)});
  return t.compute(word, ptx::operation::add(ptx::token::u32), {start, units});
}

TG_LIBRARY_FUNCTION ptx::operand operand_descriptor(const ptx::operand& start, int offset_bytes, int stride_bytes,
                                                    int swizzle_bytes) {
  using ptx::operand;
  constexpr ptx::token wide = ptx::token::b64;
  auto& t = tracer::current();
  const std::int64_t mode = swizzle_bytes == 0 ? 0 : swizzle_bytes == 128 ? 1 : swizzle_bytes == 64 ? 2 : 3;
  const auto high =
      static_cast<std::int64_t>(static_cast<std::uint64_t>(mode) << 62 | static_cast<std::uint64_t>(stride_bytes >> 4) << 32);
  const operand widened = t.compute(wide, ptx::operation::convert(ptx::token::u64, ptx::token::u32), {start});
  const operand first = t.compute(wide, ptx::operation::bit_or(wide), {widened, operand::integer(high)});
  if (offset_bytes == 0) return first;
  return t.compute(wide, ptx::operation::add(ptx::token::u64), {first, operand::integer(offset_bytes >> 4)});
}

}  // namespace tg::detail
