// Which recorded values are the same in all blocks of a cluster.
#pragma once

#include <tg/dsl/recorder/tape.hpp>

namespace tg::detail {

/// Which direction of the grid a number of the block counts; -1: it is none.
inline int axis_of_block(const ptx::operand& o) {
  if (!o.is(ptx::operand_kind::special)) return -1;
  const auto s = static_cast<ptx::special>(o.id);
  if (s == ptx::special::ctaid_x) return 0;
  if (s == ptx::special::ctaid_y) return 1;
  return s == ptx::special::ctaid_z ? 2 : -1;
}

/// The number that `i` divides its first source by, a constant; 0: it does something else.
inline std::int64_t divisor_of(const ptx::instruction& i) {
  if (i.operand_count != 3 || !i[2].is(ptx::operand_kind::integer)) return 0;
  if (i.op == ptx::opcode::div) return i[2].value;
  return i.op == ptx::opcode::shr && i[2].value < 31 ? std::int64_t{1} << i[2].value : 0;
}

/// Whether all blocks of a cluster that compute `o`, in whatever iteration of a loop, get the same there: it comes from
/// parameters, constants and numbers of the block that are equal in a cluster. What is read from a view is not followed.
inline bool is_alike_in_cluster(tape& tape, const ptx::operand& o, int depth = 0) {
  const auto& cluster = tape.fn().bounds.cluster;
  const auto blocks_along = [&](int axis) { return std::int64_t{cluster[static_cast<std::size_t>(axis)]}; };
  if (o.is_immediate()) return true;
  if (o.is(ptx::operand_kind::special)) {
    const auto s = static_cast<ptx::special>(o.id);
    if (const int axis = axis_of_block(o); axis >= 0) return blocks_along(axis) == 1;
    return s >= ptx::special::nctaid_x && s <= ptx::special::nctaid_z;
  }
  if (!o.uses_reg()) return o.is(ptx::operand_kind::address) && o.base == ptx::operand_kind::param;
  if (depth > 32) return false;
  const auto is_alike = [&](const ptx::operand& part) { return is_alike_in_cluster(tape, part, depth + 1); };
  for (const loop_counter& c : tape.counters)
    if (c.reg == o.id) return is_alike(c.start) && is_alike(c.step);
  const ptx::instruction* const i = tape.definition_of(o.id);
  if (i == nullptr || i->is_guarded() || ptx::effect_of(*i) > ptx::effect::reads_constant) return false;
  if (const std::int64_t divisor = divisor_of(*i); divisor > 0 && (*i)[1].is_reg()) {
    const ptx::instruction* const of = tape.definition_of((*i)[1].id);
    const int axis = of != nullptr && of->op == ptx::opcode::mov ? axis_of_block((*of)[1]) : -1;
    if (axis >= 0 && divisor % blocks_along(axis) == 0) return true;  // a cluster begins at a multiple of its blocks
  }
  for (std::size_t k = 1; k < i->operand_count; ++k)
    if (!is_alike((*i)[k])) return false;
  return true;
}

}  // namespace tg::detail
