// What a call does to the memory of each thread that makes it: arguments over, registers kept, frames on the stack.
#pragma once

#include <tg/emulator/check/report.hpp>
#include <tg/emulator/check/watch.hpp>
#include <tg/emulator/image/call_graph.hpp>

namespace tg::emulator::detail {

inline std::uint64_t read_slot(const block& b, slot_ref s, std::uint32_t thread) {
  const std::byte* const at = b.slot(s.index, s.bytes, 0) + std::size_t{thread} * s.bytes;
  std::uint64_t out = 0;
  std::memcpy(&out, at, s.bytes);
  return out;
}

inline void write_slot(block& b, slot_ref s, std::uint32_t thread, std::uint64_t value) {
  std::memcpy(b.slot(s.index, s.bytes, 0) + std::size_t{thread} * s.bytes, &value, s.bytes);
}

/// Calls `f(thread)` for each lane of the group that takes part.
template <class F> void each_thread(const block& b, const operation& o, F f) {
  for (std::uint32_t w = 0; w < b.the_machine().warps; ++w)
    for (std::uint32_t left = b.active(o, w); left != 0; left &= left - 1)
      f(w * 32 + static_cast<std::uint32_t>(std::countr_zero(left)));
}

inline std::string by_thread(const block& b, std::uint32_t thread) { return emulator::by_thread(b, thread / 32, thread % 32); }

/// Where an argument, result or parameter is that `thread` sees; `frame` is where its function's frame begins.
inline std::byte* bytes_of(block& b, const call_value& v, std::uint64_t frame, std::uint32_t thread) {
  if (v.is_slot()) return b.slot(v.slot.index, v.slot.bytes, 0) + std::size_t{thread} * v.slot.bytes;
  return b.threads.at(thread, v.in_frame ? frame + v.at : v.at);
}

/// Copies `from`, which holds as many bytes.
inline void hand_over(block& b, const call_value& to, std::uint64_t frame, const std::byte* from, std::uint32_t thread) {
  std::memcpy(bytes_of(b, to, frame, thread), from, to.bytes);
  if (check::watch* const watch = b.the_machine().watch; watch != nullptr && !to.is_slot())
    watch->written(b, ptx::token::local, thread, to.in_frame ? frame + to.at : to.at, to.bytes);
}

inline void keep_registers(block& b, const function_image& f, std::uint32_t thread) {
  dynamic_array<std::uint32_t>& kept = b.threads.kept(thread);
  for (const slot_ref s : f.kept) {
    const std::uint64_t value = read_slot(b, s, thread);
    kept.push_back(static_cast<std::uint32_t>(value));
    if (s.bytes == 8) kept.push_back(static_cast<std::uint32_t>(value >> 32));
  }
}

inline void give_back_registers(block& b, const function_image& f, std::uint32_t thread) {
  dynamic_array<std::uint32_t>& kept = b.threads.kept(thread);
  for (auto s = f.kept.rbegin(); s != f.kept.rend(); ++s) {
    std::uint64_t value = kept.back();
    kept.pop_back();
    if (s->bytes == 8) {
      value = value << 32 | kept.back();
      kept.pop_back();
    }
    write_slot(b, *s, thread, value);
  }
}

/// Takes `bytes` of the thread's stack. Returns: where they begin. Errors: TG467.
inline std::uint64_t claim_stack(block& b, const operation& o, std::uint32_t thread, std::uint64_t bytes, std::uint64_t align) {
  const machine& m = b.the_machine();
  const std::uint64_t from = (read_slot(b, m.image.stack_pointer, thread) + align - 1) & ~(align - 1);
  if (!b.threads.claim(from, bytes)) {
    const std::uint64_t begin = b.threads.stack_begin(), end = b.threads.stack_end();
    fail(m, 467, o,
         "stack overflow at " + describe(m, o) + " " + by_thread(b, thread) + ": " + std::to_string(bytes) +
             " bytes are asked for, " + std::to_string(from >= begin && from <= end ? end - from : 0) + " of " +
             std::to_string(end - begin) + " are left",
         "end the recursion earlier, or ask for a larger stack (options::stack_bytes, the driver's stack limit)");
  }
  write_slot(b, m.image.stack_pointer, thread, from + (bytes + 15) / 16 * 16);
  return from;
}

/// The function at a code address. Errors: TG465.
inline std::uint32_t function_at(const block& b, const operation& o, const call_site& site, std::uint64_t address,
                                 std::uint32_t thread) {
  const machine& m = b.the_machine();
  const dynamic_array<ptx::function>& all = m.loaded.source().functions;
  const auto refuse = [&](const std::string& why) {
    fail(m, 465, o, describe(m, o) + " " + by_thread(b, thread) + " calls address " + hex(address) + ", " + why,
         "look where the function pointer was written");
  };
  const std::uint64_t id = (address - code_window) / code_step;
  if (address < code_window || address % code_step != 0 || id >= all.size())
    refuse(address == 0 ? "a null pointer" : "which is no function");
  const ptx::function& named = all[id];
  const std::uint32_t real = named.alias == ptx::no_index ? static_cast<std::uint32_t>(id) : named.alias;
  const ptx::function& f = all[real];
  if (f.is_entry || f.is_external) refuse("'" + f.name + "', which " + (f.is_entry ? "is a kernel" : "is only declared"));
  const auto fits = [](const dynamic_array<call_value>& own, const dynamic_array<ptx::variable>& declared) {
    return std::equal(own.begin(), own.end(), declared.begin(), declared.end(),
                      [](const call_value& v, const ptx::variable& d) { return v.bytes == size_bytes(d); });
  };
  if (!fits(site.arguments, f.params) || !fits(site.results, f.results))
    refuse("'" + f.name + "', which has other parameters than the call");
  return real;
}

/// Everything before the jump; a call by address also finds out where to.
inline void begin_call(block& b, const operation& o) {
  const machine& m = b.the_machine();
  const image& all = m.image;
  const call_site& site = all.calls[o.detail];
  const function_image& caller = all.functions[site.caller];
  const auto back = static_cast<std::uint32_t>(&o - all.code.data()) + 2;
  each_thread(b, o, [&](std::uint32_t t) {
    std::uint32_t id = site.callee;
    if (id == no_slot) {
      id = function_at(b, o, site, read_slot(b, {o.slots[0], o.slot_bytes[0]}, t), t);
      write_slot(b, {o.slots[1], 4}, t, all.functions[id].entry);
    }
    const function_image& callee = all.functions[id];
    const std::uint64_t frame = caller.is_stacked ? read_slot(b, caller.frame_pointer, t) : 0;
    if (site.saves) keep_registers(b, caller, t);
    const std::uint64_t there = callee.is_stacked ? claim_stack(b, o, t, callee.frame_bytes, callee.frame_align) : 0;
    for (std::size_t k = 0; k < site.arguments.size(); ++k)
      hand_over(b, callee.params[k], there, bytes_of(b, site.arguments[k], frame, t), t);
    if (callee.is_stacked) write_slot(b, callee.frame_pointer, t, there);
    write_slot(b, {id, 4}, t, back);
  });
}

/// Everything after the return; the stack pointer is where the callee's frame began.
inline void finish_call(block& b, const operation& o) {
  const image& all = b.the_machine().image;
  const call_site& site = all.calls[o.detail];
  const function_image& caller = all.functions[site.caller];
  each_thread(b, o, [&](std::uint32_t t) {
    if (site.saves) give_back_registers(b, caller, t);
    const std::uint32_t id =
        site.callee != no_slot ? site.callee : function_at(b, o, site, read_slot(b, {o.slots[0], o.slot_bytes[0]}, t), t);
    const function_image& callee = all.functions[id];
    const std::uint64_t frame = caller.is_stacked ? read_slot(b, caller.frame_pointer, t) : 0;
    const std::uint64_t there = callee.is_stacked ? read_slot(b, all.stack_pointer, t) : 0;
    for (std::size_t k = 0; k < site.results.size(); ++k)
      hand_over(b, site.results[k], frame, bytes_of(b, callee.params[site.arguments.size() + k], there, t), t);
  });
}

/// The operation that a branch through a table goes to. Errors: TG469.
inline void pick_target(block& b, const operation& o) {
  const machine& m = b.the_machine();
  const dynamic_array<std::uint32_t>& table = m.image.branch_tables[o.detail];
  each_thread(b, o, [&](std::uint32_t t) {
    const auto index = static_cast<std::uint32_t>(read_slot(b, {o.slots[1], o.slot_bytes[1]}, t));
    if (index >= table.size())
      fail(m, 469, o,
           describe(m, o) + " " + by_thread(b, t) + " has index " + std::to_string(index) + ", its table has " +
               std::to_string(table.size()) + " labels",
           "compare the index with the size of the table first");
    write_slot(b, {o.slots[0], o.slot_bytes[0]}, t, table[index]);
  });
}

/// alloca: the stack grows until the function returns or the stack pointer is set back.
inline void grow_stack(block& b, const operation& o) {
  each_thread(b, o, [&](std::uint32_t t) {
    const std::uint64_t bytes = read_slot(b, {o.slots[1], o.slot_bytes[1]}, t);
    const std::uint64_t at = claim_stack(b, o, t, bytes, std::max<std::uint64_t>(o.detail, 16));
    write_slot(b, {o.slots[0], o.slot_bytes[0]}, t, at);
  });
}

}  // namespace tg::emulator::detail
