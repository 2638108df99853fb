// One lane of a warp, and the lanes that are there.
#pragma once

#include <tg/dsl/warp/warp.hpp>

namespace tg {

/// Holds in one lane of the warp: `tg::if_(tg::elect(block.warp()), [&] { ... })`. Requires: all lanes are here.
/// Errors: TG117. PTX: elect.sync, sm_90.
template <class L, class I> value<bool> elect(const warp_handle<L, I>& warp) {
  auto& t = detail::tracer::current();
  const ptx::operand results[] = {t.new_register(ptx::token::b32), t.new_register(ptx::token::pred)};
  ptx::operand leader = t.new_vector(results, 2);
  leader.kind = ptx::operand_kind::pair;
  t.emit(ptx::opcode::elect, {ptx::token::sync}, {leader, warp.members});
  return {results[1]};
}

/// Bit l says whether lane l of this warp executes this with the calling lane. What is together by chance may part at
/// any time: name lanes by a ballot of the condition instead where it matters. PTX: activemask.b32.
inline value<unsigned> active_lanes() {
  return detail::emit_value<unsigned, index::data>(ptx::opcode::activemask, {ptx::token::b32}, {});
}

}  // namespace tg
