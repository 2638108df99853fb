// Fields of bits inside a word, and where its bits are.
#pragma once

#include <tg/dsl/value/argument.hpp>
#include <tg/dsl/value/bits.hpp>

namespace tg {

/// `count` bits of `x` from bit `position` up; those of a signed type are extended by their sign. Bits above the word
/// are its sign, or 0. Requires: positions and counts below 256, unsigned. Errors: TG101, TG110. PTX: bfe.
template <device_value X, operand_like P, operand_like C> auto extract_bits(const X& x, const P& position, const C& count) {
  using T = device_type_of<X>;
  (void)sizeof(diagnosis::operation<detail::is_word<T>, T>);
  return detail::emit_value<T, index::data>(
      ptx::opcode::bfe, {compute_type<T>},
      {x.get().operand, detail::argument<unsigned>(position), detail::argument<unsigned>(count)});
}

/// `into` with `count` bits from `position` up replaced by the lowest of `field`. Errors: TG101, TG110. PTX: bfi.
template <class F, class X, operand_like P, operand_like C> requires detail::operands<F, X>
auto insert_bits(const F& field, const X& into, const P& position, const C& count) {
  using T = detail::joint_type<F, X>;
  (void)sizeof(diagnosis::operation<detail::is_word<T>, T>);
  return detail::emit_value<T, index::data>(ptx::opcode::bfi, {bits_type<T>},
                                            {detail::argument<T>(field), detail::argument<T>(into),
                                             detail::argument<unsigned>(position), detail::argument<unsigned>(count)});
}

/// A word with `count` ones from bit `position` up, as many as it has room for. Errors: TG101, TG102. Requires: sm_70.
/// PTX: bmsk.clamp.
template <class P, class C> requires detail::operands<P, C>
value<unsigned> bit_mask(const P& position, const C& count) {
  return detail::emit_value<unsigned, index::data>(ptx::opcode::bmsk, {ptx::token::clamp, ptx::token::b32},
                                                   {detail::argument<unsigned>(position), detail::argument<unsigned>(count)});
}

/// The number of the highest bit that is set, or of a negative number the highest that is not; 0xffffffff if there is
/// none. PTX: bfind.
template <device_value X> value<unsigned> highest_bit(const X& x) {
  using T = device_type_of<X>;
  (void)sizeof(diagnosis::operation<detail::is_word<T>, T>);
  return detail::emit_value<unsigned, index::data>(ptx::opcode::bfind, {compute_type<T>}, {x.get().operand});
}

/// The product of the low 24 bits of two factors, as 32 bits. Requires: 32-bit integers. Errors: TG110.
/// PTX: mul24.lo.
template <class A, class B> requires detail::operands<A, B>
auto mul24(const A& a, const B& b) {
  using T = detail::joint_type<A, B>;
  (void)sizeof(diagnosis::operation<detail::is_word32<T>, T>);
  return detail::emit_value<T, index::data>(ptx::opcode::mul24, {ptx::token::lo, compute_type<T>},
                                            {detail::argument<T>(a), detail::argument<T>(b)});
}

}  // namespace tg
