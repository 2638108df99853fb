// Loads, stores, atomics and address arithmetic.
#pragma once

#include <tg/emulator/decode/decode_move.hpp>
#include <tg/emulator/image/call_graph.hpp>
#include <tg/emulator/image/cluster_window.hpp>
#include <tg/emulator/memory/memory.hpp>
#include <tg/ptx/ir/state_space.hpp>

namespace tg::emulator {

namespace detail {

/// The space of an access, `generic` where none is named.
inline ptx::token space_or_generic(ptx::token named) { return named == ptx::token::none ? ptx::token::generic : named; }
inline ptx::token space_of(const ptx::instruction& i) { return space_or_generic(ptx::named_space(i)); }

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
  made.detail = access.number = static_cast<std::uint32_t>(d.image().accesses.size());
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
      const slot_ref to = d.result(element, t);
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
  a.is_cluster = i.has(ptx::token::shared_cluster);
  if (a.element_bytes == 16) a.element_bytes = 8, a.elements = 2;
  if (a.element_bytes == 0 || a.element_bytes > 8 || elements > 8) d.refuse();
  return a;
}

inline bool is_quad_word(const ptx::instruction& i) { return ptx::width_bits(i.type()) == 128; }

/// A value of 128 bits has its upper word behind the lower, which only registers have.
inline void need_registers(const decoder& d, const ptx::instruction& i) {
  for (const ptx::operand& o : i.operands())
    if (is_quad_word(i) && o.is_immediate()) d.refuse("needs values of 128 bits in registers");
}

inline void add_elements(decoder& d, operation& made, const ptx::instruction& i, std::span<const slot_ref> elements) {
  need_registers(d, i);
  for (const slot_ref s : elements) d.add_slot(made, s);
  if (is_quad_word(i)) d.add_slot(made, upper_word(elements[0]));
}

inline void decode_load(decoder& d, const ptx::instruction& i) {
  const auto elements = elements_of(d, i[0]);
  memory_access access = make_access(d, i, elements.size());
  access.space = real_space(d, access.space, i[1]);
  if (access.space == ptx::token::param && !is_quad_word(i) && decode_parameter(d, i, access.type)) return;
  const slot_ref base = base_of(d, i[1], access);
  std::array<slot_ref, 8> to;
  for (std::size_t k = 0; k < elements.size(); ++k) to[k] = d.result(elements[k], access.type);
  operation& made = d.append(action::load);
  add_elements(d, made, i, std::span(to).first(elements.size()));
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
  add_elements(d, made, i, std::span(from).first(elements.size()));
  address_slot(d, made, access, base);
}

inline combine combine_of(const decoder& d, const ptx::instruction& i) {
  using ptx::token;
  for (const ptx::token t : i.tokens()) switch (t) {
      case token::add: return combine::add;
      case token::min: return combine::min;
      case token::max: return combine::max;
      case token::and_: return combine::and_;
      case token::or_: return combine::or_;
      case token::xor_: return combine::xor_;
      case token::exch: return combine::exchange;
      case token::cas: return combine::compare_exchange;
      case token::inc: return combine::increment;
      case token::dec: return combine::decrement;
      case token::popc: return combine::popc;
      default: break;
    }
  d.refuse();
}

/// atom and red, element by element; the slots are result, sources, address.
inline void decode_atomic(decoder& d, const ptx::instruction& i, bool has_result) {
  const std::size_t address = has_result ? 1 : 0;
  const auto values = elements_of(d, i[address + 1]);
  memory_access access = make_access(d, i, 1);
  access.is_write = access.is_atomic = true;
  access.how = combine_of(d, i);
  const bool is_quad = is_quad_word(i);
  need_registers(d, i);
  if (is_quad) access.element_bytes = 16, access.elements = 1;
  const auto unused = [&] {
    const slot_ref made = is_quad ? d.new_slot(8) : d.spare(access.type);
    if (is_quad) d.new_slot(8);
    return made;
  };
  const slot_ref base = base_of(d, i[address], access);
  access.atomics = static_cast<std::uint8_t>(values.size());
  std::array<slot_ref, 8> results;
  for (std::size_t k = 0; k < values.size(); ++k) {
    const slot_ref b = d.source(values[k], access.type);
    const slot_ref c = access.how == combine::compare_exchange ? d.source(i[address + 2], access.type) : b;
    const bool is_kept = has_result && values.size() == 1 && i[0].kind != ptx::operand_kind::sink;
    results[k] = is_kept ? d.result(i[0], access.type) : unused();
    operation& made = d.append(action::atomic);
    made.result_count = is_quad ? 2 : 1;
    for (const slot_ref s : {results[k], b, c}) {
      d.add_slot(made, s);
      if (is_quad) d.add_slot(made, upper_word(s));
    }
    address_slot(d, made, access, base);
    access.offset += access.element_bytes;
    access.atomics = 1;
  }
  if (!has_result || values.size() == 1) return;
  const auto to = elements_of(d, i[0]);
  for (std::size_t k = 0; k < to.size(); ++k) d.lanes(lane_op::copy, access.type, d.result(to[k], access.type), {results[k]});
}

/// The generic address of a space's address, or back.
inline void decode_cvta(decoder& d, const ptx::instruction& i) {
  const lane_type t = to_lane_type(i.type());
  const slot_ref a = d.source(i[1], t), to = d.result(i[0], t);
  if (space_of(i) != ptx::token::shared) return d.lanes(lane_op::copy, t, to, {a});
  d.lanes(i.has(ptx::token::to) ? lane_op::sub : lane_op::add, t, to,
          {a, d.number(static_cast<std::int64_t>(shared_window), t)});
}

inline void decode_isspacep(decoder& d, const ptx::instruction& i) {
  const slot_ref a = i[1].is_reg() ? d.reg(i[1].id) : d.source(i[1], lane_type::u64);
  const lane_type t = a.bytes == 8 ? lane_type::u64 : lane_type::u32;
  const slot_ref to = d.result(i[0], 4);
  const ptx::token space = space_of(i);
  const auto is_inside = [&](slot_ref result, std::uint64_t begin, std::uint64_t bytes) {
    const slot_ref inside = d.spare(t);
    d.lanes(lane_op::sub, t, inside, {a, d.number(static_cast<std::int64_t>(begin), t)});
    d.lanes(lane_op::lt, t, result, {inside, d.number(static_cast<std::int64_t>(bytes), t)});
  };
  if (space == ptx::token::const_ || space == ptx::token::global) {  // constants lie among the global allocations
    const slot_ref is_constant = d.spare(4), is_one = d.spare(4);
    d.lanes(lane_op::copy, lane_type::u32, is_constant, {d.number(0, 4)});
    for (std::size_t k = 0; k < d.module().variables.size(); ++k) {
      const ptx::variable& v = d.module().variables[k];
      if (v.space != ptx::token::const_ || !d.where().variables[k].is_placed) continue;
      is_inside(is_one, d.where().variables[k].address, size_bytes(v));
      d.lanes(lane_op::or_, lane_type::u32, is_constant, {is_constant, is_one});
    }
    if (space == ptx::token::const_) return d.lanes(lane_op::copy, lane_type::u32, to, {is_constant});
    d.lanes(lane_op::le, t, is_one, {d.number(static_cast<std::int64_t>(memory::first_address), t), a});
    return d.lanes(lane_op::and_not, lane_type::u32, to, {is_one, is_constant});
  }
  const std::uint64_t window = space == ptx::token::shared  ? shared_window
                               : space == ptx::token::local ? local_window
                                                            : param_window;
  if (!i.has(ptx::token::shared_cluster)) return is_inside(to, window, window_bytes);
  const slot_ref is_own = d.spare(4), is_other = d.spare(4);
  is_inside(is_own, window, window_bytes);
  is_inside(is_other, cluster_window, max_cluster_blocks * window_bytes);
  d.lanes(lane_op::or_, lane_type::u32, to, {is_own, is_other});
}

}  // namespace detail

/// Returns: false when `i` does not touch memory.
inline bool decode_memory(decoder& d, const ptx::instruction& i) {
  using ptx::opcode;
  switch (i.op) {
    case opcode::ld:
    case opcode::ldu: detail::decode_load(d, i); return true;
    case opcode::st: detail::decode_store(d, i); return true;
    case opcode::atom: detail::decode_atomic(d, i, true); return true;
    case opcode::red: detail::decode_atomic(d, i, false); return true;
    case opcode::createpolicy:
      d.lanes(lane_op::copy, lane_type::u64, d.result(i[0], 8),
              {i.has(ptx::token::cvt) ? d.source(i[1], lane_type::u64) : d.number(1, 8)});
      return true;
    case opcode::cvta: detail::decode_cvta(d, i); return true;
    case opcode::isspacep: detail::decode_isspacep(d, i); return true;
    case opcode::fence:
    case opcode::membar: d.append(action::fence); return true;
    case opcode::prefetch:
    case opcode::prefetchu:
    case opcode::applypriority:
    case opcode::discard:
    case opcode::pmevent:
    case opcode::griddepcontrol: d.append(action::nothing); return true;
    default: return false;
  }
}

}  // namespace tg::emulator
