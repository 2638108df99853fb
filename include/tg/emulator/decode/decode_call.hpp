// Calls and returns, the stack, branches through a table.
#pragma once

#include <tg/emulator/decode/decode_memory.hpp>
#include <tg/emulator/image/call_graph.hpp>
#include <tg/emulator/image/system_function.hpp>

namespace tg::emulator {

/// What decoding one function must know of the others.
struct call_frames {
  dynamic_array<placement> where;  // per function
  const call_graph* graph = nullptr;
};

namespace detail {

/// The function that a name means: that of its alias.
inline std::uint32_t real_function(const ptx::module& m, std::uint32_t id) {
  const std::uint32_t alias = m.functions[id].alias;
  return alias == ptx::no_index ? id : alias;
}

/// A .param variable of the caller, large enough for what it stands for in a call.
inline void check_handed_over(decoder& d, const ptx::operand& o, std::uint64_t bytes) {
  const ptx::function& f = d.function();
  const bool is_local = o.kind == ptx::operand_kind::local;
  if (!is_local && f.is_entry) d.refuse("hands over a parameter of the kernel itself");
  const ptx::variable& own = is_local                 ? f.locals[o.id]
                             : o.id < f.params.size() ? f.params[o.id]
                                                      : f.results[o.id - f.params.size()];
  if (own.space != ptx::token::param) d.refuse("hands over a variable that is no .param");
  if (size_bytes(own) < bytes) d.refuse("hands over a variable that is smaller than the parameter");
}

/// What a call hands over or takes back: a .param variable of the caller, a register or a number.
inline call_value handed_over(decoder& d, const ptx::operand& o, const ptx::variable& as, bool is_result) {
  call_value made;
  made.bytes = size_bytes(as);
  if (o.kind == ptx::operand_kind::local || o.kind == ptx::operand_kind::param) {
    check_handed_over(d, o, made.bytes);
    const placement::place& own = (o.kind == ptx::operand_kind::local ? d.where().locals : d.where().params)[o.id];
    made.at = own.address;
    made.in_frame = own.in_frame;
  } else {
    const lane_type t = to_lane_type(as.type);
    made.slot = is_result ? d.result(o, t) : d.source(o, t);
    if (made.bytes > made.slot.bytes) d.refuse("passes a register that is narrower than the parameter");
  }
  return made;
}

inline void hand_over(decoder& d, const ptx::operand& list, const dynamic_array<ptx::variable>& as, bool are_results,
                      dynamic_array<call_value>& out) {
  const auto parts = d.function().parts(list);
  if (parts.size() != as.size()) d.refuse("has other arguments or results than the function it calls");
  for (std::size_t k = 0; k < parts.size(); ++k) out.push_back(handed_over(d, parts[k], as[k], are_results));
}

/// Where an operation that is not guarded begins when the instruction is: lanes whose guard does not hold branch past
/// it.
inline std::uint32_t skip_unless_guard(decoder& d, const ptx::instruction& i) {
  operation& skip = d.append(action::branch);
  skip.guard_negated = !i.guard_negated;
  skip.is_first = false;
  return static_cast<std::uint32_t>(d.image().code.size() - 1);
}

/// Arguments over, the jump, results back. The loader gives the jump its target when all functions are decoded.
inline void decode_call(decoder& d, const ptx::instruction& i, std::uint32_t caller, const call_frames& frames) {
  image& out = d.image();
  call_site site;
  site.caller = caller;
  const bool is_direct = i[1].kind == ptx::operand_kind::function;
  slot_ref address;
  const dynamic_array<ptx::variable>*params = nullptr, *results = nullptr;
  if (is_direct) {
    site.callee = real_function(d.module(), i[1].id);
    const ptx::function& callee = d.module().functions[site.callee];
    params = &callee.params;
    results = &callee.results;
    if (callee.is_external) site.system = to_system_function(callee.name);
    site.saves = site.system == system_function::none && frames.graph->may_come_back(caller, site.callee);
  } else {
    const bool is_list = i[3].kind == ptx::operand_kind::vector || i[3].kind == ptx::operand_kind::variable;
    const dynamic_array<std::uint32_t>& targets = frames.graph->callees(caller);
    if (is_list && targets.empty()) d.refuse("has an empty list of targets");
    const std::uint32_t first = !is_list                                 ? 0
                                : i[3].kind == ptx::operand_kind::vector ? d.function().parts(i[3])[0].id
                                : d.module().variables[i[3].id].relocations.empty()
                                    ? targets[0]
                                    : d.module().variables[i[3].id].relocations[0].target.id;
    params = is_list ? &d.module().functions[first].params : &d.function().prototypes[i[3].id].params;
    results = is_list ? &d.module().functions[first].results : &d.function().prototypes[i[3].id].results;
    address = d.source(i[1], lane_type::u64);
    site.saves = frames.graph->may_come_back(caller);
  }
  hand_over(d, i[2], *params, false, site.arguments);
  hand_over(d, i[0], *results, true, site.results);
  const auto number = static_cast<std::uint32_t>(out.calls.size());
  out.calls.push_back(site);
  if (site.system != system_function::none) {
    d.append(action::system_call).detail = number;
    out.uses_heap = out.uses_heap || site.system == system_function::malloc || site.system == system_function::free;
    return;
  }
  const slot_ref target = is_direct ? slot_ref{} : d.spare(4);
  const bool is_guarded = i.is_guarded();
  const std::uint32_t skip = is_guarded ? skip_unless_guard(d, i) : 0;
  for (const action act : {action::begin_call, is_direct ? action::branch : action::jump_to_slot, action::finish_call}) {
    operation& made = d.append(act);
    made.guard = no_slot;
    made.is_first = act == action::begin_call;
    made.detail = number;
    if (is_direct) continue;
    d.add_slot(made, act == action::jump_to_slot ? target : address);
    if (act == action::begin_call) d.add_slot(made, target);
  }
  if (is_guarded) out.code[skip].target = static_cast<std::uint32_t>(out.code.size());
}

/// Back to the caller; a frame on the stack is given up.
inline void decode_return(decoder& d, std::uint32_t function) {
  if (d.where().is_stacked) d.lanes(lane_op::copy, lane_type::u64, d.image().stack_pointer, {d.frame_pointer()});
  d.add_slot(d.append(action::jump_to_slot), {function, 4});
}

/// The labels of the table are made operations when the function is decoded.
inline void decode_table_branch(decoder& d, const ptx::instruction& i) {
  const slot_ref index = d.source(i[0], lane_type::u32), target = d.spare(4);
  dynamic_array<std::uint32_t> labels;
  for (const ptx::operand& o : d.function().parts(i[1])) labels.push_back(o.id);
  operation& pick = d.append(action::pick_target);
  pick.detail = static_cast<std::uint32_t>(d.image().branch_tables.size());
  pick.result_count = 1;
  d.add_slot(pick, target);
  d.add_slot(pick, index);
  d.image().branch_tables.push_back(std::move(labels));
  d.add_slot(d.append(action::jump_to_slot), target);
}

inline void decode_alloca(decoder& d, const ptx::instruction& i) {
  const lane_type t = to_lane_type(i.type());
  const slot_ref size = d.source(i[1], t), to = d.result(i[0], t);
  const std::int64_t align = i.operand_count > 2 ? i[2].value : 8;
  if (align <= 0 || (align & (align - 1)) != 0) d.refuse("has an alignment that is no power of two");
  operation& made = d.append(action::alloca);
  made.detail = static_cast<std::uint32_t>(align);
  made.result_count = 1;
  d.add_slot(made, to);
  d.add_slot(made, size);
}

/// stacksave: the stack pointer into a register; stackrestore: back.
inline void decode_stack_pointer(decoder& d, const ptx::instruction& i) {
  const bool saves = i.op == ptx::opcode::stacksave;
  const lane_type t = to_lane_type(i.type());
  const slot_ref from = saves ? d.image().stack_pointer : d.source(i[0], t);
  const slot_ref to = saves ? d.result(i[0], t) : d.image().stack_pointer;
  if (slot_bytes(t) == 8) d.lanes(lane_op::copy, t, to, {from});
  else if (saves) d.convert(lane_type::u32, lane_type::u64, to, from);
  else d.convert(lane_type::u64, lane_type::u32, to, from);
}

}  // namespace detail

/// Returns: false when `i` is none of these.
inline bool decode_stack(decoder& d, const ptx::instruction& i, std::uint32_t function, const call_frames& frames) {
  using ptx::opcode;
  switch (i.op) {
    case opcode::call: detail::decode_call(d, i, function, frames); return true;
    case opcode::brx: detail::decode_table_branch(d, i); return true;
    case opcode::alloca: detail::decode_alloca(d, i); return true;
    case opcode::stacksave:
    case opcode::stackrestore: detail::decode_stack_pointer(d, i); return true;
    default: return false;
  }
}

}  // namespace tg::emulator
