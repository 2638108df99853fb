// What a word takes.
#pragma once

#include <tg/dsl/value/operators.hpp>

namespace tg::detail {

/// Whether T is a 32-bit integer, in which packed bytes and halves travel.
template <class T> inline constexpr bool is_word32 = is_integer<T> && sizeof(T) == 4;

template <class X> struct argument_type { using type = std::remove_cvref_t<X>; };
template <device_value X> struct argument_type<X> { using type = device_type_of<X>; };
template <long long N> struct argument_type<constant<N>> { using type = unsigned; };

/// The type of number that a word on all lanes has when it is given an X: a C++ number is one that each lane has, a constant
/// an unsigned, as is what no register holds.
template <operand_like X>
using lane_type = std::conditional_t<scalar_type<typename argument_type<X>::type>, typename argument_type<X>::type, unsigned>;

/// `x` where a T is wanted. Errors: TG101 for a device value of another type, TG102 for such a C++ number.
template <class T, class X> ptx::operand argument(const X& x) {
  constexpr bool fits = !device_value<X> || is_same_number<typename argument_type<X>::type, T>;
  using found = diagnosis::same_types<fits, diagnosis::types<T, typename argument_type<X>::type>>;
  if constexpr (diagnosis::is_ok<sizeof(found), found>) return to_value<T>(x).operand;
  else return {};
}

/// `x` as a word on all lanes takes it, in a register: instructions between lanes take no numbers. Errors: TG102.
template <class T, operand_like X> auto lane_value(const X& x) {
  if constexpr (device_value<X>) {
    return x.get();
  } else {
    const ptx::operand own = argument<T>(x);
    return value<T>{own.is_reg() ? own : tracer::current().copy(register_type<T>, move_type<T>, own)};
  }
}

}  // namespace tg::detail
