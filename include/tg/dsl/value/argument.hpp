// What a word takes besides its first value.
#pragma once

#include <tg/dsl/value/operators.hpp>

namespace tg::detail {

/// Whether T is a 32-bit integer, in which packed bytes and halves travel.
template <class T> inline constexpr bool is_word32 = is_integer<T> && sizeof(T) == 4;

template <class X> struct argument_type { using type = std::remove_cvref_t<X>; };
template <device_value X> struct argument_type<X> { using type = device_type_of<X>; };
template <long long N> struct argument_type<constant<N>> { using type = unsigned; };

/// `x` where a T is wanted. Errors: TG101 for a device value of another type, TG102 for such a C++ number.
template <class T, class X> ptx::operand argument(const X& x) {
  constexpr bool fits = !device_value<X> || is_same_number<typename argument_type<X>::type, T>;
  using found = diagnosis::same_types<fits, diagnosis::types<T, typename argument_type<X>::type>>;
  if constexpr (diagnosis::is_ok<sizeof(found), found>) return to_value<T>(x).operand;
  else return {};
}

}  // namespace tg::detail
