// Arithmetic, comparison and logic on device values. Each operator appends one instruction and converts nothing.
#pragma once

#include <tg/base/config.hpp>
#include <tg/dsl/value/value.hpp>

namespace tg {

namespace detail {

/// What ++ and -- add and subtract.
template <class T> auto one_of() {
  if constexpr (is_integer<T>) return constant<1>{};
  else if constexpr (is_narrow<T>) return T(1.0f);
  else return T{1};
}

// f32 and f64 add, sub and mul without a rounding may be contracted to fma, as C++ compilers for GPUs do.
template <class T, class Form>
value<T, Form> emit_value(ptx::opcode op, std::initializer_list<ptx::token> tokens,
                          std::initializer_list<ptx::operand> sources) {
  return {tracer::current().compute(register_type<T>, op, tokens, sources)};
}
template <class T, class Form>
value<T, Form> emit_value(const ptx::operation& what, std::initializer_list<ptx::operand> sources) {
  return {tracer::current().compute(register_type<T>, what, sources)};
}

/// What an operator makes of two operands: a T of the form that `Rule` makes of theirs.
template <class T, template <class, class> class Rule, class A, class B>
using result_of = value<T, Rule<typename operand_form<T, A>::type, typename operand_form<T, B>::type>>;

template <class T> struct signed_rules {
  template <class A, class B> using quotient = index::node<A, B, index::quotient<A, B, std::is_signed_v<T>>>;
  template <class A, class B> using remainder = index::node<A, B, index::remainder<A, B, std::is_signed_v<T>>>;
  template <class A, class B> using minimum = index::node<A, B, index::minimum<A, B, std::is_signed_v<T>>>;
  template <class A, class B> using maximum = index::node<A, B, index::maximum<A, B, std::is_signed_v<T>>>;
  template <class A, class B> using right = index::node<A, B, index::shift_right<A, B, std::is_signed_v<T>>>;
};
template <class A, class B> using and_rule = index::node<A, B, index::bit_and<A, B>>;
template <class A, class B> using or_rule = index::node<A, B, index::bit_or<A, B>>;
template <class A, class B> using xor_rule = index::node<A, B, index::bit_xor<A, B>>;
template <class A, class B> using left_rule = index::node<A, B, index::shift_left<A, B>>;

template <demand D, template <class, class> class Rule, class A, class B>
TG_ALWAYS_INLINE auto bitwise(ptx::opcode op, const A& a, const B& b) {
  using T = first_type<A, B>;
  using found = typename operand_check<D, A, B>::type;
  if constexpr (!diagnosis::is_ok<sizeof(found), found>) {
    return value<std::conditional_t<D == demand::logic, bool, T>>{ptx::operand{}};
  } else {
    const ptx::operand& x = operand_of<T>(a);
    const ptx::operand& y = operand_of<T>(b);
    const ptx::operand out = compute_two(register_type<T>, op, ptx::token::none, bits_type<T>, x, y);
    if constexpr (is_integer<T>)
      return value<T, Rule<typename operand_form<T, A>::type, typename operand_form<T, B>::type>>(out);
    else return value<T>(out);
  }
}

// The type that a shift has: that of its left side, where this is a constant without one, that of the amount.
template <class A, class B> struct shifted_operand { using type = A; };
template <device_value A, class B> struct shifted_operand<A, B> { using type = device_type_of<A>; };
template <long long N, device_value B> struct shifted_operand<constant<N>, B> { using type = device_type_of<B>; };
template <class A, class B> using shifted_type = typename shifted_operand<A, B>::type;

// The amount of a shift is a u32 in PTX whatever is shifted.
template <template <class, class> class Rule, class A, class B>
TG_ALWAYS_INLINE auto shift(ptx::opcode op, ptx::token type, const A& a, const B& b) {
  using T = shifted_type<A, B>;
  constexpr bool fits = [] {
    if constexpr (device_value<B>) return is_integer<device_type_of<B>> && sizeof(device_type_of<B>) == 4;
    else return true;
  }();
  using found = diagnosis::operation<is_integer<T> && is_arithmetic<T> && fits, diagnosis::types<A, B>>;
  if constexpr (!diagnosis::is_ok<sizeof(found), found>) {
    return value<T>{ptx::operand{}};
  } else {
    const ptx::operand& x = operand_of<T>(a);
    const ptx::operand amount = operand_of<unsigned>(b);
    using form = Rule<typename operand_form<T, A>::type, typename operand_form<unsigned, B>::type>;
    return value<T, form>(compute_two(register_type<T>, op, ptx::token::none, type, x, amount));
  }
}

template <class A, class B> TG_ALWAYS_INLINE value<bool> compare(ptx::token relation, const A& a, const B& b) {
  using T = first_type<A, B>;
  using found = typename operand_check<demand::order, A, B>::type;
  if constexpr (!diagnosis::is_ok<sizeof(found), found>) {
    return ptx::operand{};
  } else {
    const ptx::operand& x = operand_of<T>(a);
    const ptx::operand& y = operand_of<T>(b);
    return compute_two(ptx::token::pred, ptx::opcode::setp, relation, compute_type<T>, x, y);
  }
}

/// `selection`, of whose operands those that are not chosen are not read from memory (guarded_reads.hpp).
template <class Value> TG_ALWAYS_INLINE Value guarded(const Value& selection) {
  tracer::current().guard_reads_of(selection.operand);
  return selection;
}

// What was recorded behind a left side without a name belongs to the right side.
template <class A> void check_sides(const std::remove_reference_t<A>& left) {
  if constexpr (!std::is_reference_v<A> && device_value<A>) {
    if constexpr (std::is_same_v<device_type_of<A>, bool> && is_readable<A>())
      tracer::current().require_no_effect_since(left.get().operand);
  }
}

// lt, le, gt, ge of unsigned integers are written lo, ls, hi, hs or lt… alike; PTX takes lt for both.
// A float comparison other than != is false when an operand is NaN, as in C++; neu is C++'s !=.
template <class T> inline constexpr ptx::token not_equal = is_integer<T> ? ptx::token::ne : ptx::token::neu;

/// Whether two conditions differ. PTX compares no predicates.
template <class A, class B> value<bool> differ(const A& a, const B& b) {
  return bitwise<demand::logic, xor_rule>(ptx::opcode::xor_, a, b);
}
template <class A, class B> inline constexpr bool are_conditions = std::is_same_v<first_type<A, B>, bool>;

}  // namespace detail

// Index arithmetic is made of these five, each pair of forms a function of its own. So each is written out: what they had in
// common would be one more function to compile for each pair.
template <class A, class B> requires detail::operands<A, B>
TG_RESULT auto operator+(const A& a, const B& b) {
  using T = detail::first_type<A, B>;
  using found = typename detail::operand_check<detail::demand::arithmetic, A, B>::type;
  if constexpr (!diagnosis::is_ok<sizeof(found), found>) {
    return value<T>{ptx::operand{}};
  } else {
    const ptx::operand& x = detail::operand_of<T>(a);
    const ptx::operand& y = detail::operand_of<T>(b);
    return detail::result_of<T, index::plus, A, B>(
        detail::compute_two(register_type<T>, ptx::opcode::add, ptx::token::none, compute_type<T>, x, y));
  }
}
template <class A, class B> requires detail::operands<A, B>
TG_RESULT auto operator-(const A& a, const B& b) {
  using T = detail::first_type<A, B>;
  using found = typename detail::operand_check<detail::demand::arithmetic, A, B>::type;
  if constexpr (!diagnosis::is_ok<sizeof(found), found>) {
    return value<T>{ptx::operand{}};
  } else {
    const ptx::operand& x = detail::operand_of<T>(a);
    const ptx::operand& y = detail::operand_of<T>(b);
    return detail::result_of<T, index::minus, A, B>(
        detail::compute_two(register_type<T>, ptx::opcode::sub, ptx::token::none, compute_type<T>, x, y));
  }
}
template <class A, class B> requires detail::operands<A, B>
TG_RESULT auto operator*(const A& a, const B& b) {
  using T = detail::first_type<A, B>;
  using found = typename detail::operand_check<detail::demand::arithmetic, A, B>::type;
  if constexpr (!diagnosis::is_ok<sizeof(found), found>) {
    return value<T>{ptx::operand{}};
  } else {
    const ptx::operand& x = detail::operand_of<T>(a);
    const ptx::operand& y = detail::operand_of<T>(b);
    return detail::result_of<T, index::times, A, B>(detail::compute_two(
        register_type<T>, ptx::opcode::mul, is_integer<T> ? ptx::token::lo : ptx::token::none, compute_type<T>, x, y));
  }
}
/// IEEE division of floats; integers truncate, and division by zero gives what the hardware gives.
template <class A, class B> requires detail::operands<A, B>
TG_RESULT auto operator/(const A& a, const B& b) {
  using T = detail::first_type<A, B>;
  using found = typename detail::operand_check<detail::demand::division, A, B>::type;
  if constexpr (!diagnosis::is_ok<sizeof(found), found>) {
    return value<T>{ptx::operand{}};
  } else {
    const ptx::operand& x = detail::operand_of<T>(a);
    const ptx::operand& y = detail::operand_of<T>(b);
    return detail::result_of<T, detail::signed_rules<T>::template quotient, A, B>(detail::compute_two(
        register_type<T>, ptx::opcode::div, is_float<T> ? ptx::token::rn : ptx::token::none, compute_type<T>, x, y));
  }
}
template <class A, class B> requires detail::operands<A, B>
TG_RESULT auto operator%(const A& a, const B& b) {
  using T = detail::first_type<A, B>;
  using found = typename detail::operand_check<detail::demand::integers, A, B>::type;
  if constexpr (!diagnosis::is_ok<sizeof(found), found>) {
    return value<T>{ptx::operand{}};
  } else {
    const ptx::operand& x = detail::operand_of<T>(a);
    const ptx::operand& y = detail::operand_of<T>(b);
    return detail::result_of<T, detail::signed_rules<T>::template remainder, A, B>(
        detail::compute_two(register_type<T>, ptx::opcode::rem, ptx::token::none, compute_type<T>, x, y));
  }
}

template <device_value A> TG_RESULT auto operator-(const A& a) {
  using T = device_type_of<A>;
  const auto x = a.get();
  using found = diagnosis::operation<is_arithmetic<T>, T>;
  if constexpr (!diagnosis::is_ok<sizeof(found), found>) return x;
  else if constexpr (!is_integer<T>)
    return detail::emit_value<T, index::data>(ptx::operation::neg(compute_type<T>), {x.operand});
  else return constant<0>{} - x;
}

template <class A, class B> requires detail::operands<A, B>
TG_RESULT auto operator&(const A& a, const B& b) {
  return detail::bitwise<detail::demand::bits, detail::and_rule>(ptx::opcode::and_, a, b);
}
template <class A, class B> requires detail::operands<A, B>
TG_RESULT auto operator|(const A& a, const B& b) {
  return detail::bitwise<detail::demand::bits, detail::or_rule>(ptx::opcode::or_, a, b);
}
template <class A, class B> requires detail::operands<A, B>
TG_RESULT auto operator^(const A& a, const B& b) {
  return detail::bitwise<detail::demand::bits, detail::xor_rule>(ptx::opcode::xor_, a, b);
}
template <device_value A> TG_RESULT auto operator~(const A& a) {
  using T = device_type_of<A>;
  using found = diagnosis::operation<is_integer<T> && is_arithmetic<T>, T>;
  if constexpr (!diagnosis::is_ok<sizeof(found), found>) return a.get();
  else {
    const auto x = a.get();
    return detail::emit_value<T, index::computed<T, typename decltype(x)::form>>(ptx::opcode::not_, {bits_type<T>},
                                                                                 {x.operand});
  }
}
/// `1u << lane` has the type of the number on the left, `1_c << lane` that of the amount.
template <class A, class B> requires detail::operands<A, B>
TG_RESULT auto operator<<(const A& a, const B& b) {
  return detail::shift<detail::left_rule>(ptx::opcode::shl, bits_type<detail::shifted_type<A, B>>, a, b);
}
template <class A, class B> requires detail::operands<A, B>
TG_RESULT auto operator>>(const A& a, const B& b) {
  using T = detail::shifted_type<A, B>;
  return detail::shift<detail::signed_rules<T>::template right>(ptx::opcode::shr, compute_type<T>, a, b);
}

template <class A, class B> requires detail::operands<A, B>
TG_RESULT value<bool> operator<(const A& a, const B& b) {
  return detail::compare(ptx::token::lt, a, b);
}
template <class A, class B> requires detail::operands<A, B>
TG_RESULT value<bool> operator<=(const A& a, const B& b) {
  return detail::compare(ptx::token::le, a, b);
}
template <class A, class B> requires detail::operands<A, B>
TG_RESULT value<bool> operator>(const A& a, const B& b) {
  return detail::compare(ptx::token::gt, a, b);
}
template <class A, class B> requires detail::operands<A, B>
TG_RESULT value<bool> operator>=(const A& a, const B& b) {
  return detail::compare(ptx::token::ge, a, b);
}
template <class A, class B> requires detail::operands<A, B>
TG_RESULT value<bool> operator==(const A& a, const B& b) {
  if constexpr (detail::are_conditions<A, B>) return !detail::differ(a, b);
  else return detail::compare(ptx::token::eq, a, b);
}
template <class A, class B> requires detail::operands<A, B>
TG_RESULT value<bool> operator!=(const A& a, const B& b) {
  if constexpr (detail::are_conditions<A, B>) return detail::differ(a, b);
  else return detail::compare(detail::not_equal<detail::first_type<A, B>>, a, b);
}

/// Logic on conditions. C++ has evaluated both sides before; of the right one, reads that nothing else needs are made only
/// where the left side leaves the answer open. `&` and `|` read both sides. An atomic on the right happens in any case:
/// write `c && [&] { return ...; }` (lazy.hpp). Errors: TG104, TG137 for an atomic behind a comparison on the left.
template <class A, class B> requires detail::operands<A, B>
value<bool> operator&&(A&& a, const B& b) {
  detail::check_sides<A>(a);
  return detail::guarded(detail::bitwise<detail::demand::logic, detail::and_rule>(ptx::opcode::and_, a, b));
}
template <class A, class B> requires detail::operands<A, B>
value<bool> operator||(A&& a, const B& b) {
  detail::check_sides<A>(a);
  return detail::guarded(detail::bitwise<detail::demand::logic, detail::or_rule>(ptx::opcode::or_, a, b));
}
template <device_value A> TG_RESULT value<bool> operator!(const A& a) {
  (void)sizeof(diagnosis::condition<std::is_same_v<device_type_of<A>, bool>, device_type_of<A>>);
  return detail::emit_value<bool, index::data>(ptx::opcode::not_, {ptx::token::pred}, {a.get().operand});
}

}  // namespace tg
