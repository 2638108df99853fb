// Matrix instructions: ldmatrix, stmatrix, movmatrix, mma, wmma, wgmma.
#pragma once

#include <tg/emulator/decode/decode_group.hpp>
#include <tg/emulator/decode/decode_lines.hpp>
#include <tg/emulator/decode/decode_product.hpp>
#include <tg/emulator/matrix/rows.hpp>

namespace tg::emulator {

namespace detail {

/// An access of 16 bytes by the lanes that have the address of a row.
inline memory_access row_access(const ptx::instruction& i, std::size_t matrices) {
  memory_access a;
  a.space = space_of(i);
  a.lanes = matrices == 4 ? 0xffffffff : (1u << (8 * matrices)) - 1;
  return a;
}

inline std::shared_ptr<rows_step> make_rows_step(decoder& d, const ptx::instruction& i, rows_step::direction way) {
  const auto made = std::make_shared<rows_step>();
  made->way = way;
  made->transposed = i.has(ptx::token::trans);
  for (slot_ref& s : made->row_words) s = d.spare(4);
  return made;
}

inline void decode_ldmatrix(decoder& d, const ptx::instruction& i) {
  if (!i.has(ptx::token::m8n8)) d.refuse();
  const auto made = make_rows_step(d, i, rows_step::direction::rows_to_registers);
  made->registers = results_of(d, i[0]);
  memory_access access = row_access(i, made->registers.size());
  const slot_ref base = base_of(d, i[1], access);
  append_step(d, std::make_shared<gathering_step>());
  append_access(d, access, made->row_words, base);
  append_step(d, made);
}

inline void decode_stmatrix(decoder& d, const ptx::instruction& i) {
  if (!i.has(ptx::token::m8n8)) d.refuse();
  const auto made = make_rows_step(d, i, rows_step::direction::registers_to_rows);
  made->registers = sources_of(d, i[1]);
  memory_access access = row_access(i, made->registers.size());
  access.is_write = true;
  const slot_ref base = base_of(d, i[0], access);
  append_step(d, made);
  append_access(d, access, made->row_words, base);
}

inline void decode_movmatrix(decoder& d, const ptx::instruction& i) {
  const auto made = std::make_shared<rows_step>();
  made->registers = results_of(d, i[0]);
  made->source = d.source(i[1], lane_type::u32);
  append_step(d, made);
}

}  // namespace detail

/// Returns: false when `i` is no matrix instruction.
inline bool decode_matrix(decoder& d, const ptx::instruction& i) {
  using ptx::opcode;
  switch (i.op) {
    case opcode::ldmatrix: detail::decode_ldmatrix(d, i); return true;
    case opcode::stmatrix: detail::decode_stmatrix(d, i); return true;
    case opcode::movmatrix: detail::decode_movmatrix(d, i); return true;
    case opcode::mma: detail::decode_product(d, i); return true;
    case opcode::wmma:
      if (i.has(ptx::token::load)) detail::line_accesses(d, i).load();
      else if (i.has(ptx::token::store)) detail::line_accesses(d, i).store();
      else detail::decode_product(d, i);
      return true;
    case opcode::wgmma: detail::decode_group(d, i); return true;
    case opcode::setmaxnreg: detail::decode_register_count(d, i); return true;
    default: return false;
  }
}

}  // namespace tg::emulator
