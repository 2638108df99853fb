// Loads, stores, atomics and address arithmetic.
#pragma once

#include <tg/emulator/decode_arithmetic.hpp>
#include <tg/emulator/memory.hpp>

namespace tg::emulator {

namespace detail {

inline ptx::token space_of(const ptx::instruction& i) {
  using ptx::token;
  for (const ptx::token t : i.tokens()) {
    if (t == token::shared_cta || t == token::shared_cluster) return token::shared;
    if (t == token::param_entry || t == token::param_func) return token::param;
    if (t == token::global || t == token::shared || t == token::local || t == token::const_ || t == token::param)
      return t;
  }
  return token::generic;
}

/// Elements of a vector operand, or the operand alone.
inline std::span<const ptx::operand> elements_of(const decoder& d, const ptx::operand& o) {
  if (o.kind == ptx::operand_kind::vector) return d.function().parts(o);
  return {&o, 1};
}

/// Function-scope .param variables and parameters of a .func live in local memory.
inline ptx::token real_space(const decoder& d, ptx::token space, const ptx::operand& address) {
  if (space != ptx::token::param) return space;
  return address.base == ptx::operand_kind::local || !d.function().is_entry ? ptx::token::local : space;
}

/// Fills in space and offset and appends the slot of the address.
inline void address_slot(decoder& d, operation& made, memory_access& access, slot_ref base) {
  d.add_slot(made, base);
  made.detail = static_cast<std::uint32_t>(d.image().accesses.size());
  d.image().accesses.push_back(access);
}

inline slot_ref base_of(decoder& d, const ptx::operand& address, memory_access& access) {
  if (address.kind != ptx::operand_kind::address) d.refuse("has no address");
  access.offset = address.value;
  if (address.base == ptx::operand_kind::reg) return d.reg(address.id);
  if (address.base == ptx::operand_kind::none) return d.number(0, 8);
  return d.symbol(address.base, address.id, 0, 8);
}

/// A kernel parameter read at a place known now: every lane gets the same bytes of the launch.
inline bool decode_parameter(decoder& d, const ptx::instruction& i, lane_type t) {
  if (i[1].base != ptx::operand_kind::param || !d.function().is_entry) return false;
  std::int64_t at = static_cast<std::int64_t>(d.where().params[i[1].id].address - param_window) + i[1].value;
  for (const ptx::operand& element : elements_of(d, i[0])) {
    if (element.kind != ptx::operand_kind::sink) {
      const slot_ref to = d.result(element, static_cast<unsigned>(slot_bytes(t)));
      d.lanes(lane_op::copy, to.bytes == 8 ? lane_type::u64 : lane_type::u32, to,
              {d.constant(frame_value::source::parameter, at, to.bytes, t)});
    }
    at += width_bits(t) / 8;
  }
  return true;
}

inline memory_access make_access(decoder& d, const ptx::instruction& i, std::size_t elements) {
  const ptx::token type = i.type();
  memory_access a;
  a.type = to_lane_type(type);
  a.written_type = type;
  a.element_bytes = static_cast<std::uint8_t>(ptx::width_bits(type) / 8);
  a.elements = static_cast<std::uint8_t>(elements);
  a.space = space_of(i);
  if (a.element_bytes == 0 || a.element_bytes > 8 || elements > 8) d.refuse();
  return a;
}

inline void decode_load(decoder& d, const ptx::instruction& i) {
  const auto elements = elements_of(d, i[0]);
  memory_access access = make_access(d, i, elements.size());
  access.space = real_space(d, access.space, i[1]);
  if (access.space == ptx::token::param && decode_parameter(d, i, access.type)) return;
  const slot_ref base = base_of(d, i[1], access);
  std::array<slot_ref, 8> to;
  for (std::size_t k = 0; k < elements.size(); ++k)
    to[k] = d.result(elements[k], static_cast<unsigned>(slot_bytes(access.type)));
  operation& made = d.append(action::load);
  for (std::size_t k = 0; k < elements.size(); ++k) d.add_slot(made, to[k]);
  made.result_count = access.elements;
  address_slot(d, made, access, base);
}

inline void decode_store(decoder& d, const ptx::instruction& i) {
  const auto elements = elements_of(d, i[1]);
  memory_access access = make_access(d, i, elements.size());
  access.space = real_space(d, access.space, i[0]);
  access.is_write = true;
  const slot_ref base = base_of(d, i[0], access);
  std::array<slot_ref, 8> from;
  for (std::size_t k = 0; k < elements.size(); ++k) from[k] = d.source(elements[k], access.type);
  operation& made = d.append(action::store);
  for (std::size_t k = 0; k < elements.size(); ++k) d.add_slot(made, from[k]);
  address_slot(d, made, access, base);
}

inline combine combine_of(const decoder& d, const ptx::instruction& i) {
  using ptx::token;
  for (const ptx::token t : i.tokens()) switch (t) {
      case token::add:
        return combine::add;
      case token::min:
        return combine::min;
      case token::max:
        return combine::max;
      case token::and_:
        return combine::and_;
      case token::or_:
        return combine::or_;
      case token::xor_:
        return combine::xor_;
      case token::exch:
        return combine::exchange;
      case token::cas:
        return combine::compare_exchange;
      case token::inc:
        return combine::increment;
      case token::dec:
        return combine::decrement;
      case token::popc:
        return combine::popc;
      default:
        break;
    }
  d.refuse();
}

/// atom and red; the slots are result, sources, address.
inline void decode_atomic(decoder& d, const ptx::instruction& i, bool has_result) {
  const std::size_t address = has_result ? 1 : 0;
  memory_access access = make_access(d, i, 1);
  if (i[address + 1].kind == ptx::operand_kind::vector || is_half_type(i.type()) || is_pair_type(i.type()) ||
      width_bits(access.type) < 32)
    d.refuse();
  access.is_write = access.is_atomic = true;
  access.how = combine_of(d, i);
  const unsigned bytes = static_cast<unsigned>(slot_bytes(access.type));
  const slot_ref result = has_result ? d.result(i[0], bytes) : d.spare(bytes);
  const slot_ref base = base_of(d, i[address], access);
  const slot_ref b = d.source(i[address + 1], access.type);
  const slot_ref c = access.how == combine::compare_exchange ? d.source(i[address + 2], access.type) : b;
  operation& made = d.append(action::atomic);
  made.result_count = 1;
  for (const slot_ref s : {result, b, c}) d.add_slot(made, s);
  address_slot(d, made, access, base);
}

/// The generic address of a space's address, or back.
inline void decode_cvta(decoder& d, const ptx::instruction& i) {
  const lane_type t = to_lane_type(i.type());
  const slot_ref a = d.source(i[1], t), to = d.result(i[0], static_cast<unsigned>(slot_bytes(t)));
  if (space_of(i) != ptx::token::shared) return d.lanes(lane_op::copy, t, to, {a});
  d.lanes(i.has(ptx::token::to) ? lane_op::sub : lane_op::add, t, to,
          {a, d.number(static_cast<std::int64_t>(shared_window), t)});
}

inline void decode_isspacep(decoder& d, const ptx::instruction& i) {
  const slot_ref a = i[1].is_reg() ? d.reg(i[1].id) : d.source(i[1], lane_type::u64);
  const lane_type t = a.bytes == 8 ? lane_type::u64 : lane_type::u32;
  const slot_ref to = d.result(i[0], 4);
  const ptx::token space = space_of(i);
  if (space == ptx::token::const_) d.refuse();
  if (space == ptx::token::global)
    return d.lanes(lane_op::le, t, to, {d.number(static_cast<std::int64_t>(memory::first_address), t), a});
  const std::uint64_t window = space == ptx::token::shared  ? shared_window
                               : space == ptx::token::local ? local_window
                                                            : param_window;
  const slot_ref inside = d.spare(t);
  d.lanes(lane_op::sub, t, inside, {a, d.number(static_cast<std::int64_t>(window), t)});
  d.lanes(lane_op::lt, t, to, {inside, d.number(static_cast<std::int64_t>(window_bytes), t)});
}

}  // namespace detail

/// Returns: false when `i` does not touch memory.
inline bool decode_memory(decoder& d, const ptx::instruction& i) {
  using ptx::opcode;
  switch (i.op) {
    case opcode::ld:
    case opcode::ldu:
      detail::decode_load(d, i);
      return true;
    case opcode::st:
      detail::decode_store(d, i);
      return true;
    case opcode::atom:
      detail::decode_atomic(d, i, true);
      return true;
    case opcode::red:
      detail::decode_atomic(d, i, false);
      return true;
    case opcode::cvta:
      detail::decode_cvta(d, i);
      return true;
    case opcode::isspacep:
      detail::decode_isspacep(d, i);
      return true;
    case opcode::fence:
    case opcode::membar:
    case opcode::prefetch:
    case opcode::prefetchu:
    case opcode::applypriority:
    case opcode::discard:
    case opcode::pmevent:
    case opcode::griddepcontrol:
      d.append(action::nothing);
      return true;
    default:
      return false;
  }
}

}  // namespace tg::emulator
