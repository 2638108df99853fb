// Which recorded values are the same in all threads of a block, and which instructions all threads of a warp or block must
// reach.
#pragma once

#include <tg/dsl/recorder/tape.hpp>

namespace tg::detail {

/// Whether all threads of a block that compute `o` get the same: it comes from parameters, constants and the numbers of the
/// block alone.
inline bool is_block_uniform(tape& tape, const ptx::operand& o, int depth = 0) {
  if (o.is_immediate()) return true;
  if (o.is(ptx::operand_kind::address)) return o.base == ptx::operand_kind::param;
  if (o.is(ptx::operand_kind::special)) {
    const auto s = static_cast<ptx::special>(o.id);
    return (s >= ptx::special::ctaid_x && s <= ptx::special::ctaid_z) ||
           (s >= ptx::special::nctaid_x && s <= ptx::special::nctaid_z) || ptx::is_of_cluster(s);
  }
  if (!o.is_reg() || depth > 32) return false;
  const ptx::instruction* const i = tape.definition_of(o.id);
  if (i == nullptr || i->is_guarded() || ptx::effect_of(*i) > ptx::effect::reads_constant) return false;
  for (std::size_t k = 1; k < i->operand_count; ++k)
    if (!is_block_uniform(tape, (*i)[k], depth + 1)) return false;
  return true;
}

/// Barriers and exchanges of a warp: threads that have left do not come to them.
inline bool needs_all_threads(ptx::opcode op) {
  return ptx::has_trait(op, ptx::trait::meets_block) ||
         (ptx::row_of(op).does == ptx::effect::convergent && op != ptx::opcode::activemask);
}

}  // namespace tg::detail
