// The text of an error that a running kernel makes: instruction, line, thread, block, address, nearest allocation.
#pragma once

#include <charconv>
#include <string>

#include <tg/base/error.hpp>
#include <tg/emulator/block.hpp>
#include <tg/ptx/print.hpp>

namespace tg::emulator {

inline std::string hex(std::uint64_t value) {
  char text[20];
  return "0x" + std::string(text, std::to_chars(text, text + sizeof text, value, 16).ptr);
}

inline std::string triple(const std::array<std::uint32_t, 3>& c) {
  return "(" + std::to_string(c[0]) + ", " + std::to_string(c[1]) + ", " + std::to_string(c[2]) + ")";
}

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

/// Throws `number` for an operation, with the C++ line that .loc gives.
[[noreturn]] inline void fail(const machine& m, int number, const operation& o, const std::string& text,
                              std::string_view fix) {
  const ptx::location& at = instruction_of(m, o).where;
  throw error(code{number}, text, fix, at.line == 0 ? std::string{} : m.loaded.source().files[at.file],
              static_cast<int>(at.line));
}

inline std::string by_thread(const block& b, std::uint32_t warp, std::uint32_t lane) {
  return "by thread " + triple(b.thread(warp * 32 + lane)) + " of block " + triple(b.at) + " in kernel '" +
         b.the_machine().name + "'";
}

/// "4 bytes past the end of the allocation of 1024 bytes at 0x...".
inline std::string nearest_allocation(const machine& m, std::uint64_t address, std::uint64_t bytes) {
  const allocation* nearest = nullptr;
  std::uint64_t distance = ~std::uint64_t{0};
  for (const allocation& a : *m.table) {
    const std::uint64_t d = address < a.address ? a.address - address : address < a.end() ? 0 : address - a.end() + 1;
    if (d < distance) nearest = &a, distance = d;
  }
  if (nearest == nullptr) return "there is no allocation";
  const std::string that =
      "the allocation of " + std::to_string(nearest->size_bytes) + " bytes at " + hex(nearest->address);
  if (address >= nearest->address && address < nearest->end()) {
    if (!nearest->is_live) return "inside " + that + ", which was released";
    return "the last " + std::to_string(address + bytes - nearest->end()) + " of its bytes are past the end of " + that;
  }
  const std::string freed = nearest->is_live ? "" : ", which was released";
  if (address >= nearest->end())
    return std::to_string(address - nearest->end()) + " bytes past the end of " + that + freed;
  return std::to_string(nearest->address - address) + " bytes before " + that + freed;
}

/// Who waits for what, for hangs.
inline std::string waiting_lanes(const block& b) {
  const machine& m = b.the_machine();
  std::string out;
  for (std::uint32_t w = 0; w < m.warps; ++w)
    for (const warp_part& p : b.warps[w].parts) {
      const operation& o = m.image.code[p.pc];
      const ptx::location& at = instruction_of(m, o).where;
      out += "; warp " + std::to_string(w) + " lanes " + hex(p.lanes) +
             (p.waits == wait_reason::none ? " run at " : " wait at ") + describe(m, o);
      if (at.line != 0) out += " line " + std::to_string(at.line);
      if (p.waits == wait_reason::barrier) out += " for barrier " + std::to_string(p.barrier);
      if (out.size() > 1200) return out + "; ...";
    }
  return out;
}

}  // namespace tg::emulator
