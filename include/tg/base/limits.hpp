// Limits of numbers, in a header that costs nothing to include: <limits> is a twentieth of what a compiler reads for
// <tg/dsl.hpp>.
#pragma once

#include <type_traits>

namespace tg {

namespace detail {

template <class T> constexpr T float_limit(double limit) {
  static_assert(std::is_floating_point_v<T>, "TG102: this number is one of float or double: write tg::infinity<float>");
  if constexpr (std::is_floating_point_v<T>) return static_cast<T>(limit);
  else return T{};
}

}  // namespace detail

/// Infinity of T, float or double, as a C++ number: `tg::var<float> least = tg::infinity<float>`. Errors: TG102.
template <class T> inline constexpr T infinity = detail::float_limit<T>(__builtin_inf());
/// A NaN of T, float or double. Errors: TG102.
template <class T> inline constexpr T not_a_number = detail::float_limit<T>(__builtin_nan(""));
/// The largest number of T, float or double, that is not infinite. Errors: TG102.
template <class T> inline constexpr T largest_finite = detail::float_limit<T>(sizeof(T) == 4 ? __FLT_MAX__ : __DBL_MAX__);

namespace detail {

/// The largest and the least number of an integer type.
template <class T>
inline constexpr T largest_integer = static_cast<T>(~0ull >> (64 - 8 * sizeof(T) + (std::is_signed_v<T> ? 1 : 0)));
template <class T> inline constexpr T least_integer = std::is_signed_v<T> ? static_cast<T>(-largest_integer<T> - 1) : T{0};

}  // namespace detail

}  // namespace tg
