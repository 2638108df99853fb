// The smaller and the larger of each pair of halves of two words.
#pragma once

#include <tg/dsl/value/argument.hpp>

namespace tg {

namespace detail {

template <class Part, class A, class B> auto packed_extremum(ptx::opcode op, const A& a, const B& b) {
  using T = joint_type<A, B>;
  constexpr bool fits = is_word32<T> && is_integer<Part> && sizeof(Part) == 2;
  (void)sizeof(diagnosis::operation<fits, diagnosis::types<Part, T>>);
  return emit_value<T, index::data>(op, {std::is_signed_v<Part> ? ptx::token::s16x2 : ptx::token::u16x2},
                                    {argument<T>(a), argument<T>(b)});
}

}  // namespace detail

/// The smaller of each two halves of two words: `tg::packed_min<short>(a, b)`, or of `unsigned short`.
/// Requires: 32-bit integers of one type. Errors: TG101, TG110. PTX: min.s16x2 or min.u16x2, sm_90.
template <class Part, class A, class B> requires detail::operands<A, B>
auto packed_min(const A& a, const B& b) {
  return detail::packed_extremum<Part>(ptx::opcode::min, a, b);
}

/// The larger of each two halves of two words; see `packed_min`. PTX: max.s16x2 or max.u16x2, sm_90.
template <class Part, class A, class B> requires detail::operands<A, B>
auto packed_max(const A& a, const B& b) {
  return detail::packed_extremum<Part>(ptx::opcode::max, a, b);
}

}  // namespace tg
