// One function of a module → operations.
#pragma once

#include <tg/emulator/decode_control.hpp>
#include <tg/emulator/decode_convert.hpp>
#include <tg/emulator/decode_logic.hpp>

namespace tg::emulator {

/// What decoding one function must know of the others.
struct call_frames {
  std::vector<placement> where;        // per function
  std::vector<std::uint32_t> entries;  // per function: its first operation, once decoded
};

namespace detail {

inline std::uint64_t size_bytes(const ptx::variable& v) {
  return static_cast<std::uint64_t>(v.count > 0   ? v.count
                                    : v.count < 0 ? 0
                                                  : 1) *
         static_cast<std::uint64_t>(ptx::width_bits(v.type)) / 8;
}

/// A direct call: arguments into the callee's parameters, the jump, results back. The jump's target is the function's
/// number until all functions are decoded.
inline void decode_call(decoder& d, const ptx::instruction& i, const call_frames& frames) {
  if (i[1].kind != ptx::operand_kind::function)
    d.refuse("calls through a register, which the emulator does not support");
  const std::uint32_t id = i[1].id;
  const ptx::function& callee = d.module().functions[id];
  const placement& there = frames.where[id];
  const auto arguments = d.function().parts(i[2]), results = d.function().parts(i[0]);
  const auto own = [&](const ptx::operand& o) {
    if (o.kind != ptx::operand_kind::local) d.refuse("passes a value that is no .param variable");
    return d.where().locals[o.id].address;
  };
  for (std::size_t k = 0; k < arguments.size() && k < callee.params.size(); ++k)
    copy_variable(d, there.params[k].address, own(arguments[k]), size_bytes(callee.params[k]));
  operation& jump = d.append(action::call);
  jump.target = id;
  d.add_slot(jump, {id, 4});
  for (std::size_t k = 0; k < results.size() && k < callee.results.size(); ++k)
    copy_variable(d, own(results[k]), there.params[callee.params.size() + k].address, size_bytes(callee.results[k]));
}

}  // namespace detail

/// Appends the operations of function `id` to `out`.
/// Errors: TG400 for an instruction or form that the emulator does not run.
inline void decode_function(const ptx::module& module, std::uint32_t id, const call_frames& frames,
                            const lane_code& lanes, std::uint32_t first_slot, detail::image& out) {
  const ptx::function& f = module.functions[id];
  decoder d(module, id, frames.where[id], lanes, out, first_slot);
  function_image& made = out.functions[id];
  made.entry = static_cast<std::uint32_t>(out.code.size());
  made.is_kernel = f.is_entry;
  std::vector<std::uint32_t> labels(f.label_count, 0);
  std::vector<open_jump> jumps;
  for (std::uint32_t k = 0; k < f.body.size(); ++k) {
    const ptx::instruction& i = f.body[k];
    if (i.op == ptx::opcode::label) {
      labels[i[0].id] = static_cast<std::uint32_t>(out.code.size());
      continue;
    }
    d.begin(i, k);
    if (i.op == ptx::opcode::call)
      detail::decode_call(d, i, frames);
    else if (!decode_arithmetic(d, i) && !decode_logic(d, i) && !decode_convert(d, i) && !decode_memory(d, i) &&
             !decode_control(d, i, jumps, {id, 4}))
      d.refuse();
  }
  d.begin(detail::end_of_function(), static_cast<std::uint32_t>(f.body.size()));
  if (f.is_entry)
    d.append(action::exit);
  else
    d.add_slot(d.append(action::jump_to_slot), {id, 4});
  for (const open_jump& j : jumps) out.code[j.operation].target = labels[j.label];
  made.values = d.values();
  made.slot_end = d.slot_end();
}

}  // namespace tg::emulator
