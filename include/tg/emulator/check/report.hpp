// The text of an error that a running kernel makes: instruction, line, thread, block, address, nearest allocation.
#pragma once

#include <algorithm>
#include <string>

#include <tg/base/fixed_array.hpp>
#include <tg/emulator/block/cluster.hpp>
#include <tg/emulator/block/waiting.hpp>
#include <tg/emulator/launch/finding.hpp>
#include <tg/ptx/print/print.hpp>

namespace tg::emulator {

/// The PTX instruction that an operation comes from; a made `ret` at the end of a function.
inline const ptx::instruction& instruction_of(const machine& m, const operation& o) {
  const instruction_info& from = m.image.instructions[o.instruction];
  const auto& body = m.loaded.source().functions[from.function].body;
  return from.index < body.size() ? body[from.index] : detail::end_of_function();
}

/// "'ld.global.f32' (PTX line 12)", without the line where PTX was not loaded from text.
inline std::string describe(const machine& m, const operation& o) {
  const instruction_info& from = m.image.instructions[o.instruction];
  std::string out = "'" + spelling(instruction_of(m, o)) + "'";
  const std::uint32_t line = m.loaded.ptx_line(from.function, from.index);
  return line == 0 ? out : out + " (PTX line " + std::to_string(line) + ")";
}

/// The instruction that an operation comes from, for findings.
inline check::site site_of(const machine& m, const operation& o) {
  const ptx::instruction& i = instruction_of(m, o);
  const instruction_info& from = m.image.instructions[o.instruction];
  check::site out;
  out.instruction = spelling(i);
  out.ptx_line = m.loaded.ptx_line(from.function, from.index);
  if (i.where.line != 0) out.file = m.loaded.source().files[i.where.file], out.line = i.where.line;
  return out;
}

/// Where an operation stands in the program, run by thread `thread` of block number `block`.
inline check::site site_of(const machine& m, const operation& o, std::uint64_t block, std::uint32_t thread) {
  const auto place = [](std::uint64_t number, const launch_shape::extent& e) {
    return fixed_array{static_cast<std::uint32_t>(number % e.x), static_cast<std::uint32_t>(number / e.x % e.y),
                       static_cast<std::uint32_t>(number / e.x / e.y)};
  };
  check::site out = site_of(m, o);
  out.has_thread = true;
  out.thread = place(thread, m.shape.block);
  out.block = place(block, m.shape.grid);
  return out;
}

/// A finding with its code, its kernel and its place; the caller fills in the rest.
inline check::finding start_finding(const machine& m, check::checker kind, int number, check::site at) {
  check::finding out;
  out.kind = kind;
  out.code = code{number};
  out.kernel = m.name;
  out.at = std::move(at);
  return out;
}

/// Throws `number` for an operation, with the C++ line that .loc gives.
[[noreturn]] inline void fail(const machine& m, int number, const operation& o, const std::string& text, std::string_view fix) {
  const bool is_sync = number >= 420 && number < 430;
  check::finding f = start_finding(m, is_sync ? check::checker::sync : check::checker::memory, number, site_of(m, o));
  f.what = text;
  f.fix = fix;
  throw check::failure(std::move(f));
}

/// The words "by thread (x, y, z) of block (x, y, z) in kernel 'name'".
inline std::string by_thread(const block& b, std::uint32_t warp, std::uint32_t lane) {
  return "by thread " + triple(b.thread(warp * 32 + lane)) + " of block " + triple(b.at_of(warp)) + " in kernel '" +
         b.the_machine().name + "'";
}

/// "4 bytes after the nearest allocation at 0x... of size 1024 bytes".
inline std::string nearest_allocation(const machine& m, std::uint64_t address, std::uint64_t bytes) {
  const allocation* nearest = nullptr;
  std::uint64_t distance = ~std::uint64_t{0};
  for (const allocation& a : *m.table) {
    const std::uint64_t d = address < a.address ? a.address - address : address < a.end() ? 0 : address - a.end() + 1;
    if (d < distance) nearest = &a, distance = d;
  }
  if (nearest == nullptr) return "there is no allocation";
  const std::string that = "the nearest allocation at " + hex(nearest->address) + " of size " +
                           std::to_string(nearest->size_bytes) + " bytes" + (nearest->is_live ? "" : ", which was released");
  if (address >= nearest->end()) return std::to_string(address - nearest->end()) + " bytes after " + that;
  if (address < nearest->address) return std::to_string(nearest->address - address) + " bytes before " + that;
  if (address + bytes > nearest->end())
    return "the last " + std::to_string(address + bytes - nearest->end()) + " of its bytes are after " + that;
  return std::to_string(address - nearest->address) + " bytes inside " + that;
}

/// ", 4 bytes inside 'tile'": the kernel's variable at an address in shared memory; empty where there is none.
inline std::string variable_at(const machine& m, std::uint64_t address) {
  for (const placed_variable& v : m.kernel.shared)
    if (address - v.offset < v.bytes) return ", " + std::to_string(address - v.offset) + " bytes inside '" + v.name + "'";
  return "";
}

/// The first warp of which some lane lives.
inline std::uint32_t first_living_warp(const block& b) {
  const auto living = std::ranges::find_if(b.warps, [](const warp_state& w) { return w.live != 0; });
  return static_cast<std::uint32_t>(living - b.warps.begin());
}

/// Who waits for what, for hangs, in the first block that lives. Neighbouring warps that do the same are named
/// together.
inline std::string waiting_lanes(const block& b) {
  const machine& m = b.the_machine();
  const std::uint32_t before = first_living_warp(b) / m.warps * m.warps;
  std::string out, last;
  std::uint32_t first_warp = 0, last_warp = 0;
  const auto tell = [&] {
    if (last.empty()) return;
    const std::string warps = first_warp == last_warp
                                  ? "warp " + std::to_string(first_warp)
                                  : "warps " + std::to_string(first_warp) + " to " + std::to_string(last_warp);
    out += "; " + warps + last;
  };
  for (std::uint32_t w = 0; w < m.warps && before < b.warp_count; ++w)
    for (const warp_part& p : b.warps[before + w].parts) {
      const operation& o = m.image.code[p.pc];
      const ptx::location& at = instruction_of(m, o).where;
      std::string text = " lanes " + hex(p.lanes) + (p.waits == wait_reason::none ? " run at " : " wait at ") + describe(m, o);
      if (at.line != 0) text += " line " + std::to_string(at.line);
      if (p.waits == wait_reason::barrier) text += " for barrier " + std::to_string(p.barrier);
      if (p.waits == wait_reason::mbarrier) text += waited_mbarrier(b, before + w, p);
      if (p.waits == wait_reason::cluster) text += " for the barrier of the cluster";
      if (text != last || w > last_warp + 1) {
        tell();
        first_warp = w;
        last = std::move(text);
      }
      last_warp = w;
      if (out.size() > 1200) return out + "; ...";
    }
  tell();
  return out;
}

/// The lanes that wait, of all blocks of a cluster that have not ended.
inline std::string waiting_lanes(const block_cluster& c) {
  std::string out;
  for (const auto& b : c.blocks())
    if (!b->has_ended) out += "; block " + triple(b->at) + waiting_lanes(*b);
  return out;
}

}  // namespace tg::emulator
