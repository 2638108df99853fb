// cvt between all types, and mov with packing and unpacking.
#pragma once

#include <tg/emulator/decode_arithmetic.hpp>

namespace tg::emulator {

namespace detail {

inline lane_type word_of(unsigned bytes, bool is_signed) {
  return bytes == 8 ? (is_signed ? lane_type::s64 : lane_type::u64) : (is_signed ? lane_type::s32 : lane_type::u32);
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

inline void convert_integers(decoder& d, const ptx::instruction& i, lane_type to, lane_type from, slot_ref result,
                             slot_ref a) {
  if (i.has(ptx::token::sat)) {
    const lane_type word = word_of(static_cast<unsigned>(slot_bytes(from)), is_signed(from));
    const slot_ref whole = d.spare(word);
    extend_to(d, whole, a, from);
    const slot_ref cut = clamped(d, whole, word, to);
    return extend_to(d, result, cut, width_bits(to) <= width_bits(word) ? to : word);
  }
  if (width_bits(to) <= width_bits(from)) return extend_to(d, result, a, to);
  if (result.bytes == slot_bytes(to) || is_signed(from) == is_signed(to)) return extend_to(d, result, a, from);
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

inline void narrow_float(decoder& d, const ptx::instruction& i, lane_type to, slot_ref result, slot_ref value,
                         lane_type t) {
  if (i.has(ptx::token::sat)) {
    const slot_ref cut = d.spare(t);
    d.lanes(lane_op::saturate, t, cut, {value});
    value = cut;
  }
  const bool is_half = to == lane_type::f16 || to == lane_type::bf16;
  if (is_half && (i.has(ptx::token::rz) || (to == lane_type::bf16 && t == lane_type::f64))) d.refuse();
  if (to == t)
    d.lanes(lane_op::copy, t, result, {value});
  else
    d.convert(to, t, result, value, floating_mode::of(i));
}

inline void convert_from_integer(decoder& d, const ptx::instruction& i, lane_type to, lane_type from, slot_ref result,
                                 slot_ref a) {
  const lane_type word = word_of(static_cast<unsigned>(slot_bytes(from)), is_signed(from));
  slot_ref whole = a;
  if (width_bits(from) < 32 || a.bytes != slot_bytes(from)) {
    whole = d.spare(word);
    extend_to(d, whole, a, from);
  }
  const lane_type first = to == lane_type::f16 ? lane_type::f64 : to == lane_type::bf16 ? lane_type::f32 : to;
  if (to == lane_type::bf16 && width_bits(from) > 16) d.refuse();
  if (first == to && !i.has(ptx::token::sat)) return d.convert(to, word, result, whole, floating_mode::of(i));
  const slot_ref value = d.spare(first);
  d.convert(first, word, value, whole, floating_mode::of(i));
  narrow_float(d, i, to, result, value, first);
}

/// The value of a float source, widened from a half, flushed and rounded to an integer where the form says so.
inline slot_ref float_source(decoder& d, const ptx::instruction& i, lane_type& from, slot_ref a) {
  if (from == lane_type::f16 || from == lane_type::bf16) {
    a = widened(d, a, from, lane_type::f32);
    from = lane_type::f32;
  }
  a = flushed(d, i, a, from);
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
  const lane_type word = word_of(static_cast<unsigned>(slot_bytes(to)), is_signed(to));
  if (width_bits(to) >= 32 && result.bytes == slot_bytes(to)) return d.convert(word, from, result, a);
  const slot_ref whole = d.spare(word);
  d.convert(word, from, whole, a);
  extend_to(d, result, clamped(d, whole, word, to), to);
}

inline void convert_floats(decoder& d, const ptx::instruction& i, lane_type to, lane_type from, slot_ref result,
                           slot_ref a) {
  a = float_source(d, i, from, a);
  narrow_float(d, i, to, result, a, from);
  if (to == lane_type::f32 && i.has(ptx::token::ftz)) d.lanes(lane_op::flush, to, result, {result});
}

inline void decode_cvt(decoder& d, const ptx::instruction& i) {
  const ptx::token to_token = i.token_array[i.token_count - 2u], from_token = i.type();
  const lane_type to = to_lane_type(to_token), from = to_lane_type(from_token);
  const slot_ref result = d.result(i[0], static_cast<unsigned>(slot_bytes(to)));
  if (is_pair_type(to_token)) {
    if (from_token != ptx::token::f32 || i.operand_count != 3 || i.has(ptx::token::relu) || i.has(ptx::token::rz) ||
        i.has(ptx::token::satfinite))
      d.refuse();
    const lane_type half = to_token == ptx::token::f16x2 ? lane_type::f16 : lane_type::bf16;
    const slot_ref low = d.spare(4), high = d.spare(4);
    d.convert(half, from, high, d.source(i[1], from));
    d.convert(half, from, low, d.source(i[2], from));
    return d.lanes(lane_op::pack, lane_type::u16, result, {low, high});
  }
  for (const ptx::token t : {to_token, from_token})
    if (!(ptx::is_float(t) || is_half_type(t) || ptx::is_signed(t) || t == ptx::token::u8 || t == ptx::token::u16 ||
          t == ptx::token::u32 || t == ptx::token::u64))
      d.refuse();
  if (i.has(ptx::token::relu) || i.has(ptx::token::satfinite)) d.refuse();
  const slot_ref a = d.source(i[1], from);
  if (!is_float(from))
    return is_float(to) ? convert_from_integer(d, i, to, from, result, a) : convert_integers(d, i, to, from, result, a);
  return is_float(to) ? convert_floats(d, i, to, from, result, a) : convert_to_integer(d, i, to, from, result, a);
}

/// mov.b64 d, {a, b} and its relations of 16 and 32 bits.
inline void decode_pack(decoder& d, const ptx::instruction& i) {
  const auto parts = d.function().parts(i[1]);
  const unsigned width = static_cast<unsigned>(ptx::width_bits(i.type())) / static_cast<unsigned>(parts.size());
  const lane_type t = width == 32 ? lane_type::u32 : lane_type::u16;
  const slot_ref to = d.result(i[0], static_cast<unsigned>(ptx::width_bits(i.type())) > 32 ? 8 : 4);
  if (width == 32) return d.lanes(lane_op::pack, lane_type::u32, to, {d.source(parts[0], t), d.source(parts[1], t)});
  if (width != 16) d.refuse();
  if (parts.size() == 2)
    return d.lanes(lane_op::pack, lane_type::u16, to, {d.source(parts[0], t), d.source(parts[1], t)});
  const slot_ref low = d.spare(4), high = d.spare(4);
  d.lanes(lane_op::pack, lane_type::u16, low, {d.source(parts[0], t), d.source(parts[1], t)});
  d.lanes(lane_op::pack, lane_type::u16, high, {d.source(parts[2], t), d.source(parts[3], t)});
  d.lanes(lane_op::pack, lane_type::u32, to, {low, high});
}

inline void decode_unpack(decoder& d, const ptx::instruction& i) {
  const auto parts = d.function().parts(i[0]);
  const lane_type whole = to_lane_type(i.type());
  const unsigned width = static_cast<unsigned>(ptx::width_bits(i.type())) / static_cast<unsigned>(parts.size());
  if (width != 16 && width != 32) d.refuse();
  const slot_ref source = d.source(i[1], whole);
  slot_ref a = source;  // kept apart: a result may be the source
  if (slot_bytes(whole) == 4) {
    a = d.spare(4);
    d.lanes(lane_op::copy, lane_type::u32, a, {source});
  }
  for (std::size_t k = 0; k < parts.size(); ++k) {
    if (parts[k].kind == ptx::operand_kind::sink) continue;
    const slot_ref to = d.result(parts[k], 4);
    if (slot_bytes(whole) == 4) {
      d.lanes(lane_op::shr, lane_type::u32, to, {a, d.number(static_cast<std::int64_t>(16 * k), 4)});
    } else if (width == 32) {
      if (k == 0)
        d.convert(lane_type::u32, lane_type::u64, to, a);
      else
        d.lanes(lane_op::copy_high, lane_type::u64, to, {a});
    } else {
      const slot_ref shifted = d.spare(8);
      d.lanes(lane_op::shr, lane_type::u64, shifted, {a, d.number(static_cast<std::int64_t>(16 * k), 4)});
      d.convert(lane_type::u32, lane_type::u64, to, shifted);
    }
  }
}

}  // namespace detail

/// Returns: false when `i` is neither cvt nor mov.
inline bool decode_convert(decoder& d, const ptx::instruction& i) {
  if (i.op == ptx::opcode::cvt) {
    detail::decode_cvt(d, i);
    return true;
  }
  if (i.op != ptx::opcode::mov) return false;
  if (ptx::width_bits(i.type()) > 64) d.refuse();
  if (i[0].kind == ptx::operand_kind::vector) {
    detail::decode_unpack(d, i);
  } else if (i[1].kind == ptx::operand_kind::vector) {
    detail::decode_pack(d, i);
  } else {
    const lane_type t = to_lane_type(i.type());
    const slot_ref to = d.result(i[0], static_cast<unsigned>(slot_bytes(t)));
    d.lanes(lane_op::copy, t, to, {d.source(i[1], t)});
  }
  return true;
}

}  // namespace tg::emulator
