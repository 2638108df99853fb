// cvt between all types.
#pragma once

#include <tg/emulator/decode/decode_half.hpp>
#include <tg/ptx/ir/token_name.hpp>

namespace tg::emulator {

namespace detail {

/// The integer as wide as the slot of a `t`, with its sign.
inline lane_type word_of(lane_type t) {
  const bool is_long = slot_bytes(t) == 8;
  return is_signed(t) ? (is_long ? lane_type::s64 : lane_type::s32) : (is_long ? lane_type::u64 : lane_type::u32);
}

inline std::int64_t lowest(lane_type t) { return is_signed(t) ? -(std::int64_t{1} << (width_bits(t) - 1)) : 0; }
inline std::int64_t highest(lane_type t) {
  return static_cast<std::int64_t>(~std::uint64_t{0} >> (64 - width_bits(t) + (is_signed(t) ? 1 : 0)));
}

/// `value`, a whole word of type `t`, cut to the range of the integer type `to`.
inline slot_ref clamped(decoder& d, slot_ref value, lane_type t, lane_type to) {
  const slot_ref made = d.spare(t);
  const bool is_low_needed = is_signed(t) && (!is_signed(to) || width_bits(to) < width_bits(t));
  const bool is_high_needed = width_bits(to) - is_signed(to) < width_bits(t) - is_signed(t);
  slot_ref now = value;
  if (is_low_needed) d.lanes(lane_op::max, t, made, {now, d.number(lowest(to), t)}), now = made;
  if (is_high_needed) d.lanes(lane_op::min, t, made, {now, d.number(highest(to), t)}), now = made;
  return now;
}

/// The low bits of `value` that type `t` has, extended to the register `to`.
inline void extend_to(decoder& d, slot_ref to, slot_ref value, lane_type t) {
  value = d.narrowed(value, t);
  d.convert(to.bytes == 8 ? lane_type::u64 : lane_type::u32, t, to, value);
}

inline void convert_integers(decoder& d, const ptx::instruction& i, lane_type to, lane_type from, slot_ref result, slot_ref a) {
  if (i.has(ptx::token::sat)) {
    const lane_type word = word_of(from);
    const slot_ref whole = d.spare(word);
    extend_to(d, whole, a, from);
    const slot_ref cut = clamped(d, whole, word, to);
    return extend_to(d, result, cut, width_bits(to) <= width_bits(word) ? to : word);
  }
  if (width_bits(to) <= width_bits(from)) return extend_to(d, result, a, to);
  if (width_bits(to) == 8u * result.bytes || is_signed(from) == is_signed(to)) return extend_to(d, result, a, from);
  const slot_ref whole = d.spare(to);
  extend_to(d, whole, a, from);
  extend_to(d, result, whole, to);
}

inline lane_op rounding_of(const ptx::instruction& i) {
  using ptx::token;
  return i.has(token::rni)   ? lane_op::round_even
         : i.has(token::rzi) ? lane_op::round_zero
         : i.has(token::rmi) ? lane_op::round_down
         : i.has(token::rpi) ? lane_op::round_up
                             : lane_op::copy;
}

/// The largest number of a type that `.satfinite` keeps results within.
inline float largest_of(ptx::token t) {
  using ptx::token;
  switch (t) {
    case token::f16: return 65504.0f;
    case token::bf16: return 0x1.fep127f;
    case token::tf32: return 0x1.ffcp127f;
    case token::e4m3: return 448.0f;
    default: return 57344.0f;  // e5m2
  }
}

/// An f32 or f64, limited as the instruction says, rounded to a float of type `to`.
inline void narrow_float(decoder& d, const ptx::instruction& i, ptx::token to, slot_ref result, slot_ref value, lane_type t) {
  using ptx::token;
  value = limited(d, i, value, t, largest_of(to));
  const std::uint32_t rounding = floating_mode::rounding_of(i);
  if (to == token::tf32)
    return d.lanes(i.has(token::rna) ? lane_op::narrow_tf32_away : lane_op::narrow_tf32, t, result, {value}, rounding);
  if (to == token::e4m3 || to == token::e5m2)
    return d.lanes(to == token::e4m3 ? lane_op::narrow_e4m3 : lane_op::narrow_e5m2, t, result, {value}, rounding);
  if (to_lane_type(to) == t) return d.lanes(lane_op::copy, t, result, {value});
  const bool is_half = is_half_type(to);
  d.convert(to_lane_type(to), t, result, value, is_half ? rounding : floating_mode::of(i));
}

/// A whole word to f32 or f64. Vector code may round an unsigned zero down to -0: there the sign goes in a step of its
/// own.
inline void float_from_word(decoder& d, const ptx::instruction& i, lane_type to, lane_type word, slot_ref result, slot_ref a) {
  const std::uint32_t mode = floating_mode::of(i);
  if (is_signed(word) || !i.has(ptx::token::rm)) return d.convert(to, word, result, a, mode);
  const slot_ref made = d.spare(to);
  d.convert(to, word, made, a, mode);
  d.lanes(lane_op::abs, to, result, {made});
}

inline void convert_from_integer(decoder& d, const ptx::instruction& i, ptx::token to, lane_type from, slot_ref result,
                                 slot_ref a) {
  const lane_type word = word_of(from);
  const bool is_half = is_half_type(to), is_long = is_half && slot_bytes(word) == 8;
  slot_ref whole = a;
  if (width_bits(from) < 32 || a.bytes != slot_bytes(from)) {
    whole = d.spare(word);
    extend_to(d, whole, a, from);
  }
  if (is_long) {
    const slot_ref kept = d.spare(word);
    d.lanes(lane_op::sticky, word, kept, {whole});
    whole = kept;
  }
  const lane_type first = is_half ? lane_type::f64 : to_lane_type(to);
  if (!is_half && !i.has(ptx::token::sat)) return float_from_word(d, i, first, word, result, whole);
  const slot_ref value = d.spare(first);
  float_from_word(d, i, first, word, value, whole);
  narrow_float(d, i, to, result, value, first);
}

/// The value of a float source, widened from a half, flushed and rounded to an integer where the form says so.
inline slot_ref float_source(decoder& d, const ptx::instruction& i, lane_type& from, slot_ref a) {
  if (from == lane_type::f16 || from == lane_type::bf16) {
    a = widened(d, a, from, lane_type::f32);
    from = lane_type::f32;
  }
  // Rounded down or up to a half, a subnormal is not flushed. Source: an H100.
  const bool is_directed_half =
      (i.has(ptx::token::rm) || i.has(ptx::token::rp)) && i.token_array[i.token_count - 2u] == ptx::token::f16;
  if (!is_directed_half) a = flushed(d, i, a, from);
  if (const lane_op round = rounding_of(i); round != lane_op::copy) {
    const slot_ref made = d.spare(from);
    d.lanes(round, from, made, {a});
    a = made;
  }
  return a;
}

inline void convert_to_integer(decoder& d, const ptx::instruction& i, lane_type to, lane_type from, slot_ref result,
                               slot_ref a) {
  a = float_source(d, i, from, a);
  const lane_type word = word_of(to);
  if (width_bits(to) >= 32 && result.bytes == slot_bytes(to)) return d.convert(word, from, result, a);
  const slot_ref whole = d.spare(word);
  d.convert(word, from, whole, a);
  slot_ref value = clamped(d, whole, word, to);
  if (from == lane_type::f64 && !is_signed(to) && width_bits(to) < width_bits(word)) {  // a NaN was clamped
    const slot_ref is_nan = d.spare(4);
    d.lanes(lane_op::nan, from, is_nan, {a, a});
    d.lanes(lane_op::select, word, whole, {d.number(std::int64_t{1} << (width_bits(to) - 1), word), value, is_nan});
    value = whole;
  }
  extend_to(d, result, value, to);
}

inline void convert_floats(decoder& d, const ptx::instruction& i, ptx::token to, lane_type from, slot_ref result, slot_ref a) {
  a = float_source(d, i, from, a);
  narrow_float(d, i, to, result, a, from);
  if (to == ptx::token::f32 && i.has(ptx::token::ftz)) d.lanes(lane_op::flush, lane_type::f32, result, {result});
}

/// The type of one of the two floats in a pair of any size.
inline ptx::token element_of(ptx::token pair) {
  using ptx::token;
  return pair == token::e4m3x2 ? token::e4m3 : pair == token::e5m2x2 ? token::e5m2 : half_of(pair);
}
inline bool is_byte_pair(ptx::token t) { return t == ptx::token::e4m3x2 || t == ptx::token::e5m2x2; }

/// low | high << bits.
inline void join(decoder& d, slot_ref to, slot_ref low, slot_ref high, unsigned bits) {
  if (bits == 16) return d.lanes(lane_op::pack, lane_type::u16, to, {low, high});
  const slot_ref moved = d.spare(4);
  d.lanes(lane_op::shl, lane_type::u32, moved, {high, d.number(bits, 4)});
  d.lanes(lane_op::or_, lane_type::u32, to, {low, moved});
}

/// Two f32, or a pair of another type, to a pair; the first of two sources goes to the upper part.
inline void convert_pair(decoder& d, const ptx::instruction& i, ptx::token to, ptx::token from, slot_ref result) {
  using ptx::token;
  slot_ref value[2];  // low, high
  if (i.operand_count == 3) {
    value[0] = d.source(i[2], lane_type::f32);
    value[1] = d.source(i[1], lane_type::f32);
  } else {
    const slot_ref both = d.source(i[1], lane_type::u32);
    const unsigned bits = is_byte_pair(from) ? 8 : 16;
    for (unsigned k = 0; k < 2; ++k) {
      const slot_ref part = d.spare(4);
      value[k] = d.spare(4);
      d.lanes(lane_op::shr, lane_type::u32, part, {both, d.number(k * bits, 4)});
      if (bits == 8)
        d.lanes(from == token::e4m3x2 ? lane_op::widen_e4m3 : lane_op::widen_e5m2, lane_type::f32, value[k], {part});
      else d.convert(lane_type::f32, to_lane_type(half_of(from)), value[k], part);
    }
  }
  const slot_ref low = d.spare(4), high = d.spare(4);
  narrow_float(d, i, element_of(to), low, value[0], lane_type::f32);
  narrow_float(d, i, element_of(to), high, value[1], lane_type::f32);
  join(d, result, low, high, is_byte_pair(to) ? 8 : 16);
}

/// cvt.pack: two s32 clamped to small integers and joined, above them what fits of c.
inline void convert_and_pack(decoder& d, const ptx::instruction& i) {
  using ptx::token;
  const token to = i.token_array[2];
  const unsigned bits = to == token::u2 || to == token::s2 ? 2 : static_cast<unsigned>(ptx::width_bits(to));
  const bool has_sign = to == token::s2 || ptx::is_signed(to);
  const std::int64_t low = has_sign ? -(std::int64_t{1} << (bits - 1)) : 0,
                     high = (std::int64_t{1} << (has_sign ? bits - 1 : bits)) - 1, kept = (std::int64_t{1} << bits) - 1;
  slot_ref part[2];
  for (std::size_t k = 0; k < 2; ++k) {
    part[k] = d.spare(4);
    d.lanes(lane_op::max, lane_type::s32, part[k], {d.source(i[2 - k], lane_type::s32), d.number(low, 4)});
    d.lanes(lane_op::min, lane_type::s32, part[k], {part[k], d.number(high, 4)});
    d.lanes(lane_op::and_, lane_type::u32, part[k], {part[k], d.number(kept, 4)});
  }
  const slot_ref result = d.result(i[0], 4);
  if (i.operand_count == 3) return join(d, result, part[0], part[1], bits);
  const slot_ref both = d.spare(4);
  join(d, both, part[0], part[1], bits);
  const slot_ref moved = d.spare(4);
  d.lanes(lane_op::shl, lane_type::u32, moved, {d.source(i[3], lane_type::u32), d.number(2 * bits, 4)});
  d.lanes(lane_op::or_, lane_type::u32, result, {both, moved});
}

inline void decode_cvt(decoder& d, const ptx::instruction& i) {
  using ptx::token;
  if (i.has(token::pack)) return convert_and_pack(d, i);
  const token to_token = i.token_array[i.token_count - 2u], from_token = i.type();
  const lane_type to = to_lane_type(to_token), from = to_lane_type(from_token);
  const slot_ref result = d.result(i[0], to);
  if (is_pair_type(to_token) || is_byte_pair(to_token)) return convert_pair(d, i, to_token, from_token, result);
  const bool to_float = is_floating(to_token) || to_token == token::tf32;
  const slot_ref a = d.source(i[1], from);
  if (!is_float(from))
    return to_float ? convert_from_integer(d, i, to_token, from, result, a) : convert_integers(d, i, to, from, result, a);
  return to_float ? convert_floats(d, i, to_token, from, result, a) : convert_to_integer(d, i, to, from, result, a);
}

}  // namespace detail

/// Returns: false when `i` is no cvt.
inline bool decode_convert(decoder& d, const ptx::instruction& i) {
  if (i.op != ptx::opcode::cvt) return false;
  detail::decode_cvt(d, i);
  return true;
}

}  // namespace tg::emulator
