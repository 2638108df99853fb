// The sign of a float as a bit.
#pragma once

#include <tg/dsl/value/bit_cast.hpp>

namespace tg {

namespace detail {

template <class T> using sign_word = std::conditional_t<sizeof(T) == 4, unsigned, unsigned long long>;
template <class T> inline constexpr sign_word<T> sign_mask = sign_word<T>{1} << (sizeof(T) * 8 - 1);

template <device_value X> auto sign_bit(const X& x) {
  using T = device_type_of<X>;
  return tg::bit_cast<sign_word<T>>(x) & sign_mask<T>;
}

/// `x`, negated where `bit` is set.
template <class T, class Bit> value<T> with_sign(const value<T>& x, const Bit& bit) {
  return tg::bit_cast<T>(tg::bit_cast<sign_word<T>>(x) ^ bit);
}

}  // namespace detail

/// The magnitude of `x` with the sign of `sign`, that of zeros and NaNs included. Requires: two floats or two doubles.
template <device_value X, device_value S> auto copysign(const X& x, const S& sign) {
  using T = device_type_of<X>;
  (void)sizeof(diagnosis::same_types<std::is_same_v<T, device_type_of<S>>, diagnosis::types<T, device_type_of<S>>>);
  return tg::bit_cast<T>((tg::bit_cast<detail::sign_word<T>>(x) & ~detail::sign_mask<T>) | detail::sign_bit(sign));
}

}  // namespace tg
