// Conversions, said aloud.
#pragma once

#include <cstdint>

#include <tg/base/limits.hpp>
#include <tg/dsl/index/evaluate.hpp>
#include <tg/dsl/value/operators.hpp>

namespace tg {

namespace detail {

// Whether some lane of an unsigned register is known to have wrapped below 0: widening makes it 2^32 too large.
template <class Form> inline constexpr bool has_wrapped = false;
template <class Form> requires index::is_known_form<Form>
inline constexpr bool has_wrapped<Form> = [] {
  for (int w = 0; w < index::block_of<Form>.warps(); ++w) {
    const analysis::lane_value lanes = index::evaluate<Form>(w);
    if (!lanes.known) return true;
    if (!analysis::is_exact(lanes)) continue;
    for (const auto lane : lanes.offset)
      if (lane < 0) return true;
  }
  return false;
}();

template <class To, class From, class Form> constexpr bool keeps_form() {
  if constexpr (!is_integer<To> || !is_integer<From> || sizeof(To) < 4) return false;
  else if constexpr (sizeof(To) == 8 && sizeof(From) < 8 && std::is_unsigned_v<From>) return !has_wrapped<Form>;
  else return true;
}

// Small integers are kept extended in 32-bit registers, so widening from them costs nothing up to 32 bits.
template <class To, class From> ptx::operand convert_integer(tracer& t, ptx::operand x) {
  constexpr ptx::token from = compute_type<From>;
  if constexpr (is_small<To>) {
    if constexpr (sizeof(From) == 8)
      x = t.compute(ptx::token::b32, ptx::operation::convert(ptx::token::u32, ptx::token::u64), {x});
    if constexpr (sizeof(From) > sizeof(To) || (sizeof(From) == sizeof(To) && std::is_signed_v<From> != std::is_signed_v<To>) ||
                  (std::is_signed_v<From> && !std::is_signed_v<To>))
      return t.compute(ptx::token::b32, ptx::operation::convert(compute_type<To>, memory_type<To>), {x});
    else return x;
  } else if constexpr (sizeof(To) == 8 && sizeof(From) <= 4) {
    // The sign of the source decides how it widens, as in C++.
    return t.compute(ptx::token::b64, ptx::operation::convert(std::is_signed_v<From> ? ptx::token::s64 : ptx::token::u64, from),
                     {x});
  } else if constexpr (sizeof(To) == 4 && sizeof(From) == 8) {
    return t.compute(ptx::token::b32, ptx::operation::convert(ptx::token::u32, ptx::token::u64), {x});
  } else {
    return x;
  }
}

// To and from a narrow float; the header that brings those in says how, and what is not one rounding.
template <class To, class From> struct narrow_cast;
template <class To, class From> inline constexpr bool has_cast = scalar_type<To>;

}  // namespace detail

/// `x` converted to T as C++ would, with two differences: a float outside the range of an integer saturates, and float
/// to integer truncates toward zero in one instruction. Errors: TG120.
/// PTX: cvt, selp or setp; nothing between integers of one width.
template <class To, device_value X> auto cast(const X& x) {
  using From = device_type_of<X>;
  constexpr bool fits = detail::has_cast<To, From>;
  (void)sizeof(diagnosis::convertible<fits, diagnosis::types<To, From>>);
  const auto from = x.get();
  auto& t = detail::tracer::current();
  using own_form = typename decltype(from)::form;
  using form = std::conditional_t<detail::keeps_form<To, From, own_form>(), own_form, index::data>;
  if constexpr (!fits && scalar_type<To>) {
    return value<To>{ptx::operand{}};
  } else if constexpr (!fits || std::is_same_v<To, From>) {
    return from;
  } else if constexpr (is_narrow<To> || is_narrow<From>) {
    return detail::narrow_cast<To, From>::of(from);
  } else if constexpr (std::is_same_v<To, bool>) {
    const ptx::operand zero = is_float<From> ? detail::immediate<From>(From{}) : ptx::operand::integer(0);
    return value<bool>{t.compute(ptx::token::pred, ptx::operation::compare(detail::not_equal<From>, compute_type<From>),
                                 {from.operand, zero})};
  } else if constexpr (std::is_same_v<From, bool>) {
    return value<To>{t.compute(register_type<To>, ptx::operation::select(is_float<To> ? memory_type<To> : bits_type<To>),
                               {detail::immediate<To>(To{1}), detail::immediate<To>(To{0}), from.operand})};
  } else if constexpr (is_float<To> && is_float<From>) {
    constexpr ptx::token rounding = sizeof(To) < sizeof(From) ? ptx::token::rn : ptx::token::none;
    return value<To>{
        t.compute(register_type<To>, ptx::operation::convert(rounding, memory_type<To>, memory_type<From>), {from.operand})};
  } else if constexpr (is_float<To>) {
    return value<To>{t.compute(register_type<To>, ptx::operation::convert(ptx::token::rn, memory_type<To>, compute_type<From>),
                               {from.operand})};
  } else if constexpr (is_float<From>) {
    // Narrow results saturate at their own range; PTX clamps to the destination type.
    return value<To>{t.compute(register_type<To>, ptx::operation::convert(ptx::token::rzi, memory_type<To>, memory_type<From>),
                               {from.operand})};
  } else {
    return value<To, form>{detail::convert_integer<To, From>(t, from.operand)};
  }
}

namespace detail {

// NaN becomes 0, or the highest bit alone where one of the types has 64 bits. Source: PTX ISA 9.0, cvt.
template <class To, class From> constexpr To saturated(From x) {
  constexpr To least = least_integer<To>, largest = largest_integer<To>;
  constexpr bool is_long = sizeof(To) == 8 || sizeof(From) == 8;
  if (x != x) return is_long ? static_cast<To>(std::uint64_t{1} << (8 * sizeof(To) - 1)) : To{0};
  if (x <= static_cast<From>(least)) return least;
  if (x >= static_cast<From>(largest)) return largest;
  return static_cast<To>(x);
}

// `x` as a double that any narrow float is made of with one rounding: of a longer integer, bits that are lost leave a 1 in
// the last place, so that no half is taken for what lies near it.
template <class From> constexpr double wide_enough(From x) {
  if constexpr (is_integer<From> && sizeof(From) == 8) {
    constexpr int digits = 53;
    const bool is_negative = x < 0;
    const std::uint64_t size = is_negative ? 0 - static_cast<std::uint64_t>(x) : static_cast<std::uint64_t>(x);
    int lost = 0;
    while (size >> lost >> digits != 0) ++lost;
    const std::uint64_t kept = size >> lost;
    const auto magnitude = static_cast<double>((kept << lost) | (kept << lost != size ? std::uint64_t{1} << lost : 0));
    return is_negative ? -magnitude : magnitude;
  } else {
    return static_cast<double>(x);
  }
}

}  // namespace detail

/// A C++ number converted to T, as a C++ number: `tg::cast<tg::f16>(1.0f)`, `tg::cast<float>(rows)`. It converts as a device
/// value does. Errors: TG120.
template <class To, class X> requires(!device_value<X> && operand_like<X>)
constexpr auto cast(const X& x) {
  constexpr bool fits = detail::has_cast<To, std::conditional_t<is_constant<X>, long long, X>>;
  using found = diagnosis::convertible<fits, diagnosis::types<To, X>>;
  if constexpr (!diagnosis::is_ok<sizeof(found), found>) return x;
  else if constexpr (is_constant<X>) return tg::cast<To>(X::value);
  else if constexpr (is_integer<To> && is_float<X>) return detail::saturated<To>(x);
  else if constexpr (is_narrow<To> && !std::is_same_v<To, X>) return To(detail::wide_enough(x));
  else if constexpr (is_narrow<X> && !std::is_same_v<To, X>) return tg::cast<To>(static_cast<float>(x));
  else return static_cast<To>(x);
}

}  // namespace tg
