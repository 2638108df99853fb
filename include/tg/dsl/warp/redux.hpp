// Reductions of integers over a warp in one instruction.
#pragma once

#include <tg/dsl/value/argument.hpp>
#include <tg/dsl/warp/warp.hpp>

namespace tg {

namespace detail {

template <class Warp, operand_like X> auto redux(const Warp& warp, ptx::token operation, bool is_on_bits, const X& x) {
  using T = lane_type<X>;
  using found = diagnosis::operation<is_word32<T>, T>;
  if constexpr (!diagnosis::is_ok<sizeof(found), found>) return value<T>{ptx::operand{}};
  else
    return emit_value<T, index::data>(ptx::opcode::redux,
                                      {ptx::token::sync, operation, is_on_bits ? ptx::token::b32 : compute_type<T>},
                                      {lane_value<T>(x).operand, warp.members});
}

}  // namespace detail

/// The sum over all lanes, in every lane: `tg::redux_sum(block.warp(), x)`. Requires: 32-bit integers, here and below;
/// `warp.sum` does other types with shuffles. Errors: TG110, TG117. PTX: redux.sync.add, sm_80.
template <class L, class I, operand_like X> auto redux_sum(const warp_handle<L, I>& warp, const X& x) {
  return detail::redux(warp, ptx::token::add, false, x);
}
/// The smallest over all lanes, in every lane. PTX: redux.sync.min, sm_80.
template <class L, class I, operand_like X> auto redux_min(const warp_handle<L, I>& warp, const X& x) {
  return detail::redux(warp, ptx::token::min, false, x);
}
/// The largest over all lanes, in every lane. PTX: redux.sync.max, sm_80.
template <class L, class I, operand_like X> auto redux_max(const warp_handle<L, I>& warp, const X& x) {
  return detail::redux(warp, ptx::token::max, false, x);
}
/// The bits that are set in all lanes. PTX: redux.sync.and, sm_80.
template <class L, class I, operand_like X> auto redux_and(const warp_handle<L, I>& warp, const X& x) {
  return detail::redux(warp, ptx::token::and_, true, x);
}
/// The bits that are set in any lane. PTX: redux.sync.or, sm_80.
template <class L, class I, operand_like X> auto redux_or(const warp_handle<L, I>& warp, const X& x) {
  return detail::redux(warp, ptx::token::or_, true, x);
}
/// The bits that are set in an odd number of lanes. PTX: redux.sync.xor, sm_80.
template <class L, class I, operand_like X> auto redux_xor(const warp_handle<L, I>& warp, const X& x) {
  return detail::redux(warp, ptx::token::xor_, true, x);
}

}  // namespace tg
