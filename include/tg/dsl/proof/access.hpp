// Which use of memory an instruction makes: the address, the bytes, and whether it reads, writes or is atomic.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include <tg/dsl/proof/path.hpp>
#include <tg/dsl/proof/use.hpp>
#include <tg/dsl/proof/values.hpp>
#include <tg/ptx/ir/type.hpp>
#include <tg/ptx/meaning/effect.hpp>

namespace tg::proof {

/// The memory is the thread's own, or nobody writes it while the kernel runs.
inline bool is_unshared(const ptx::instruction& i) {
  return i.has(ptx::token::param) || i.has(ptx::token::local) || i.has(ptx::token::const_);
}

/// What a load, store, atomic or matrix instruction does to memory of the block or the grid; nothing if the address may
/// be in any memory.
inline std::optional<use> access_of(values& v, const path& way, std::uint32_t n, const ptx::instruction& i) {
  using ptx::token;
  const ptx::opcode_row& row = ptx::row_of(i.op);
  const bool is_matrix = row.is(ptx::trait::matrix_rows);
  const bool is_both = row.does == ptx::effect::atomic, is_store = row.does == ptx::effect::writes_memory;
  const bool is_strong = i.has(token::relaxed) || i.has(token::volatile_) || i.has(is_store ? token::release : token::acquire);
  const ptx::operand& address = i[row.results];
  const bool is_shared = i.has(token::shared) || i.has(token::shared_cta);
  if ((!is_shared && !i.has(token::global)) || address.kind != ptx::operand_kind::address) return std::nullopt;
  const number element = ptx::width_bits(i.type()) / 8;
  use u{.instruction = n,
        .where = {is_shared, 0},
        .offset = v.form_of(address),
        .bytes = element,
        .has_rows = v.has_rows(address),
        .reads = is_both || !is_store,
        .writes = is_both || is_store,
        .is_atomic = is_both || (!is_matrix && is_strong),
        .is_block_atomic = i.has(token::cta),
        .way = way};
  if (i.has(token::v2)) u.bytes *= 2;
  if (i.has(token::v4)) u.bytes *= 4;
  if (i.has(token::v8)) u.bytes *= 8;
  if (is_matrix) {
    const std::size_t rows = i.has(token::x4) ? 32 : i.has(token::x2) ? 16 : 8;
    u.bytes = 16;
    u.is_of_warp = true;  // a lane has the address, four others have the row
    threads with_address;
    for (std::size_t t = 0; t < v.threads(); ++t) with_address[t] = t % 32 < rows;
    u.way.may &= with_address;
    u.way.must &= with_address;
  }
  return u;
}

/// What an asynchronous copy of a known number of bytes reads of global memory.
inline use copy_source(values& v, const path& way, std::uint32_t n, const ptx::instruction& i) {
  return {.instruction = n, .where = {false, 0}, .offset = v.form_of(i[1]), .bytes = i[2].value, .reads = true, .way = way};
}

/// What it writes of shared memory.
inline use copy_target(values& v, const path& way, std::uint32_t n, const ptx::instruction& i) {
  return {.instruction = n, .where = {true, 0}, .offset = v.form_of(i[0]), .bytes = i[2].value, .writes = true, .way = way};
}

}  // namespace tg::proof
