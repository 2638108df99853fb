// The element types of matrix products: how PTX names them and how many fill a register.
#pragma once

#include <concepts>

#include <tg/base/narrow_float.hpp>
#include <tg/ptx/ir/token.hpp>

namespace tg {

/// 4-bit integers and single bits, which exist only inside the registers of matrix products.
struct s4;
/// An unsigned integer of 4 bits, inside of a register of a matrix product.
struct u4;
/// A single bit, inside of a register of a matrix product.
struct b1;

namespace detail {

template <ptx::token Name, int Bits, class Register = unsigned> struct mma_element_facts {
  static constexpr bool is_element = true;
  static constexpr ptx::token name = Name;
  static constexpr int bits = Bits;
  static constexpr int packed = sizeof(Register) * 8 / Bits;
  using register_type = Register;
};

}  // namespace detail

/// What is known of T as the element of an operand.
template <class T> struct mma_element { static constexpr bool is_element = false; };
template <> struct mma_element<f16> : detail::mma_element_facts<ptx::token::f16, 16> {};
template <> struct mma_element<bf16> : detail::mma_element_facts<ptx::token::bf16, 16> {};
template <> struct mma_element<tf32> : detail::mma_element_facts<ptx::token::tf32, 32> {};
template <> struct mma_element<f8e4m3> : detail::mma_element_facts<ptx::token::e4m3, 8> {};
template <> struct mma_element<f8e5m2> : detail::mma_element_facts<ptx::token::e5m2, 8> {};
template <> struct mma_element<signed char> : detail::mma_element_facts<ptx::token::s8, 8> {};
template <> struct mma_element<unsigned char> : detail::mma_element_facts<ptx::token::u8, 8> {};
template <> struct mma_element<s4> : detail::mma_element_facts<ptx::token::s4, 4> {};
template <> struct mma_element<u4> : detail::mma_element_facts<ptx::token::u4, 4> {};
template <> struct mma_element<b1> : detail::mma_element_facts<ptx::token::b1, 1> {};
template <> struct mma_element<double> : detail::mma_element_facts<ptx::token::f64, 64, double> {};

/// f16, bf16, tf32, f8e4m3, f8e5m2, signed or unsigned char, s4, u4, b1, double.
template <class T>
concept mma_operand_type = mma_element<T>::is_element;

/// What an accumulator may be made of: float, double, int, or f16 in pairs.
template <class T>
concept mma_sum_type = std::same_as<T, float> || std::same_as<T, double> || std::same_as<T, int> || std::same_as<T, f16>;

namespace detail {

template <class T>
inline constexpr ptx::token mma_sum_name = std::same_as<T, float>    ? ptx::token::f32
                                           : std::same_as<T, double> ? ptx::token::f64
                                           : std::same_as<T, int>    ? ptx::token::s32
                                                                     : ptx::token::f16;

template <class T>
inline constexpr bool is_mma_integer =
    std::same_as<T, signed char> || std::same_as<T, unsigned char> || std::same_as<T, s4> || std::same_as<T, u4>;
template <class T> inline constexpr bool is_mma_float8 = std::same_as<T, f8e4m3> || std::same_as<T, f8e5m2>;

/// Which types go together; bits only where what is done with them is said.
template <class A, class B, class C>
inline constexpr bool are_mma_types = [] {
  if constexpr (is_mma_integer<A>)
    return is_mma_integer<B> && mma_element<A>::bits == mma_element<B>::bits && std::same_as<C, int>;
  else if constexpr (is_mma_float8<A>) return is_mma_float8<B> && (std::same_as<C, float> || std::same_as<C, f16>);
  else if constexpr (std::same_as<A, double>) return std::same_as<B, double> && std::same_as<C, double>;
  else
    return std::same_as<A, B> && !std::same_as<A, b1> &&
           (std::same_as<C, float> || (std::same_as<A, f16> && std::same_as<C, f16>));
}();

/// Whether mma.sync has the shape for the types: a line of an operand is 16 or 32 bytes in 16 x 8 products, and 16 bytes
/// in 8 x 8 products of integers and bits; products of doubles are listed. Source: PTX ISA 9.0, "mma", table of shapes.
template <int M, int N, int K, class A>
inline constexpr bool is_mma_shape = [] {
  if (N != 8) return false;
  if (std::same_as<A, double>) return M == 8 ? K == 4 : M == 16 && (K == 4 || K == 8 || K == 16);
  const int line_bytes = K * mma_element<A>::bits / 8;
  return M == 16 ? line_bytes == 16 || line_bytes == 32
                 : M == 8 && line_bytes == 16 && (is_mma_integer<A> || std::same_as<A, b1>);
}();

}  // namespace detail

}  // namespace tg
