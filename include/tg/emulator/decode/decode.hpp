// One function of a module → operations.
#pragma once

#include <tg/emulator/decode/alias_copies.hpp>
#include <tg/emulator/decode/decode_async.hpp>
#include <tg/emulator/decode/decode_control.hpp>
#include <tg/emulator/decode/decode_convert.hpp>
#include <tg/emulator/decode/decode_logic.hpp>
#include <tg/emulator/decode/decode_matrix.hpp>
#include <tg/emulator/decode/decode_move.hpp>
#include <tg/emulator/decode/decode_video.hpp>

namespace tg::emulator {

/// Appends the operations of function `id` to `out`.
/// Errors: TG400 for an instruction or form that the emulator does not run.
inline void decode_function(const ptx::module& module, std::uint32_t id, const call_frames& frames, const lane_code& lanes,
                            std::uint32_t first_slot, detail::image& out) {
  const ptx::function& f = module.functions[id];
  decoder d(module, id, frames.where[id], lanes, out, first_slot);
  function_image& made = out.functions[id];
  made.entry = static_cast<std::uint32_t>(out.code.size());
  made.is_kernel = f.is_entry;
  dynamic_array<std::uint32_t> labels(f.label_count, 0);
  dynamic_array<open_jump> jumps;
  std::size_t first_table = out.branch_tables.size();
  for (std::uint32_t k = 0; k < f.body.size(); ++k) {
    const ptx::instruction& i = f.body[k];
    if (i.op == ptx::opcode::label) {
      labels[i[0].id] = static_cast<std::uint32_t>(out.code.size());
      continue;
    }
    d.begin(i, k);
    if (!decode_arithmetic(d, i) && !decode_logic(d, i) && !decode_convert(d, i) && !decode_move(d, i) && !decode_video(d, i) &&
        !decode_async(d, i) && !decode_memory(d, i) && !decode_matrix(d, i) && !decode_stack(d, i, id, frames) &&
        !decode_control(d, i, jumps, id))
      d.refuse();
  }
  d.begin(detail::end_of_function(), static_cast<std::uint32_t>(f.body.size()));
  if (f.is_entry) d.append(action::exit);
  else detail::decode_return(d, id);
  for (const open_jump& j : jumps) out.code[j.operation].target = labels[j.label];
  for (; first_table < out.branch_tables.size(); ++first_table)
    for (std::uint32_t& target : out.branch_tables[first_table]) target = labels[target];
  made.frame_pointer = d.frame_pointer();
  made.kept = d.lasting();
  made.kept.push_back({id, 4});  // where it returns to
  made.values = d.values();
  made.slot_end = d.slot_end();
  if (f.is_entry) copy_aliases(std::span(out.code).subspan(made.entry), made.slot_end, lanes)();
}

}  // namespace tg::emulator
