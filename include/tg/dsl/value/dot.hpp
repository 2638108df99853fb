// Dot products of bytes and halves packed into words.
#pragma once

#include <tg/dsl/value/argument.hpp>

namespace tg {

namespace detail {

template <class A, class B> struct dot_types {
  using a = typename argument_type<A>::type;
  using b = typename argument_type<B>::type;
  using result = std::conditional_t<std::is_unsigned_v<a> && std::is_unsigned_v<b>, unsigned, int>;
  static constexpr bool fit = is_word32<a> && is_word32<b>;
};

template <class A, class B, class C> auto dot(ptx::opcode op, ptx::token half, const A& a, const B& b, const C& c) {
  using types = dot_types<A, B>;
  using T = typename types::result;
  using found = diagnosis::operation<types::fit, diagnosis::types<typename types::a, typename types::b>>;
  if constexpr (!diagnosis::is_ok<sizeof(found), found>) return value<T>{ptx::operand{}};
  else
    return emit_value<T, index::data>(op, {half, compute_type<typename types::a>, compute_type<typename types::b>},
                                      {argument<typename types::a>(a), argument<typename types::b>(b), argument<T>(c)});
}

}  // namespace detail

/// a0*b0 + a1*b1 + a2*b2 + a3*b3 + c of the bytes of two words, byte 0 lowest; those of an int are signed, those of an
/// unsigned are not. `c` and the result are int, or unsigned where both words are. The sum wraps.
/// Errors: TG101, TG110. PTX: dp4a, sm_61.
template <class A, class B, operand_like C> requires detail::operands<A, B>
auto dp4a(const A& a, const B& b, const C& c) {
  return detail::dot(ptx::opcode::dp4a, ptx::token::none, a, b, c);
}

/// a0*b0 + a1*b1 + c of the 16-bit halves of `a` and the two low bytes of `b`; types as for `dp4a`. PTX: dp2a.lo,
/// sm_61.
template <class A, class B, operand_like C> requires detail::operands<A, B>
auto dp2a_low(const A& a, const B& b, const C& c) {
  return detail::dot(ptx::opcode::dp2a, ptx::token::lo, a, b, c);
}

/// c plus the products of two 16-bit numbers in `a` with the two high bytes of `b`. PTX: dp2a.hi, sm_61.
template <class A, class B, operand_like C> requires detail::operands<A, B>
auto dp2a_high(const A& a, const B& b, const C& c) {
  return detail::dot(ptx::opcode::dp2a, ptx::token::hi, a, b, c);
}

}  // namespace tg
