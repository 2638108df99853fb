// The types that elements of arrays can have, as numbers: what evaluates expressions is compiled once, not for each type.
#pragma once

#include <cstdint>
#include <type_traits>

#include <tg/array/diagnosis.hpp>
#include <tg/dsl/memory/element.hpp>
#include <tg/dsl/vector/narrow_float.hpp>

namespace tg::detail {

/// A type of elements.
enum class element_code : std::uint8_t { f64, f32, f16, bf16, f8e4m3, f8e5m2, s8, s16, s32, s64, u8, u16, u32, u64, boolean };

constexpr element_code integer_code(std::size_t bytes, bool is_signed) {
  using enum element_code;
  if (is_signed) return bytes == 1 ? s8 : bytes == 2 ? s16 : bytes == 4 ? s32 : s64;
  return bytes == 1 ? u8 : bytes == 2 ? u16 : bytes == 4 ? u32 : u64;
}

/// The number of T. Requires: `is_array_element<T>`.
template <class T>
inline constexpr element_code code_for = std::is_same_v<T, double>   ? element_code::f64
                                         : std::is_same_v<T, float>  ? element_code::f32
                                         : std::is_same_v<T, f16>    ? element_code::f16
                                         : std::is_same_v<T, bf16>   ? element_code::bf16
                                         : std::is_same_v<T, f8e4m3> ? element_code::f8e4m3
                                         : std::is_same_v<T, f8e5m2> ? element_code::f8e5m2
                                         : std::is_same_v<T, bool>   ? element_code::boolean
                                                                     : integer_code(sizeof(T), std::is_signed_v<T>);

/// Whether arrays can hold a T. Other numbers of the language (tf32, pairs of halves) live in kernels only.
template <class T>
inline constexpr bool is_array_element =
    scalar_type<T> && (std::is_arithmetic_v<T> || is_half<T> || std::is_same_v<T, f8e4m3> || std::is_same_v<T, f8e5m2>);

/// T, or float for a type that was refused, so that the refusal is the only error.
template <class T> using element_or_float = std::conditional_t<is_array_element<T>, T, float>;

/// Calls `f(std::type_identity<T>{})` with the type that `code` stands for.
template <class F> decltype(auto) with_element_type(element_code code, F&& f) {
  using std::type_identity;
  switch (code) {
    case element_code::f64: return f(type_identity<double>{});
    case element_code::f32: return f(type_identity<float>{});
    case element_code::f16: return f(type_identity<f16>{});
    case element_code::bf16: return f(type_identity<bf16>{});
    case element_code::f8e4m3: return f(type_identity<f8e4m3>{});
    case element_code::f8e5m2: return f(type_identity<f8e5m2>{});
    case element_code::s8: return f(type_identity<std::int8_t>{});
    case element_code::s16: return f(type_identity<std::int16_t>{});
    case element_code::s32: return f(type_identity<std::int32_t>{});
    case element_code::s64: return f(type_identity<std::int64_t>{});
    case element_code::u8: return f(type_identity<std::uint8_t>{});
    case element_code::u16: return f(type_identity<std::uint16_t>{});
    case element_code::u32: return f(type_identity<std::uint32_t>{});
    case element_code::u64: return f(type_identity<std::uint64_t>{});
    case element_code::boolean: break;
  }
  return f(type_identity<bool>{});
}

/// Calls `f(std::integral_constant<int, width>{})` with a width of 1, 2, 4 or 8.
template <class F> void with_width(int width, F&& f) {
  switch (width) {
    case 2: return f(std::integral_constant<int, 2>{});
    case 4: return f(std::integral_constant<int, 4>{});
    case 8: return f(std::integral_constant<int, 8>{});
    default: return f(std::integral_constant<int, 1>{});
  }
}

constexpr int bytes_of(element_code code) {
  using enum element_code;
  switch (code) {
    case f64:
    case s64:
    case u64: return 8;
    case f32:
    case s32:
    case u32: return 4;
    case f16:
    case bf16:
    case s16:
    case u16: return 2;
    case f8e4m3:
    case f8e5m2:
    case s8:
    case u8:
    case boolean: break;
  }
  return 1;
}

/// Reads `width` elements, 1, 2, 4 or 8, by one instruction; one register for each.
void load_elements(element_code code, const place& from, int width, ptx::operand* out);
/// Writes them.
void store_elements(element_code code, const place& to, int width, const ptx::operand* elements);

/// The element as bits of 32, or of 64 for types of 8 bytes: what is exchanged between threads.
ptx::operand to_bits(element_code code, const ptx::operand& element);
ptx::operand from_bits(element_code code, const ptx::operand& bits);

/// A register that changes.
ptx::operand new_variable(element_code code, const ptx::operand& first);
void set_variable(element_code code, const ptx::operand& variable, const ptx::operand& element);
ptx::operand read_variable(element_code code, const ptx::operand& variable);

/// `a` where `condition` holds, else `b`.
ptx::operand select_element(element_code code, const ptx::operand& condition, const ptx::operand& a, const ptx::operand& b);
/// A zero.
ptx::operand zero_element(element_code code);
/// A parameter of the kernel.
ptx::operand load_scalar(element_code code);

}  // namespace tg::detail
