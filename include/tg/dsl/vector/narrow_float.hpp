// f16, bf16, tf32, f8e4m3 and f8e5m2 in the language. f16 and bf16 have arithmetic and order; the others are converted,
// moved, and given to matrix instructions. With <tg/dsl/vector/packed.hpp> two of a kind share a register.
#pragma once

// Before all others, so that compiler output about a diagnosis does not begin with a tower of headers.
#include <tg/dsl/verdict/diagnosis.hpp>

#include <tg/base/narrow_float.hpp>
#include <tg/dsl/value/bit_cast.hpp>
#include <tg/dsl/value/cast.hpp>
#include <tg/dsl/value/dense.hpp>

namespace tg {

template <> inline constexpr bool is_narrow<f16> = true;
template <> inline constexpr bool is_narrow<bf16> = true;
template <> inline constexpr bool is_narrow<tf32> = true;
template <> inline constexpr bool is_narrow<f8e4m3> = true;
template <> inline constexpr bool is_narrow<f8e5m2> = true;
template <> inline constexpr bool is_half<f16> = true;
template <> inline constexpr bool is_half<bf16> = true;

// PTX loads 16-bit floats as .b16 only. Bytes live zero-extended in 32-bit registers, as those of integers do.
template <class T> requires is_narrow<T>
inline constexpr ptx::token memory_type<T> = detail::pick<T>(ptx::token::b8, ptx::token::b16, ptx::token::b32, ptx::token::b64);
template <class T> requires is_narrow<T>
inline constexpr ptx::token bits_type<T> = is_half<T> ? ptx::token::b16 : ptx::token::b32;
template <class T> requires is_narrow<T>
inline constexpr ptx::token compute_type<T> = bits_type<T>;
template <> inline constexpr ptx::token compute_type<f16> = ptx::token::f16;
template <> inline constexpr ptx::token compute_type<bf16> = ptx::token::bf16;

namespace detail {

template <class T> inline constexpr bool is_byte_float = is_narrow<T> && sizeof(T) == 1;

/// The type of two f8 in a 16-bit register.
template <class T> inline constexpr ptx::token byte_pair = std::is_same_v<T, f8e4m3> ? ptx::token::e4m3x2 : ptx::token::e5m2x2;

// The low 16 bits of a 32-bit register in one of 16, and back: there is no arithmetic in it.
inline ptx::operand to_half_register(ptx::operand x) {
  return tracer::current().compute(ptx::token::b16, ptx::operation::convert(ptx::token::u16, ptx::token::u32), {x});
}
inline ptx::operand to_word_register(ptx::operand x) {
  return tracer::current().compute(ptx::token::b32, ptx::operation::convert(ptx::token::u32, ptx::token::u16), {x});
}

/// Two floats as a pair of f8 in a 16-bit register; past the largest they become the largest.
template <class T> ptx::operand narrow_to_byte_pair(ptx::operand low, ptx::operand high) {
  return tracer::current().compute(ptx::token::b16, ptx::opcode::cvt,
                                   {ptx::token::rn, ptx::token::satfinite, byte_pair<T>, ptx::token::f32}, {high, low});
}
/// The pair in the low half of a word.
template <class T> ptx::operand narrow_to_bytes(ptx::operand low, ptx::operand high) {
  return to_word_register(narrow_to_byte_pair<T>(low, high));
}

// f8 and tf32 are made from float alone: a double or a large integer would be rounded twice.
template <class To, class From> requires is_narrow<To>
inline constexpr bool has_cast<To, From> = is_half<To> || std::is_same_v<From, float> || is_narrow<From>;

/// Between narrow floats, and from them: every one of them is a float.
template <class To, class From> struct narrow_cast {
  static auto of(const value<From>& x) { return tg::cast<To>(narrow_cast<float, From>::of(x)); }
};

template <class From> requires is_half<From>
struct narrow_cast<float, From> {
  static value<float> of(const value<From>& x) {
    return emit_value<float, index::data>(ptx::operation::convert(ptx::token::f32, compute_type<From>), {x.operand});
  }
};
template <> struct narrow_cast<float, tf32> {
  static value<float> of(const value<tf32>& x) { return tg::bit_cast<float>(x); }
};
template <class From> requires is_byte_float<From>
struct narrow_cast<float, From> {
  static value<float> of(const value<From>& x) {
    const ptx::operand both =
        tracer::current().compute(ptx::token::b32, ptx::operation::convert(ptx::token::rn, ptx::token::f16x2, byte_pair<From>),
                                  {to_half_register(x.operand)});
    return tg::cast<float>(value<f16>{from_word<f16>(both, 0)});
  }
};

template <class To, class From> requires(is_half<To> && !is_narrow<From>)
struct narrow_cast<To, From> {
  static value<To> of(const value<From>& x) {
    if constexpr (std::is_same_v<From, bool>)
      return emit_value<To, index::data>(ptx::operation::select(bits_type<To>),
                                         {immediate(To(1)), immediate(To(0)), x.operand});
    else
      return emit_value<To, index::data>(ptx::operation::convert(ptx::token::rn, compute_type<To>, compute_type<From>),
                                         {x.operand});
  }
  template <class Form> static value<To> of(const value<From, Form>& x) { return of(value<From>{x.operand}); }
};
/// An H100 makes an infinity of a NaN whose upper bits of the fraction are zeros.
template <> struct narrow_cast<tf32, float> {
  static value<tf32> of(const value<float>& x) {
    return emit_value<tf32, index::data>(ptx::operation::convert(ptx::token::rna, ptx::token::tf32, ptx::token::f32),
                                         {x.operand});
  }
};
template <class To> requires is_byte_float<To>
struct narrow_cast<To, float> {
  static value<To> of(const value<float>& x) { return {narrow_to_bytes<To>(x.operand, ptx::operand::f32(0))}; }
};

}  // namespace detail
}  // namespace tg
