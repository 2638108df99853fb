// Which lanes of a warp hold the same.
#pragma once

#include <tg/dsl/warp/warp.hpp>

namespace tg {

/// What `match_all` finds.
struct match_of_all {
  value<unsigned> lanes;  ///< all lanes if all hold the same, else none
  value<bool> are_equal;
};

namespace detail {

// The type that `match` names: it has none of 16 bits.
template <class T> inline constexpr ptx::token match_type = sizeof(T) <= 4 ? ptx::token::b32 : ptx::token::b64;

// Floats are compared as bits, those of 16 bits extended by zeros.
template <operand_like X> ptx::operand matched_bits(const X& x) {
  using T = lane_type<X>;
  (void)sizeof(diagnosis::operation<!std::is_same_v<T, bool>, T>);
  const ptx::operand own = lane_value<T>(x).operand;
  if constexpr (bits_type<T> == ptx::token::b16)
    return tracer::current().compute(ptx::token::b32, ptx::operation::convert(ptx::token::u32, ptx::token::u16), {own});
  else if constexpr (!is_float<T>) return own;
  else return tracer::current().copy(bits_type<T>, bits_type<T>, own);
}

}  // namespace detail

/// Bit l says whether lane l holds what this lane holds; floats by their bits: `tg::match_any(block.warp(), key)`.
/// Errors: TG110, TG117. PTX: match.any.sync, sm_70.
template <class L, class I, operand_like X> value<unsigned> match_any(const warp_handle<L, I>& warp, const X& x) {
  const ptx::operand bits = detail::matched_bits(x);
  return detail::emit_value<unsigned, index::data>(
      ptx::opcode::match, {ptx::token::any, ptx::token::sync, detail::match_type<detail::lane_type<X>>}, {bits, warp.members});
}

/// Whether all lanes hold the same; floats by their bits. Errors: TG110, TG117. PTX: match.all.sync, sm_70.
template <class L, class I, operand_like X> match_of_all match_all(const warp_handle<L, I>& warp, const X& x) {
  auto& t = detail::tracer::current();
  const ptx::operand bits = detail::matched_bits(x);
  const ptx::operand results[] = {t.new_register(ptx::token::b32), t.new_register(ptx::token::pred)};
  ptx::operand both = t.new_vector(results, 2);
  both.kind = ptx::operand_kind::pair;
  t.emit(ptx::opcode::match, {ptx::token::all, ptx::token::sync, detail::match_type<detail::lane_type<X>>},
         {both, bits, warp.members});
  return {{results[0]}, {results[1]}};
}

}  // namespace tg
