// Sums and products that are rounded by themselves.
#pragma once

#include <tg/dsl/value/operators.hpp>

namespace tg {

namespace detail {

template <class A, class B> auto rounded(ptx::opcode op, const A& a, const B& b) {
  using T = joint_type<A, B>;
  (void)sizeof(diagnosis::operation<is_float<T>, T>);
  return emit_value<T, index::data>(op, {ptx::token::rn, compute_type<T>}, {to_value<T>(a).operand, to_value<T>(b).operand});
}

}  // namespace detail

/// a + b, rounded to nearest even. Unlike `a + b` it never becomes part of an fma, neither in tg nor in ptxas, so that
/// error-free transformations keep their meaning and results are the same on every machine. PTX: add.rn.
template <class A, class B> requires detail::operands<A, B>
auto rounded_add(const A& a, const B& b) {
  return detail::rounded(ptx::opcode::add, a, b);
}
/// a − b in the same way. PTX: sub.rn.
template <class A, class B> requires detail::operands<A, B>
auto rounded_sub(const A& a, const B& b) {
  return detail::rounded(ptx::opcode::sub, a, b);
}
/// a · b in the same way. PTX: mul.rn.
template <class A, class B> requires detail::operands<A, B>
auto rounded_mul(const A& a, const B& b) {
  return detail::rounded(ptx::opcode::mul, a, b);
}

}  // namespace tg
