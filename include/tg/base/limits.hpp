// Limits of numbers, in a header that costs nothing to include: <limits> is a twentieth of what a compiler reads for
// <tg/dsl.hpp>.
#pragma once

#include <type_traits>

namespace tg {

/// Infinity of T, float or double, as a C++ number: `tg::var<float> least = tg::infinity<float>`.
template <class T> inline constexpr T infinity = static_cast<T>(__builtin_inf());
/// A NaN of T, float or double.
template <class T> inline constexpr T not_a_number = static_cast<T>(__builtin_nan(""));
/// The largest number of T, float or double, that is not infinite.
template <class T>
inline constexpr T largest_finite = sizeof(T) == 4 ? static_cast<T>(__FLT_MAX__) : static_cast<T>(__DBL_MAX__);

namespace detail {

/// The largest and the least number of an integer type.
template <class T>
inline constexpr T largest_integer = static_cast<T>(~0ull >> (64 - 8 * sizeof(T) + (std::is_signed_v<T> ? 1 : 0)));
template <class T> inline constexpr T least_integer = std::is_signed_v<T> ? static_cast<T>(-largest_integer<T> - 1) : T{0};

}  // namespace detail

}  // namespace tg
