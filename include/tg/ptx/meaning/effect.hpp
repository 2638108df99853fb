// What a pass may do with an instruction: remove, merge, move, or nothing.
#pragma once

#include <cstddef>
#include <cstdint>

#include <tg/ptx/ir/instruction.hpp>
#include <tg/ptx/ir/opcode_table.hpp>

namespace tg::ptx {

namespace detail {

constexpr bool has_token(const instruction& i, token t) {
  for (std::size_t k = 0; k < i.token_count; ++k)
    if (i.token_array[k] == t) return true;
  return false;
}

/// A register whose value may differ between two reads.
constexpr bool is_changing(special s) {
  return (s >= special::clock && s <= special::globaltimer_hi) || (s >= special::pm0 && s <= special::pm3) ||
         s == special::smid || s == special::warpid;
}

constexpr effect effect_of_load(const instruction& i) {
  const operand& from = i.operand_array[1];
  if (has_token(i, token::volatile_) || has_token(i, token::mmio)) return effect::ordered;
  if (has_token(i, token::acquire)) return effect::synchronizes;
  if (has_token(i, token::relaxed)) return effect::ordered;
  if (has_token(i, token::nc) || has_token(i, token::const_) || from.base == operand_kind::param) return effect::reads_constant;
  return effect::reads_memory;
}

constexpr effect effect_of_arithmetic(const instruction& i) {
  if (has_token(i, token::cc)) return effect::ordered;
  for (std::size_t k = 0; k < i.operand_count; ++k)
    if (const operand& o = i.operand_array[k]; o.kind == operand_kind::special && is_changing(static_cast<special>(o.id)))
      return effect::ordered;
  return effect::pure;
}

constexpr bool is_group_step(const instruction& i) {
  return has_token(i, token::commit_group) || has_token(i, token::wait_group) || has_token(i, token::wait_all) ||
         has_token(i, token::mbarrier);
}

constexpr int results_by_modifiers(const instruction& i) {
  if (has_trait(i.op, trait::meets_block)) return has_token(i, token::red) ? 1 : 0;
  switch (i.op) {
    case opcode::mbarrier:
      return has_token(i, token::arrive) || has_token(i, token::arrive_drop) || has_token(i, token::test_wait) ||
             has_token(i, token::try_wait) || has_token(i, token::pending_count);
    case opcode::wgmma: return has_token(i, token::mma_async) ? 1 : 0;
    default: return has_token(i, token::store) ? 0 : 1;
  }
}

}  // namespace detail

/// What `i` does beyond its results.
constexpr effect effect_of(const instruction& i) {
  const effect usual = row_of(i.op).does;
  if (usual == effect::pure) return detail::effect_of_arithmetic(i);
  if (is_load(i.op) || i.op == opcode::ldu) return detail::effect_of_load(i);
  if (has_trait(i.op, trait::copies)) return detail::is_group_step(i) ? effect::synchronizes : usual;
  if (i.op == opcode::wmma) return detail::has_token(i, token::store) ? effect::writes_memory : usual;
  return usual;
}

/// Whether the result follows from the operands alone.
constexpr bool is_pure(const instruction& i) { return effect_of(i) == effect::pure; }

/// An instruction whose result nobody reads may go if this holds.
constexpr bool is_removable(const instruction& i) { return effect_of(i) <= effect::convergent; }

/// How many leading operands are written; a vector or pair counts as one, and so does the result list of a call.
constexpr int result_count(const instruction& i) {
  const std::uint8_t usual = usual_results(i.op);
  return usual != by_modifiers ? usual : detail::results_by_modifiers(i);
}

}  // namespace tg::ptx
