// Two narrow floats in one register: f16x2 and bf16x2, whose halves compute together, f8e4m3x2 and f8e5m2x2.
#pragma once

// Before all others, so that compiler output about a diagnosis does not begin with a tower of headers.
#include <tg/base/fixed_array.hpp>
#include <tg/dsl/verdict/diagnosis.hpp>

#include <tg/dsl/math/math.hpp>
#include <tg/dsl/vector/narrow_float.hpp>
#include <tg/dsl/vector/vec.hpp>

namespace tg {

template <class T> inline constexpr bool is_narrow<packed<T>> = is_narrow<T> && sizeof(T) < 4;
template <class T> inline constexpr bool is_half_pair<packed<T>> = is_half<T>;
template <> inline constexpr ptx::token compute_type<f16x2> = ptx::token::f16x2;
template <> inline constexpr ptx::token compute_type<bf16x2> = ptx::token::bf16x2;

namespace detail {

template <class T> inline constexpr bool is_packed = false;
template <class T> inline constexpr bool is_packed<packed<T>> = true;

template <class P> using half_of = typename device_type_of<P>::element_type;

// Two Ts, or two floats that become Ts in one instruction.
template <class T, class L, class H>
inline constexpr bool can_pack =
    std::is_same_v<L, H> && is_narrow<packed<T>> && (std::is_same_v<L, T> || std::is_same_v<L, float>);

}  // namespace detail

/// Two values side by side: of T, or of float, which are rounded to T. `tg::pack<tg::f16>(x, y)`.
/// Errors: TG101.
/// PTX: mov.b32 or prmt; cvt.rn.f16x2.f32, cvt.rn.satfinite.e4m3x2.f32 and the like.
template <class T, device_value L, device_value H> value<packed<T>> pack(const L& low, const H& high) {
  using from = device_type_of<L>;
  using found =
      diagnosis::same_types<detail::can_pack<T, from, device_type_of<H>>, diagnosis::types<T, from, device_type_of<H>>>;
  if constexpr (!diagnosis::is_ok<sizeof(found), found>) {
    return ptx::operand{};
  } else {
    const fixed_array<ptx::operand, 2> parts = {low.get().operand, high.get().operand};
    if constexpr (std::is_same_v<from, T>) return {detail::to_word<T>(parts.data(), 2)};
    else if constexpr (!is_half<T>) return {detail::narrow_to_bytes<T>(parts[0], parts[1])};
    else
      return detail::emit_value<packed<T>, index::data>(
          ptx::operation::convert(ptx::token::rn, compute_type<packed<T>>, ptx::token::f32), {parts[1], parts[0]});
  }
}
/// Two values of one narrow type side by side.
template <device_value L, device_value H> auto pack(const L& low, const H& high) {
  return tg::pack<device_type_of<L>>(low, high);
}

/// The value in the lower half.
template <device_value P> requires detail::is_packed<device_type_of<P>>
value<detail::half_of<P>> low(const P& pair) {
  return {detail::from_word<detail::half_of<P>>(pair.get().operand, 0)};
}
/// The value in the upper half.
template <device_value P> requires detail::is_packed<device_type_of<P>>
value<detail::half_of<P>> high(const P& pair) {
  return {detail::from_word<detail::half_of<P>>(pair.get().operand, 1)};
}

namespace detail {

template <class T, class From> inline constexpr bool has_cast<packed<T>, From> = false;
template <class To, class F> inline constexpr bool has_cast<To, packed<F>> = false;
template <class T, class F> inline constexpr bool has_cast<packed<T>, packed<F>> = is_narrow<packed<T>>;

template <class T, class F> struct narrow_cast<packed<T>, packed<F>> {
  static value<packed<T>> of(const value<packed<F>>& x) {
    if constexpr (is_byte_float<T> && std::is_same_v<F, f16>)
      return {to_word_register(
          tracer::current().compute(ptx::token::b16, ptx::opcode::cvt,
                                    {ptx::token::rn, ptx::token::satfinite, byte_pair<T>, ptx::token::f16x2}, {x.operand}))};
    else if constexpr (std::is_same_v<T, f16> && is_byte_float<F>)
      return emit_value<f16x2, index::data>(ptx::operation::convert(ptx::token::rn, ptx::token::f16x2, byte_pair<F>),
                                            {to_half_register(x.operand)});
    else if constexpr (is_byte_float<F>) return tg::cast<packed<T>>(tg::cast<f16x2>(x));
    else return tg::pack<T>(tg::cast<float>(tg::low(x)), tg::cast<float>(tg::high(x)));
  }
};

template <class A, class B>
concept pair_operands = operands<A, B> && is_half_pair<first_type<A, B>>;

}  // namespace detail

/// What a comparison of pairs says: a condition for each half.
struct condition_pair {
  value<bool> low, high;

  value<bool> any() const { return low || high; }
  value<bool> all() const { return low && high; }
};

namespace detail {

// bf16 is compared as float where sm_90 is not asked for, so its halves are taken apart.
template <class A, class B> condition_pair compare_halves(ptx::token relation, const A& a, const B& b) {
  using T = first_type<A, B>;
  using found = typename operand_check<demand::arithmetic, A, B>::type;
  if constexpr (!diagnosis::is_ok<sizeof(found), found>) {
    return {ptx::operand{}, ptx::operand{}};
  } else {
    const value<T> x{to_value<T>(a).operand}, y{to_value<T>(b).operand};
    if constexpr (!std::is_same_v<T, f16x2>) {
      return {compare(relation, tg::low(x), tg::low(y)), compare(relation, tg::high(x), tg::high(y))};
    } else {
      auto& t = tracer::current();
      const ptx::operand holds[] = {t.new_register(ptx::token::pred), t.new_register(ptx::token::pred)};
      ptx::operand both = t.new_vector(holds, 2);
      both.kind = ptx::operand_kind::pair;
      t.emit(ptx::operation::compare(relation, ptx::token::f16x2), {both, x.operand, y.operand});
      return {{holds[0]}, {holds[1]}};
    }
  }
}

}  // namespace detail

/// Half by half, as of single values. PTX: setp.f16x2, which gives both conditions; of bf16x2 setp, twice.
template <class A, class B> requires detail::pair_operands<A, B>
condition_pair operator<(const A& a, const B& b) {
  return detail::compare_halves(ptx::token::lt, a, b);
}
template <class A, class B> requires detail::pair_operands<A, B>
condition_pair operator<=(const A& a, const B& b) {
  return detail::compare_halves(ptx::token::le, a, b);
}
template <class A, class B> requires detail::pair_operands<A, B>
condition_pair operator>(const A& a, const B& b) {
  return detail::compare_halves(ptx::token::gt, a, b);
}
template <class A, class B> requires detail::pair_operands<A, B>
condition_pair operator>=(const A& a, const B& b) {
  return detail::compare_halves(ptx::token::ge, a, b);
}
template <class A, class B> requires detail::pair_operands<A, B>
condition_pair operator==(const A& a, const B& b) {
  return detail::compare_halves(ptx::token::eq, a, b);
}
template <class A, class B> requires detail::pair_operands<A, B>
condition_pair operator!=(const A& a, const B& b) {
  return detail::compare_halves(ptx::token::neu, a, b);
}

/// Each half of `a` where its condition holds, else that of `b`.
template <device_value A, device_value B> requires detail::pair_operands<A, B>
auto select(const condition_pair& condition, const A& a, const B& b) {
  return tg::pack(tg::select(condition.low, tg::low(a), tg::low(b)), tg::select(condition.high, tg::high(a), tg::high(b)));
}

}  // namespace tg
