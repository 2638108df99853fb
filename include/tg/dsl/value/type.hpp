// The scalar types of the language and how PTX names them.
#pragma once

#include <concepts>
#include <cstdint>
#include <type_traits>

#include <tg/ptx/ir/token.hpp>

namespace tg {

// Types that come into the language with a header of their own, which says so here.
/// `f16`, `bf16`, `tf32`, `f8e4m3`, `f8e5m2` and pairs of them.
template <class T> inline constexpr bool is_narrow = false;
/// `f16` and `bf16`: arithmetic and order.
template <class T> inline constexpr bool is_half = false;
/// `f16x2` and `bf16x2`: arithmetic on both halves at once.
template <class T> inline constexpr bool is_half_pair = false;

/// A type that a register, a parameter or a memory element can have: 8 to 64 bit integers, float, double, bool, and the
/// narrow floats.
template <class T>
concept scalar_type = std::is_same_v<T, bool> || std::is_same_v<T, float> || std::is_same_v<T, double> ||
                      (std::is_integral_v<T> && !std::is_const_v<T> && !std::is_volatile_v<T> && !std::is_same_v<T, char> &&
                       !std::is_same_v<T, wchar_t> && !std::is_same_v<T, char8_t> && !std::is_same_v<T, char16_t> &&
                       !std::is_same_v<T, char32_t>) ||
                      is_narrow<T>;

/// float or double.
template <class T> inline constexpr bool is_float = std::is_floating_point_v<T>;
/// An integer of any width; bool is none.
template <class T> inline constexpr bool is_integer = std::is_integral_v<T> && !std::is_same_v<T, bool>;
/// 8 and 16 bit integers are loaded, stored, compared and converted; arithmetic wants 32 or 64 bits, said with `cast`.
template <class T> inline constexpr bool is_small = is_integer<T> && sizeof(T) < 4;
/// Types that +, - and * take: float, double, integers of 32 and 64 bits, f16, bf16 and pairs of them.
template <class T>
inline constexpr bool is_arithmetic = is_float<T> || (is_integer<T> && !is_small<T>) || is_half<T> || is_half_pair<T>;
/// One type of number, by whatever name: `unsigned long` and `unsigned long long` where both have 64 bits.
template <class A, class B>
inline constexpr bool is_same_number = std::is_same_v<A, B> || (is_integer<A> && is_integer<B> && sizeof(A) == sizeof(B) &&
                                                                std::is_signed_v<A> == std::is_signed_v<B>);
/// Types that < compares.
template <class T> inline constexpr bool is_ordered = is_float<T> || is_integer<T> || is_half<T>;

namespace detail {

template <class T> constexpr ptx::token pick(ptx::token b1, ptx::token b2, ptx::token b4, ptx::token b8) {
  return sizeof(T) == 1 ? b1 : sizeof(T) == 2 ? b2 : sizeof(T) == 4 ? b4 : b8;
}

}  // namespace detail

/// The type in memory: `.u8` … `.f64`.
template <class T>
inline constexpr ptx::token memory_type =
    std::is_same_v<T, bool> ? ptx::token::u8
    : is_float<T>           ? (sizeof(T) == 4 ? ptx::token::f32 : ptx::token::f64)
    : std::is_signed_v<T>   ? detail::pick<T>(ptx::token::s8, ptx::token::s16, ptx::token::s32, ptx::token::s64)
                            : detail::pick<T>(ptx::token::u8, ptx::token::u16, ptx::token::u32, ptx::token::u64);

/// The type an instruction computes in: small integers live sign- or zero-extended in 32-bit registers.
template <class T>
inline constexpr ptx::token compute_type = std::is_same_v<T, bool> ? ptx::token::pred
                                           : is_small<T>           ? (std::is_signed_v<T> ? ptx::token::s32 : ptx::token::u32)
                                                                   : memory_type<T>;

/// The type of the register that holds a T, without its sign: `.b32`, `.b64`, `.pred`.
template <class T>
inline constexpr ptx::token bits_type = std::is_same_v<T, bool> ? ptx::token::pred
                                        : sizeof(T) <= 4        ? ptx::token::b32
                                                                : ptx::token::b64;

/// The type a register is declared with.
template <class T> inline constexpr ptx::token register_type = is_float<T> ? memory_type<T> : bits_type<T>;

/// The type `mov` names between such registers.
template <class T> inline constexpr ptx::token move_type = is_narrow<T> ? bits_type<T> : compute_type<T>;

}  // namespace tg
