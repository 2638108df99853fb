// Compile-time integers for index arithmetic: `thread.x * 33_c`.
#pragma once

#include <cstddef>

#include <tg/base/config.hpp>

namespace tg {

/// An integer that is part of the type. Hana's own constants claim every operator for themselves, mixed operands included,
/// so the language has its own. Those of Hana may stand beside device values too: dsl/hana_constants.hpp.
template <long long N> struct constant {
  static constexpr long long value = N;
  TG_ALWAYS_INLINE constexpr operator long long() const { return N; }
  constexpr constant<-N> operator-() const { return {}; }
  constexpr constant<~N> operator~() const { return {}; }
};

template <long long A, long long B> TG_ALWAYS_INLINE constexpr constant<A + B> operator+(constant<A>, constant<B>) {
  return {};
}
template <long long A, long long B> TG_ALWAYS_INLINE constexpr constant<A - B> operator-(constant<A>, constant<B>) {
  return {};
}
template <long long A, long long B> TG_ALWAYS_INLINE constexpr constant<A * B> operator*(constant<A>, constant<B>) {
  return {};
}
template <long long A, long long B> TG_ALWAYS_INLINE constexpr constant<A / B> operator/(constant<A>, constant<B>) {
  return {};
}
template <long long A, long long B> TG_ALWAYS_INLINE constexpr constant<A % B> operator%(constant<A>, constant<B>) {
  return {};
}

template <long long A, long long B> TG_ALWAYS_INLINE constexpr constant<(A & B)> operator&(constant<A>, constant<B>) {
  return {};
}
template <long long A, long long B> TG_ALWAYS_INLINE constexpr constant<(A | B)> operator|(constant<A>, constant<B>) {
  return {};
}
template <long long A, long long B> TG_ALWAYS_INLINE constexpr constant<(A ^ B)> operator^(constant<A>, constant<B>) {
  return {};
}
template <long long A, long long B> TG_ALWAYS_INLINE constexpr constant<(A << B)> operator<<(constant<A>, constant<B>) {
  return {};
}
template <long long A, long long B> TG_ALWAYS_INLINE constexpr constant<(A >> B)> operator>>(constant<A>, constant<B>) {
  return {};
}

/// Whether T is a `constant<N>`.
template <class T> inline constexpr bool is_constant = false;
template <long long N> inline constexpr bool is_constant<constant<N>> = true;

namespace literals {

namespace detail {
consteval long long parse_digits(const char* digits, std::size_t count) {
  long long base = 10;
  std::size_t at = 0;
  if (count > 2 && digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X')) base = 16, at = 2;
  if (count > 2 && digits[0] == '0' && (digits[1] == 'b' || digits[1] == 'B')) base = 2, at = 2;
  long long out = 0;
  for (; at < count; ++at) {
    const char c = digits[at];
    if (c == '\'') continue;
    const int digit = c >= 'a' ? c - 'a' + 10 : c >= 'A' ? c - 'A' + 10 : c - '0';
    if (digit < 0 || digit >= base) throw "a constant is written with digits only";
    out = out * base + digit;
  }
  return out;
}
}  // namespace detail

/// `33_c` is `constant<33>{}`.
template <char... Digits> TG_ALWAYS_INLINE constexpr auto operator""_c() {
  constexpr char digits[] = {Digits...};
  return constant<detail::parse_digits(digits, sizeof...(Digits))>{};
}

}  // namespace literals

}  // namespace tg
