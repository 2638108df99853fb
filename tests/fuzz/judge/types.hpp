// The types of a random kernel's values, and their numbers as bits.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <type_traits>

namespace judge {

using bits = std::uint64_t;

/// A type of the language.
enum class type : std::uint8_t { b, u8, s8, u16, s16, u32, s32, u64, s64, f32, f64 };
inline constexpr int type_count = 11;

/// A tree that no C++ program corresponds to: a name that is not declared, a type that does not fit.
struct malformed : std::runtime_error { using std::runtime_error::runtime_error; };

constexpr bool is_float(type t) { return t == type::f32 || t == type::f64; }
constexpr bool is_integer(type t) { return t != type::b && !is_float(t); }
constexpr bool is_signed(type t) { return t == type::s8 || t == type::s16 || t == type::s32 || t == type::s64; }
constexpr int bytes_of(type t) {
  constexpr int bytes[] = {1, 1, 1, 2, 2, 4, 4, 8, 8, 4, 8};
  return bytes[static_cast<int>(t)];
}
constexpr int width_of(type t) { return t == type::b ? 1 : bytes_of(t) * 8; }
/// Integers that the language adds and multiplies.
constexpr bool is_word(type t) { return is_integer(t) && bytes_of(t) >= 4; }

inline const char* name_of(type t) {
  constexpr const char* names[] = {"bool", "std::uint8_t",       "std::int8_t", "std::uint16_t", "std::int16_t", "unsigned",
                                   "int",  "unsigned long long", "long long",   "float",         "double"};
  return names[static_cast<int>(t)];
}

/// Calls `f.template operator()<T>()` with the C++ type of `t`.
template <class F> decltype(auto) with_type(type t, F&& f) {
  switch (t) {
    case type::b: return f.template operator()<bool>();
    case type::u8: return f.template operator()<std::uint8_t>();
    case type::s8: return f.template operator()<std::int8_t>();
    case type::u16: return f.template operator()<std::uint16_t>();
    case type::s16: return f.template operator()<std::int16_t>();
    case type::u32: return f.template operator()<unsigned>();
    case type::s32: return f.template operator()<int>();
    case type::u64: return f.template operator()<unsigned long long>();
    case type::s64: return f.template operator()<long long>();
    case type::f32: return f.template operator()<float>();
    default: return f.template operator()<double>();
  }
}

constexpr bits mask_of(type t) { return width_of(t) == 64 ? ~bits{0} : (bits{1} << width_of(t)) - 1; }

/// The number of an integer type, widened by its own sign.
constexpr std::int64_t to_signed(type t, bits x) {
  const int unused = 64 - width_of(t);
  return is_signed(t) ? static_cast<std::int64_t>(x << unused) >> unused : static_cast<std::int64_t>(x & mask_of(t));
}

inline double to_double(type t, bits x) {
  return t == type::f32 ? static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(x))) : std::bit_cast<double>(x);
}
/// `x` in the float type `t`; every NaN is one NaN.
inline bits from_double(type t, double x) {
  if (t == type::f32) return std::isnan(x) ? 0x7fffffffu : std::bit_cast<std::uint32_t>(static_cast<float>(x));
  return std::isnan(x) ? 0x7fffffffffffffffu : std::bit_cast<bits>(x);
}

/// The bits of `x` as a C++ number of its type.
template <class T> T to_number(bits x) {
  if constexpr (std::is_same_v<T, float>) return std::bit_cast<float>(static_cast<std::uint32_t>(x));
  else if constexpr (std::is_same_v<T, double>) return std::bit_cast<double>(x);
  else return static_cast<T>(x);
}

}  // namespace judge
