// What one PTX instruction costs the machine while it runs: cycles until its result, and registers of its own.
#pragma once

#include <algorithm>

#include <tg/ptx/ir/function.hpp>
#include <tg/ptx/ir/opcode_table.hpp>
#include <tg/ptx/ir/state_space.hpp>
#include <tg/ptx/ir/type.hpp>

namespace tg::ptx {

/// Units: cycles, about, from issue to the use of the result.
inline int result_latency(const instruction& i) {
  constexpr int shared_cycles = 30, double_cycles = 18;
  const int usual = row_of(i.op).cycles;
  if (usual == far_cycles) return named_space(i) == token::shared ? shared_cycles : named_space(i) == token::param ? 0 : usual;
  return i.has(token::f64) ? std::max(usual, double_cycles) : usual;
}

/// Registers, beside operands and results, of instructions that are long sequences.
inline int temporaries_of(const instruction& i) {
  const token t = i.type();
  const bool is_approximate = i.has(token::approx), is_wide = width_bits(t) == 64 && !is_float(t);
  switch (i.op) {
    case opcode::div:
    case opcode::rem: return t == token::f64 ? 12 : is_approximate ? 0 : width_bits(t) == 64 ? 16 : 4;
    case opcode::sqrt:
    case opcode::rcp: return t == token::f64 ? 12 : is_approximate ? 0 : 3;
    case opcode::rsqrt: return t == token::f64 ? 6 : 0;
    case opcode::fns: return 10;
    case opcode::wmma: return i.has(token::m8n8k32) || i.has(token::m8n8k128) ? 2 : 8;
    case opcode::mul:
    case opcode::mad: return is_wide || i.has(token::hi) ? 2 : 0;
    default: return 0;
  }
}

/// Whether ptxas makes a call of it, at least for some operands.
inline bool is_called(const instruction& i) { return i.op != opcode::wmma && temporaries_of(i) >= 3; }

}  // namespace tg::ptx
