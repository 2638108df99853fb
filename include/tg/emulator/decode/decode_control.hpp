// Branches, returns, barriers and the exchanges of a warp.
#pragma once

#include <tg/emulator/decode/decode_call.hpp>

namespace tg::emulator {

/// Operations whose target is known only when all is decoded.
struct open_jump {
  std::uint32_t operation = 0;
  std::uint32_t label = 0;
};

namespace detail {

inline std::uint32_t add_exchange(decoder& d, const warp_exchange& e) {
  d.image().exchanges.push_back(e);
  return static_cast<std::uint32_t>(d.image().exchanges.size() - 1);
}

/// shfl: result, in-range predicate, value, lane, clamp and segment, members.
inline void decode_shuffle(decoder& d, const ptx::instruction& i) {
  const bool is_pair = i[0].kind == ptx::operand_kind::pair, syncs = i.has(ptx::token::sync);
  using ptx::token;
  const ptx::token mode = i.has(token::up)     ? token::up
                          : i.has(token::down) ? token::down
                          : i.has(token::bfly) ? token::bfly
                                               : token::idx;
  const slot_ref to = d.result(is_pair ? d.function().parts(i[0])[0] : i[0], 4);
  const slot_ref in_range = is_pair ? d.result(d.function().parts(i[0])[1], 4) : d.spare(4);
  const slot_ref value = d.source(i[1], lane_type::u32), lane = d.source(i[2], lane_type::u32),
                 bounds = d.source(i[3], lane_type::u32);
  const slot_ref members = syncs ? d.source(i[4], lane_type::u32) : d.number(-1, 4);
  operation& made = d.append(action::shuffle);
  made.result_count = 2;
  for (const slot_ref s : {to, in_range, value, lane, bounds, members}) d.add_slot(made, s);
  made.detail = add_exchange(d, {.mode = mode, .is_synchronizing = syncs});
}

/// vote, match, redux, elect, activemask: result, second result, value, members.
inline void decode_exchange(decoder& d, const ptx::instruction& i, action act, ptx::token mode, const ptx::operand* result,
                            const ptx::operand* second, const ptx::operand* value, const ptx::operand* members) {
  const lane_type t = act == action::vote ? lane_type::u32 : to_lane_type(i.type());
  const slot_ref to = result != nullptr ? d.result(*result, 4) : d.spare(4);
  const slot_ref also = second != nullptr ? d.result(*second, 4) : d.spare(4);
  const slot_ref from = value == nullptr ? d.number(0, 4) : act == action::vote ? d.predicate(*value) : d.source(*value, t);
  const slot_ref mask = members != nullptr ? d.source(*members, lane_type::u32) : d.number(-1, 4);
  const combine how = act == action::reduce_warp ? combine_of(d, i) : combine::add;
  operation& made = d.append(act);
  made.result_count = 2;
  for (const slot_ref s : {to, also, from, mask}) d.add_slot(made, s);
  made.detail = add_exchange(d, {.mode = mode, .how = how, .type = t, .is_synchronizing = members != nullptr});
}

/// Barrier: result, number, count, predicate.
inline void decode_barrier(decoder& d, const ptx::instruction& i) {
  using ptx::token;
  if (i.has(token::warp)) {
    const slot_ref members = d.source(i[0], lane_type::u32);
    operation& made = d.append(action::sync_warp);
    d.add_slot(made, members);
    return;
  }
  if (i.has(token::cluster)) d.refuse();
  barrier_use use;
  const bool reduces = i.has(token::red);
  use.waits = !i.has(token::arrive);
  use.is_aligned = i.op == ptx::opcode::bar || i.has(token::aligned);
  use.has_predicate = reduces;
  std::size_t next = reduces ? 1 : 0;
  const slot_ref to = reduces ? d.result(i[0], 4) : d.spare(4);
  const slot_ref number = d.source(i[next++], lane_type::u32);
  const std::size_t left = i.operand_count - next - (reduces ? 1 : 0);
  use.has_count = left > 0;
  const slot_ref count = use.has_count ? d.source(i[next++], lane_type::u32) : d.number(0, 4);
  const slot_ref predicate = reduces ? d.predicate(i[next]) : d.number(0, 4);
  if (reduces) use.how = i.has(token::popc) ? combine::popc : i.has(token::and_) ? combine::and_ : combine::or_;
  operation& made = d.append(action::barrier);
  made.result_count = 1;
  for (const slot_ref s : {to, number, count, predicate}) d.add_slot(made, s);
  made.detail = static_cast<std::uint32_t>(d.image().barriers.size());
  d.image().barriers.push_back(use);
}

}  // namespace detail

/// Returns: false when `i` is none of these. Branches are added to `jumps`.
inline bool decode_control(decoder& d, const ptx::instruction& i, dynamic_array<open_jump>& jumps, std::uint32_t function) {
  using ptx::opcode;
  using namespace detail;
  switch (i.op) {
    case opcode::bra:
      jumps.push_back({static_cast<std::uint32_t>(d.image().code.size()), i[0].id});
      d.append(action::branch);
      return true;
    case opcode::ret:
      if (d.function().is_entry) d.append(action::exit);
      else decode_return(d, function);
      return true;
    case opcode::exit: d.append(action::exit); return true;
    case opcode::trap:
    case opcode::brkpt: d.append(action::trap); return true;
    case opcode::assume: {
      const bool is_number = i.has(ptx::token::warp);
      if (is_number && (i[1].value <= 0 || i[1].value > UINT32_MAX)) d.refuse();
      const slot_ref assumed = is_number ? d.source(i[0], lane_type::u32) : d.predicate(i[0]);
      operation& made = d.append(action::trap);
      d.add_slot(made, assumed);
      made.target = is_number ? static_cast<std::uint32_t>(i[1].value) : 0;
      return true;
    }
    case opcode::nanosleep: d.append(action::yield); return true;
    case opcode::bar:
    case opcode::barrier: decode_barrier(d, i); return true;
    case opcode::shfl: decode_shuffle(d, i); return true;
    case opcode::vote: {
      using ptx::token;
      const ptx::token mode = i.has(token::ballot) ? token::ballot
                              : i.has(token::all)  ? token::all
                              : i.has(token::any)  ? token::any
                                                   : token::uni;
      const bool syncs = i.has(token::sync);
      decode_exchange(d, i, action::vote, mode, &i[0], nullptr, &i[1], syncs ? &i[2] : nullptr);
      return true;
    }
    case opcode::match: {
      const bool is_pair = i[0].kind == ptx::operand_kind::pair;
      const ptx::operand* const first = is_pair ? &d.function().parts(i[0])[0] : &i[0];
      decode_exchange(d, i, action::match, i.has(ptx::token::all) ? ptx::token::all : ptx::token::any, first,
                      is_pair ? &d.function().parts(i[0])[1] : nullptr, &i[1], &i[2]);
      return true;
    }
    case opcode::redux:
      if (is_float(to_lane_type(i.type()))) d.refuse();
      decode_exchange(d, i, action::reduce_warp, ptx::token::none, &i[0], nullptr, &i[1], &i[2]);
      return true;
    case opcode::activemask:
      decode_exchange(d, i, action::active_mask, ptx::token::none, &i[0], nullptr, nullptr, nullptr);
      return true;
    case opcode::elect: {
      const bool is_pair = i[0].kind == ptx::operand_kind::pair;
      if (!is_pair) d.refuse();
      const auto parts = d.function().parts(i[0]);
      decode_exchange(d, i, action::elect, ptx::token::none, parts[0].kind == ptx::operand_kind::sink ? nullptr : &parts[0],
                      &parts[1], nullptr, &i[1]);
      return true;
    }
    default: return false;
  }
}

}  // namespace tg::emulator
