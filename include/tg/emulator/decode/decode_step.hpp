// What the decoding of all matrix instructions shares: types, registers of a vector, steps.
#pragma once

#include <tg/emulator/decode/decode_memory.hpp>
#include <tg/emulator/matrix/fragment_layout.hpp>

namespace tg::emulator::detail {

/// The types in their order.
inline dynamic_array<ptx::token> types_of(const ptx::instruction& i) {
  dynamic_array<ptx::token> out;
  for (const ptx::token t : i.tokens())
    if (ptx::is_type(t)) out.push_back(t);
  return out;
}

inline dynamic_array<slot_ref> results_of(decoder& d, const ptx::operand& o, unsigned bytes = 4) {
  dynamic_array<slot_ref> out;
  for (const ptx::operand& part : elements_of(d, o)) out.push_back(d.result(part, bytes));
  return out;
}

inline dynamic_array<slot_ref> sources_of(decoder& d, const ptx::operand& o, lane_type t = lane_type::u32) {
  dynamic_array<slot_ref> out;
  for (const ptx::operand& part : elements_of(d, o)) out.push_back(d.source(part, t));
  return out;
}

inline void append_step(decoder& d, std::shared_ptr<const matrix_step> step) {
  d.append(action::matrix).detail = static_cast<std::uint32_t>(d.image().matrices.size());
  d.image().matrices.push_back(std::move(step));
}

/// One access of up to 16 bytes per lane, at the address in slot `at`.
inline void append_access(decoder& d, memory_access access, std::span<const slot_ref> elements, slot_ref at) {
  access.elements = static_cast<std::uint8_t>(elements.size());
  operation& made = d.append(access.is_write ? action::store : action::load);
  made.result_count = access.is_write ? 0 : access.elements;
  for (const slot_ref s : elements) d.add_slot(made, s);
  address_slot(d, made, access, at);
}

}  // namespace tg::emulator::detail
