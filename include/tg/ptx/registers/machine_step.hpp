// Instructions of the machine, as the assembler is expected to make them of PTX, and what their values take.
#pragma once

#include <cstdint>

#include <tg/base/dynamic_array.hpp>
#include <tg/ptx/ir/instruction.hpp>

namespace tg::ptx {

/// How a step must stay in order with others.
enum class step_order : std::uint8_t { any, load, store, exchange, fence };

/// One instruction of the machine.
struct machine_step {
  /// `base` of an access to a named variable is this and the variable's number, of another one its register.
  static constexpr std::uint32_t variables = 0x40000000, locals = 0x60000000;

  opcode op = opcode::none;
  std::uint32_t label = no_index;  ///< of a label or branch
  bool is_guarded = false;
  bool is_negated = false;  ///< of a branch: taken where its predicate is false
  bool can_be_guarded = false;
  bool keeps_turns = false;   ///< of a label: the loop that begins here is not to be unrolled
  std::int64_t added = 0;     ///< by a step that adds a constant
  std::int64_t multiple = 0;  ///< of a comparison with what all threads share: the power of two that divides both
  bool is_called = false;     ///< a sequence out of line
  token compare = token::none;
  step_order order = step_order::any;
  token space = token::none;
  int latency = 4;                ///< about, in cycles
  int temporaries = 0;            ///< registers that it needs while it runs: some PTX instructions are long sequences
  std::uint32_t base = no_index;  ///< of an access: from where its address counts
  std::int64_t offset = 0, bytes = 0;
  dynamic_array<std::uint32_t> writes = {}, reads = {};
  dynamic_array<std::uint32_t> stored = {};  ///< those of `reads` that are written to memory

  bool is_access() const { return order == step_order::load || order == step_order::store || (base != no_index && bytes != 0); }
};

/// Steps, and what their values take.
struct machine_steps {
  dynamic_array<machine_step> steps;
  dynamic_array<std::uint8_t> widths;  ///< 32-bit registers
  dynamic_array<std::uint8_t> odd;     ///< how many of these have an odd number: half of a pair, and words that are stored

  /// Finds `odd`, when all else is known.
  void find_odd() {
    for (const std::uint8_t w : widths) odd.push_back(static_cast<std::uint8_t>(w / 2));
    for (const machine_step& s : steps) {
      if (s.order != step_order::store || s.space == token::shared || s.space == token::local || s.bytes != 4) continue;
      for (const std::uint32_t r : s.stored)
        if (widths[r] == 1) odd[r] = 1;
    }
  }
};

}  // namespace tg::ptx
