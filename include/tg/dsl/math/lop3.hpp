// Any function of three bits, on all bits of three words at once.
#pragma once

#include <tg/dsl/math/math.hpp>
#include <tg/dsl/value/argument.hpp>

namespace tg {

namespace diagnosis {
template <bool Ok, class Facts = void> struct bit_function {
  static_assert(Ok, "TG155: tg::lop3 takes a lambda without captures, made of &, |, ^ and ~ on its three arguments");
};
}  // namespace diagnosis

/// A function of three bits while it is written down: bit k of the rows is its value where the arguments are the bits 2, 1,
/// 0 of k.
struct bit_table {
  unsigned rows = 0;
  bool is_of_bits = true;

  friend constexpr bit_table operator&(bit_table x, bit_table y) { return {x.rows & y.rows, x.is_of_bits && y.is_of_bits}; }
  friend constexpr bit_table operator|(bit_table x, bit_table y) { return {x.rows | y.rows, x.is_of_bits && y.is_of_bits}; }
  friend constexpr bit_table operator^(bit_table x, bit_table y) { return {x.rows ^ y.rows, x.is_of_bits && y.is_of_bits}; }
  friend constexpr bit_table operator~(bit_table x) { return {~x.rows & 0xff, x.is_of_bits}; }

  // What is no function of single bits.
  template <class X> friend constexpr bit_table operator+(bit_table, const X&) { return {0, false}; }
  template <class X> friend constexpr bit_table operator-(bit_table, const X&) { return {0, false}; }
  template <class X> friend constexpr bit_table operator*(bit_table, const X&) { return {0, false}; }
  template <class X> friend constexpr bit_table operator<<(bit_table, const X&) { return {0, false}; }
  template <class X> friend constexpr bit_table operator>>(bit_table, const X&) { return {0, false}; }
  template <class X> friend constexpr bit_table operator&&(bit_table, const X&) { return {0, false}; }
  template <class X> friend constexpr bit_table operator||(bit_table, const X&) { return {0, false}; }
  template <class X> friend constexpr bit_table operator&(bit_table, const X&) { return {0, false}; }
  template <class X> friend constexpr bit_table operator|(bit_table, const X&) { return {0, false}; }
  template <class X> friend constexpr bit_table operator^(bit_table, const X&) { return {0, false}; }
};

namespace detail {

template <class F> constexpr bit_table table_of() {
  if constexpr (std::is_empty_v<F> && std::is_default_constructible_v<F>)
    return F{}(bit_table{0xf0}, bit_table{0xcc}, bit_table{0xaa});
  else return {0, false};
}

}  // namespace detail

/// `f` on each bit of three words in one instruction:
/// `tg::lop3([](auto a, auto b, auto c) { return (a & b) | (~a & c); }, x, y, z)`. The C++ compiler makes its table.
/// Requires: 32-bit integers of one type. Errors: TG101, TG110, TG155.
/// PTX: lop3.b32.
template <class F, class A, class B, class C> requires detail::ternary<A, B, C>
auto lop3(const F&, const A& a, const B& b, const C& c) {
  using T = typename detail::joint_of_three<A, B, C>::type;
  (void)sizeof(diagnosis::operation<detail::is_word32<T>, T>);
  constexpr bit_table table = detail::table_of<F>();
  using found = diagnosis::bit_function<table.is_of_bits, F>;
  if constexpr (!diagnosis::is_ok<sizeof(found), found>) return value<T>{ptx::operand{}};
  else
    return detail::emit_value<T, index::data>(
        ptx::opcode::lop3, {ptx::token::b32},
        {detail::argument<T>(a), detail::argument<T>(b), detail::argument<T>(c), ptx::operand::integer(table.rows)});
}

}  // namespace tg
