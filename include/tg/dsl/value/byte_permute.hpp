// Four of the eight bytes of two words.
#pragma once

#include <tg/dsl/value/argument.hpp>

namespace tg {

namespace diagnosis {
template <bool Ok, class Facts = void> struct byte_position {
  static_assert(Ok, "TG156: the bytes of two words are numbered 0 to 3 in the first and 4 to 7 in the second");
};
/// In a compile error: the positions of bytes that were given.
template <int...> struct positions {};
}  // namespace diagnosis

/// Four bytes chosen from those of `a` (0 to 3, lowest first) and `b` (4 to 7): bits 4k to 4k+2 of the selector say
/// which becomes byte k, bit 4k+3 that only its sign is copied, into all eight bits. Requires: 32-bit integers of one
/// type, an unsigned selector. Errors: TG101, TG110. PTX: prmt.b32.
template <class A, class B, operand_like S> requires detail::operands<A, B>
auto byte_permute(const A& a, const B& b, const S& selector) {
  using T = detail::joint_type<A, B>;
  (void)sizeof(diagnosis::operation<detail::is_word32<T>, T>);
  return detail::emit_value<T, index::data>(
      ptx::opcode::prmt, {ptx::token::b32},
      {detail::argument<T>(a), detail::argument<T>(b), detail::argument<unsigned>(selector)});
}

/// Bytes known when compiling, lowest first: `tg::byte_permute<3, 2, 1, 0>(x, x)` turns a word round. Errors: TG156.
template <int P0, int P1, int P2, int P3, class A, class B> requires detail::operands<A, B>
auto byte_permute(const A& a, const B& b) {
  constexpr auto inside = [](int p) { return p >= 0 && p < 8; };
  using found =
      diagnosis::byte_position<(inside(P0) && inside(P1) && inside(P2) && inside(P3)), diagnosis::positions<P0, P1, P2, P3>>;
  if constexpr (diagnosis::is_ok<sizeof(found), found>)
    return byte_permute(a, b, static_cast<unsigned>(P0 | P1 << 4 | P2 << 8 | P3 << 12));
  else return value<detail::joint_type<A, B>>{ptx::operand{}};
}

}  // namespace tg
