// The warps of a block of any size.
#pragma once

#include <tg/dsl/block/block.hpp>

namespace tg::detail {

/// The warp of the calling thread, of which the last of a block may have fewer than 32 lanes. Its exchanges take part
/// among the lanes that are there; `sum`, `max`, `min`, `combine` and `inclusive_sum` want 32.
/// PTX: a select of the member mask where the number of threads is no multiple of 32.
template <class Shape> auto block_warp(const block_handle<Shape>& block) {
  constexpr int rest = Shape::threads % 32;
  if constexpr (rest == 0) {
    return block.warp();
  } else {
    const auto linear = block.thread_index();
    const auto lane = linear % constant<32>{};
    const auto number = linear / constant<32>{};
    warp_handle<typename decltype(lane)::form, typename decltype(number)::form> out{lane, number};
    const ptx::operand members = ptx::operand::integer((1ll << rest) - 1);
    const ptx::operand last = ptx::operand::integer(rest - 1);
    if constexpr (Shape::threads < 32) {
      out.members = members;
      out.last = last;
    } else {
      auto& t = tracer::current();
      const ptx::operand is_short = (number == Shape::threads / 32).operand;
      out.members = t.compute(ptx::token::b32, ptx::operation::select(ptx::token::b32), {members, out.members, is_short});
      out.last = t.compute(ptx::token::b32, ptx::operation::select(ptx::token::b32), {last, out.last, is_short});
    }
    return out;
  }
}

}  // namespace tg::detail
