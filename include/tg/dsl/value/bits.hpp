// Counting, reversing, rotating and joining bits, and the upper half of a product.
#pragma once

#include <tg/dsl/value/operators.hpp>

namespace tg {

namespace detail {

template <class T> inline constexpr bool is_word = is_integer<T> && is_arithmetic<T>;

template <class Result, device_value X> value<Result> bits_unary(ptx::opcode op, const X& x) {
  using T = device_type_of<X>;
  (void)sizeof(diagnosis::operation<is_word<T>, T>);
  return emit_value<Result, index::data>(op, {bits_type<T>}, {x.get().operand});
}

template <class High, class Low, class Amount>
value<unsigned> funnel(ptx::token direction, const High& high, const Low& low, const Amount& amount) {
  return emit_value<unsigned, index::data>(
      ptx::opcode::shf, {direction, ptx::token::wrap, ptx::token::b32},
      {to_value<unsigned>(low).operand, to_value<unsigned>(high).operand, to_value<unsigned>(amount).operand});
}

}  // namespace detail

/// How many bits are set, as unsigned. PTX: popc.
template <device_value X> value<unsigned> popcount(const X& x) { return detail::bits_unary<unsigned>(ptx::opcode::popc, x); }
/// How many zero bits stand above the highest set bit, as unsigned; the width of the type for 0. PTX: clz.
template <device_value X> value<unsigned> leading_zeros(const X& x) {
  return detail::bits_unary<unsigned>(ptx::opcode::clz, x);
}
/// How many zero bits stand below the lowest set bit, as unsigned; the width of the type for 0. PTX: brev, clz.
template <device_value X> value<unsigned> trailing_zeros(const X& x) {
  return detail::bits_unary<unsigned>(ptx::opcode::clz, detail::bits_unary<device_type_of<X>>(ptx::opcode::brev, x));
}
/// How many bits it takes to write the number down, as unsigned; 0 for 0. PTX: clz, sub.
template <device_value X> value<unsigned> bit_width(const X& x) {
  return {(static_cast<unsigned>(sizeof(device_type_of<X>) * 8) - tg::leading_zeros(x)).operand};
}
/// The bits in reverse order. PTX: brev.
template <device_value X> auto reverse_bits(const X& x) { return detail::bits_unary<device_type_of<X>>(ptx::opcode::brev, x); }

/// The upper 32 bits of high:low shifted left by `amount` modulo 32. Requires: unsigned values. PTX: shf.l.wrap.
template <device_value High, operand_like Low, operand_like Amount>
value<unsigned> funnel_shift_left(const High& high, const Low& low, const Amount& amount) {
  return detail::funnel(ptx::token::l, high, low, amount);
}
/// The lower 32 bits of high:low shifted right by `amount` modulo 32. Requires: unsigned values. PTX: shf.r.wrap.
template <device_value High, operand_like Low, operand_like Amount>
value<unsigned> funnel_shift_right(const High& high, const Low& low, const Amount& amount) {
  return detail::funnel(ptx::token::r, high, low, amount);
}

namespace detail {

// Up is to the left.
template <bool Up, device_value X, class Amount> auto rotate(const X& x, const Amount& amount) {
  using T = device_type_of<X>;
  using found = diagnosis::operation<is_word<T> && std::is_unsigned_v<T>, T>;
  if constexpr (!diagnosis::is_ok<sizeof(found), found>) {
    return x.get();
  } else if constexpr (sizeof(T) == 4) {
    return funnel(Up ? ptx::token::l : ptx::token::r, x, x, amount);
  } else {
    const auto by = to_value<unsigned>(amount) & 63u;
    const auto rest = (64u - by) & 63u;
    if constexpr (Up) return (x << by) | (x >> rest);
    else return (x >> by) | (x << rest);
  }
}

}  // namespace detail

/// The bits moved up by `amount` modulo the width; those that leave at the top come back below. Requires: an unsigned value
/// of 32 or 64 bits. PTX: shf.l.wrap; two shifts and an or of 64 bits.
template <device_value X, operand_like Amount> auto rotate_left(const X& x, const Amount& amount) {
  return detail::rotate<true>(x, amount);
}
/// The bits moved down by `amount` modulo the width; those that leave below come back at the top. Requires: an unsigned
/// value of 32 or 64 bits. PTX: shf.r.wrap; two shifts and an or of 64 bits.
template <device_value X, operand_like Amount> auto rotate_right(const X& x, const Amount& amount) {
  return detail::rotate<false>(x, amount);
}

/// The upper half of the product, which has twice the bits of the factors. PTX: mul.hi.
template <class A, class B> requires detail::operands<A, B>
auto mul_high(const A& a, const B& b) {
  using T = detail::joint_type<A, B>;
  (void)sizeof(diagnosis::operation<detail::is_word<T>, T>);
  return detail::emit_value<T, index::data>(ptx::operation::mul_high(compute_type<T>),
                                            {detail::to_value<T>(a).operand, detail::to_value<T>(b).operand});
}

}  // namespace tg
