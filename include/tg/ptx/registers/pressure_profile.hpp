// Register pressure line by line: where a kernel needs its registers.
#pragma once

#include <tg/ptx/registers/liveness.hpp>

namespace tg::ptx {

/// The instruction of one C++ line that needs most registers.
struct line_pressure {
  location where;
  std::uint32_t registers = 0;    ///< 32-bit registers live there
  std::uint32_t instruction = 0;  ///< in `function::body`, the first of equals
};

/// Pressure over a function.
struct pressure_profile {
  dynamic_array<std::uint32_t> instructions;  ///< of each instruction, 32-bit registers
  dynamic_array<line_pressure> lines;         ///< of each line, in the order of the program text
  pressure peak;                              ///< with its line and instruction
};

/// Requires: a flat function.
inline pressure_profile profile_pressure(const function& f) {
  const liveness live(f);
  pressure_profile out;
  out.instructions.assign(live.registers_at().begin(), live.registers_at().end());
  out.peak = live.peak();
  for (std::uint32_t n = 0; n < f.body.size(); ++n) {
    const location where = f.body[n].where;
    if (where.line == 0) continue;
    auto row = std::find_if(out.lines.begin(), out.lines.end(), [&](const line_pressure& l) { return l.where == where; });
    if (row == out.lines.end()) row = out.lines.insert(row, {where, 0, n});
    if (out.instructions[n] <= row->registers) continue;
    row->registers = out.instructions[n];
    row->instruction = n;
  }
  std::sort(out.lines.begin(), out.lines.end(), [](const line_pressure& a, const line_pressure& b) {
    return a.where.file != b.where.file ? a.where.file < b.where.file : a.where.line < b.where.line;
  });
  return out;
}

}  // namespace tg::ptx
