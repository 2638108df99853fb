// Who writes and who reads each register of a function.
#pragma once

#include <algorithm>
#include <cstdint>

#include <tg/base/dynamic_array.hpp>
#include <tg/ptx/ir/function.hpp>
#include <tg/ptx/ir/opcode_table.hpp>
#include <tg/ptx/ir/type.hpp>
#include <tg/ptx/meaning/effect.hpp>

namespace tg::ptx {

/// Calls `visit(id)` for each register in `o`, those inside a vector included; `id` is a reference that may be changed.
template <class Function, class Operand, class Visit>
inline void for_each_register(Function& f, Operand& o, const Visit& visit) {
  if (o.is_reg()) visit(o.id);
  else if (o.kind < operand_kind::address) return;  // most others are numbers
  else if (o.uses_reg()) visit(o.id);
  else if (o.kind == operand_kind::vector || o.kind == operand_kind::pair)
    for (auto& part : f.parts(o))
      if (part.uses_reg()) visit(part.id);
}

/// Whether `i` is a product of a warp group, which goes on behind it.
inline bool is_deferred_product(const instruction& i) { return has_trait(i.op, trait::deferred) && result_count(i) == 1; }

/// Whether the results of `i`, a product of a warp group, are added to what the registers hold.
inline bool adds_to_results(const instruction& i) {
  return !i.operand_array[3].is(operand_kind::integer) || i.operand_array[3].value != 0;
}

/// How many leading operands have registers that `i` writes. The left operand of a warp group's product is among them: nobody
/// may touch its registers until the product is waited for, so that they are variables of its own.
inline int written_count(const instruction& i) {
  const std::uint8_t usual = usual_results(i.op);
  if (usual != by_modifiers) return std::min<int>(usual, i.operand_count);
  const int results = detail::results_by_modifiers(i);
  const bool holds_left = has_trait(i.op, trait::deferred) && results == 1 && i.operand_array[1].is(operand_kind::vector);
  return holds_left ? 2 : std::min<int>(results, i.operand_count);
}

/// The registers that `i` writes.
template <class Function, class Instruction, class Visit>
inline void for_each_written(Function& f, Instruction& i, const Visit& visit) {
  const std::uint8_t usual = usual_results(i.op);
  if (usual == 1) return for_each_register(f, i.operand_array[0], visit);  // most have one result
  for (int k = 0, count = usual == 0 ? 0 : written_count(i); k < count; ++k) for_each_register(f, i.operand_array[k], visit);
}

/// The registers that are given to `i`, its guard included.
template <class Function, class Instruction, class Visit>
inline void for_each_source(Function& f, Instruction& i, const Visit& visit) {
  if (i.is_guarded()) visit(i.guard);
  auto* const operands = i.operand_array.data();
  for (auto *o = operands + result_count(i), *end = operands + i.operand_count; o < end; ++o) for_each_register(f, *o, visit);
}

/// The registers that `i` reads: its sources, and results to which it may add.
template <class Function, class Instruction, class Visit>
inline void for_each_read(Function& f, Instruction& i, const Visit& visit) {
  for_each_source(f, i, visit);
  if (usual_results(i.op) == by_modifiers && is_deferred_product(i) && adds_to_results(i))
    for_each_register(f, i.operand_array[0], visit);
}

/// How a register is used over the whole function.
struct register_use {
  std::uint32_t definition = no_index;  // the last instruction that writes it
  std::uint32_t definitions = 0;
  std::uint32_t reads = 0;

  /// Written once, as everything is that is not a variable of the program.
  bool is_value() const { return definitions == 1; }
};

/// Whether `o` is a register that is written once. One that was made after the uses were counted is not known to be.
inline bool is_value(const dynamic_array<register_use>& uses, const operand& o) {
  return o.is_reg() && o.id < uses.size() && uses[o.id].is_value();
}

/// One `register_use` for each register.
inline dynamic_array<register_use> count_uses(const function& f) {
  dynamic_array<register_use> uses(f.registers.size());
  std::uint32_t n = 0;
  for (const instruction& i : f.body) {
    for_each_read(f, i, [&](std::uint32_t r) { ++uses[r].reads; });
    for_each_written(f, i, [&](std::uint32_t r) {
      ++uses[r].definitions;
      uses[r].definition = n;
    });
    ++n;
  }
  return uses;
}

/// One `register_use` for each register, with its definitions but not its reads.
inline dynamic_array<register_use> count_definitions(const function& f) {
  dynamic_array<register_use> uses(f.registers.size());
  std::uint32_t n = 0;
  for (const instruction& i : f.body) {
    for_each_written(f, i, [&](std::uint32_t r) {
      ++uses[r].definitions;
      uses[r].definition = n;
    });
    ++n;
  }
  return uses;
}

/// Whether register `from` may stand wherever register `to` is read.
inline bool can_replace(const function& f, std::uint32_t to, std::uint32_t from) {
  return register_class(f.registers[to].type) == register_class(f.registers[from].type);
}

/// `mov d, s;` from a register or an immediate, without a guard.
inline bool is_copy(const instruction& i) {
  return computes(i.op, calculation::copy) && !i.is_guarded() && i.operand_count == 2 && i.operand_array[0].is_reg() &&
         (i.operand_array[1].is_reg() || i.operand_array[1].is_immediate());
}

}  // namespace tg::ptx
