// Widths and kinds of the PTX types.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>

#include <tg/base/fixed_array.hpp>
#include <tg/ptx/ir/token.hpp>

namespace tg::ptx {

namespace detail {

constexpr int measured_bits(token t) {
  switch (t) {
    case token::pred:
    case token::b1: return 1;
    case token::s4:
    case token::u4: return 4;
    case token::b8:
    case token::u8:
    case token::s8:
    case token::e4m3:
    case token::e5m2: return 8;
    case token::b16:
    case token::u16:
    case token::s16:
    case token::f16:
    case token::bf16:
    case token::e4m3x2:
    case token::e5m2x2:
    case token::ue8m0x2: return 16;
    case token::b32:
    case token::u32:
    case token::s32:
    case token::f32:
    case token::f16x2:
    case token::bf16x2:
    case token::u16x2:
    case token::s16x2:
    case token::tf32: return 32;
    case token::b64:
    case token::u64:
    case token::s64:
    case token::f64: return 64;
    case token::b128: return 128;
    default: return 0;
  }
}

inline constexpr auto widths = [] {
  fixed_array<std::uint8_t, token_count> out{};
  for (std::size_t t = 0; t < out.size(); ++t) out[t] = static_cast<std::uint8_t>(measured_bits(static_cast<token>(t)));
  return out;
}();

constexpr token untyped(int bits) {
  switch (bits) {
    case 1: return token::pred;
    case 8: return token::b8;
    case 16: return token::b16;
    case 32: return token::b32;
    case 64: return token::b64;
    case 128: return token::b128;
    default: return token::none;
  }
}

// What passes ask of every instruction takes one load.
inline constexpr auto integers = [] {
  fixed_array<bool, token_count> out{};
  for (const token t : {token::u16, token::s16, token::u32, token::s32, token::u64, token::s64})
    out[static_cast<std::size_t>(t)] = true;
  return out;
}();
inline constexpr auto words = [] {
  fixed_array<bool, token_count> out = integers;
  for (const token t : {token::b16, token::b32, token::b64, token::pred}) out[static_cast<std::size_t>(t)] = true;
  return out;
}();
inline constexpr auto register_classes_of_types = [] {
  fixed_array<token, token_count> out{};
  for (std::size_t t = 0; t < out.size(); ++t) out[t] = untyped(widths[t]);
  for (const token t : {token::f32, token::f64}) out[static_cast<std::size_t>(t)] = t;
  return out;
}();

}  // namespace detail

/// Bits of a value of type `t`; 1 for `.pred`, 0 for a token that is no type.
constexpr int width_bits(token t) { return detail::widths[static_cast<std::size_t>(t)]; }

/// Whether a token is a type.
constexpr bool is_type(token t) { return width_bits(t) != 0; }

/// Whether a type is a signed integer.
constexpr bool is_signed(token t) {
  return t == token::s4 || t == token::s8 || t == token::s16 || t == token::s32 || t == token::s64;
}

/// An integer of 16 to 64 bits that arithmetic takes: `.u16`, `.s64` and those between.
constexpr bool is_integer(token t) { return detail::integers[static_cast<std::size_t>(t)]; }

/// What fills an integer register or a predicate: such an integer, `.b16` to `.b64`, `.pred`.
constexpr bool is_word(token t) { return detail::words[static_cast<std::size_t>(t)]; }

/// `.f32` and `.f64`, the types whose registers and immediates are floating point.
constexpr bool is_float(token t) { return t == token::f32 || t == token::f64; }

/// The type of both halves of a pair, `none` for other types.
constexpr token half_of(token t) {
  switch (t) {
    case token::f16x2: return token::f16;
    case token::bf16x2: return token::bf16;
    case token::u16x2: return token::u16;
    case token::s16x2: return token::s16;
    default: return token::none;
  }
}

/// Whether a type is f16 or bf16.
constexpr bool is_half_type(token t) { return t == token::f16 || t == token::bf16; }

/// Floating point of any width, pairs of halves included.
constexpr bool is_floating(token t) { return is_float(t) || is_half_type(t) || is_half_type(half_of(t)); }

/// The untyped token as wide as `bits`: b8 … b128, pred for 1.
constexpr token bits_type(int bits) { return detail::untyped(bits); }

/// The type a register of type `t` is declared with: pred, b8, b16, b32, b64, b128, f32, f64.
constexpr token register_class(token t) { return detail::register_classes_of_types[static_cast<std::size_t>(t)]; }

/// `value` as the low `bits` bits of it are written in an operand: sign-extended.
constexpr std::int64_t sign_extend(std::int64_t value, int bits) {
  return bits <= 0 || bits >= 64 ? value
                                 : static_cast<std::int64_t>(static_cast<std::uint64_t>(value) << (64 - bits)) >> (64 - bits);
}

}  // namespace tg::ptx
