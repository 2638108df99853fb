// Logic, shifts, bit fields, comparisons and selections.
#pragma once

#include <tg/emulator/decode/decode_arithmetic.hpp>

namespace tg::emulator {

namespace detail {

/// to = a `how` b as a predicate.
inline void compare(decoder& d, const ptx::instruction& i, ptx::token how, ptx::token type, slot_ref to, slot_ref a,
                    slot_ref b) {
  using ptx::token;
  lane_type t = to_lane_type(type);
  if (is_half_type(type)) {
    a = widened(d, flushed(d, i, a, t), t, lane_type::f32);
    b = widened(d, flushed(d, i, b, t), t, lane_type::f32);
    t = lane_type::f32;
  }
  const std::uint32_t mode = floating_mode::of(i);
  switch (how) {
    case token::eq: return d.lanes(lane_op::eq, t, to, {a, b}, mode);
    case token::ne: return d.lanes(lane_op::ne, t, to, {a, b}, mode);
    case token::lt:
    case token::lo: return d.lanes(lane_op::lt, t, to, {a, b}, mode);
    case token::le:
    case token::ls: return d.lanes(lane_op::le, t, to, {a, b}, mode);
    case token::gt:
    case token::hi: return d.lanes(lane_op::lt, t, to, {b, a}, mode);
    case token::ge:
    case token::hs: return d.lanes(lane_op::le, t, to, {b, a}, mode);
    case token::equ: return d.lanes(lane_op::equ, t, to, {a, b}, mode);
    case token::neu: return d.lanes(lane_op::neu, t, to, {a, b}, mode);
    case token::ltu: return d.lanes(lane_op::ltu, t, to, {a, b}, mode);
    case token::leu: return d.lanes(lane_op::leu, t, to, {a, b}, mode);
    case token::gtu: return d.lanes(lane_op::ltu, t, to, {b, a}, mode);
    case token::geu: return d.lanes(lane_op::leu, t, to, {b, a}, mode);
    case token::num: return d.lanes(lane_op::num, t, to, {a, b}, mode);
    case token::nan: return d.lanes(lane_op::nan, t, to, {a, b}, mode);
    default: d.refuse();
  }
}

/// `.and .or .xor` of a comparison with a predicate, or no such token.
inline lane_op joining(const ptx::instruction& i) {
  return i.has(ptx::token::and_)   ? lane_op::and_
         : i.has(ptx::token::or_)  ? lane_op::or_
         : i.has(ptx::token::xor_) ? lane_op::xor_
                                   : lane_op::copy;
}

/// The comparison of an instruction, joined with its predicate: of a pair, both halves.
struct comparison {
  slot_ref holds;
  slot_ref second;  // that of the upper halves; of one value: the opposite comparison
};
inline comparison compared(decoder& d, const ptx::instruction& i) {
  const ptx::token type = i.type();
  const lane_type t = to_lane_type(type);
  const slot_ref a = d.source(i[1], t), b = d.source(i[2], t);
  const comparison made{d.spare(4), d.spare(4)};
  if (const ptx::token half = half_of(type); half != ptx::token::none) {
    compare(d, i, i.token_array[0], half, made.holds, a, b);
    compare(d, i, i.token_array[0], half, made.second, upper_half(d, a), upper_half(d, b));
  } else {
    compare(d, i, i.token_array[0], type, made.holds, a, b);
    d.lanes(lane_op::not_, lane_type::u32, made.second, {made.holds});
  }
  const lane_op join = joining(i);
  if (join == lane_op::copy) return made;
  const slot_ref c = d.predicate(i[3]);
  d.lanes(join, lane_type::u32, made.holds, {made.holds, c});
  d.lanes(join, lane_type::u32, made.second, {made.second, c});
  return made;
}

inline void decode_setp(decoder& d, const ptx::instruction& i) {
  const lane_type t = to_lane_type(i.type());
  const bool is_pair = i[0].kind == ptx::operand_kind::pair;
  if (!is_pair && joining(i) == lane_op::copy && !is_pair_type(i.type()))
    return compare(d, i, i.token_array[0], i.type(), d.result(i[0], 4), d.source(i[1], t), d.source(i[2], t));
  const comparison made = compared(d, i);
  d.lanes(lane_op::copy, lane_type::u32, d.result(is_pair ? d.function().parts(i[0])[0] : i[0], 4), {made.holds});
  if (is_pair) d.lanes(lane_op::copy, lane_type::u32, d.result(d.function().parts(i[0])[1], 4), {made.second});
}

/// set: all ones or 1.0 where the comparison holds.
inline void decode_set(decoder& d, const ptx::instruction& i) {
  using ptx::token;
  const token type = i.token_array[i.token_count - 2u];
  const comparison made = compared(d, i);
  const slot_ref to = d.result(i[0], 4);
  const auto one_of = [](token t) -> std::int64_t {
    return t == token::f32 ? 0x3f800000 : t == token::f16 ? 0x3c00 : t == token::bf16 ? 0x3f80 : -1;
  };
  if (!is_pair_type(i.type())) return d.lanes(lane_op::and_, lane_type::u32, to, {made.holds, d.number(one_of(type), 4)});
  const slot_ref both = d.spare(4), ones = d.number((one_of(half_of(type)) & 0xffff) * 0x10001, 4);
  d.lanes(lane_op::pack, lane_type::u16, both, {made.holds, made.second});
  d.lanes(lane_op::and_, lane_type::u32, to, {both, ones});
}

inline void decode_slct(decoder& d, const ptx::instruction& i) {
  const lane_type t = to_lane_type(i.token_array[i.token_count - 2u]), by = to_lane_type(i.type());
  const slot_ref holds = d.spare(4), zero = d.number(0, by);
  d.lanes(lane_op::le, by, holds, {zero, d.source(i[3], by)}, floating_mode::of(i));
  d.lanes(lane_op::select, t, d.result(i[0], t), {d.source(i[1], t), d.source(i[2], t), holds});
}

inline void decode_testp(decoder& d, const ptx::instruction& i) {
  using ptx::token;
  const lane_type t = to_lane_type(i.type());
  const slot_ref a = d.source(i[1], t);
  const ptx::token what = i.token_array[0];
  const lane_op op = what == token::finite       ? lane_op::finite
                     : what == token::infinite   ? lane_op::infinite
                     : what == token::number     ? lane_op::number
                     : what == token::notanumber ? lane_op::notanumber
                     : what == token::normal     ? lane_op::normal
                                                 : lane_op::subnormal;
  d.lanes(op, t, d.result(i[0], 4), {a, a});
}

/// shf: the amount clamped to 32 or wrapped at 32.
inline void decode_funnel(decoder& d, const ptx::instruction& i) {
  const slot_ref amount = d.spare(4), given = d.source(i[3], lane_type::u32);
  if (i.has(ptx::token::clamp)) d.lanes(lane_op::min, lane_type::u32, amount, {given, d.number(32, 4)});
  else d.lanes(lane_op::and_, lane_type::u32, amount, {given, d.number(31, 4)});
  d.lanes(i.has(ptx::token::l) ? lane_op::funnel_left : lane_op::funnel_right, lane_type::u32, d.result(i[0], 4),
          {d.source(i[1], lane_type::u32), d.source(i[2], lane_type::u32), amount});
}

inline void decode_prmt(decoder& d, const ptx::instruction& i) {
  using ptx::token;
  const lane_op op = i.has(token::f4e)    ? lane_op::prmt_f4e
                     : i.has(token::b4e)  ? lane_op::prmt_b4e
                     : i.has(token::rc8)  ? lane_op::prmt_rc8
                     : i.has(token::ecl)  ? lane_op::prmt_ecl
                     : i.has(token::ecr)  ? lane_op::prmt_ecr
                     : i.has(token::rc16) ? lane_op::prmt_rc16
                                          : lane_op::prmt;
  d.lanes(op, lane_type::u32, d.result(i[0], 4),
          {d.source(i[1], lane_type::u32), d.source(i[2], lane_type::u32), d.source(i[3], lane_type::u32)});
}

/// lop3, and with `.and` or `.or` whether its result is not zero, joined with a predicate.
inline void decode_lop3(decoder& d, const ptx::instruction& i) {
  const lane_op join = joining(i);
  const bool is_joined = join != lane_op::copy;
  const auto source = [&](std::size_t k) { return d.source(i[k], lane_type::u32); };
  const slot_ref result = is_joined ? d.spare(4) : d.result(i[0], 4);
  d.lanes(lane_op::lop3, lane_type::u32, result, {source(1), source(2), source(3), source(4)});
  if (!is_joined) return;
  const auto parts = d.function().parts(i[0]);
  const slot_ref holds = d.spare(4);
  d.lanes(lane_op::ne, lane_type::u32, holds, {result, d.number(0, 4)});
  d.lanes(join, lane_type::u32, holds, {holds, d.predicate(i[5])});
  d.lanes(lane_op::copy, lane_type::u32, d.result(parts[0], 4), {result});
  d.lanes(lane_op::copy, lane_type::u32, d.result(parts[1], 4), {holds});
}

/// szext: the lowest bits as a signed or unsigned number.
inline void decode_extension(decoder& d, const ptx::instruction& i) {
  const slot_ref count = d.spare(4), given = d.source(i[2], lane_type::u32);
  if (i.has(ptx::token::wrap)) d.lanes(lane_op::and_, lane_type::u32, count, {given, d.number(31, 4)});
  else d.lanes(lane_op::min, lane_type::u32, count, {given, d.number(32, 4)});
  const lane_type t = to_lane_type(i.type());
  d.lanes(lane_op::bfe, t, d.result(i[0], 4), {d.source(i[1], t), d.number(0, 4), count});
}

inline void decode_mask(decoder& d, const ptx::instruction& i) {
  slot_ref position = d.source(i[1], lane_type::u32), length = d.source(i[2], lane_type::u32);
  if (i.has(ptx::token::wrap))
    for (slot_ref* s : {&position, &length}) {
      const slot_ref wrapped = d.spare(4);
      d.lanes(lane_op::and_, lane_type::u32, wrapped, {*s, d.number(31, 4)});
      *s = wrapped;
    }
  d.lanes(lane_op::bmsk, lane_type::u32, d.result(i[0], 4), {position, length});
}

}  // namespace detail

/// Returns: false when `i` is none of these.
inline bool decode_logic(decoder& d, const ptx::instruction& i) {
  using ptx::opcode;
  using namespace detail;
  const ptx::token type = i.type();
  const lane_type t = to_lane_type(type);
  const auto one = [&](lane_op op, lane_type result) { d.lanes(op, t, d.result(i[0], result), {d.value(i[1], type)}); };
  const auto two = [&](lane_op op) { d.lanes(op, t, d.result(i[0], t), {d.value(i[1], type), d.value(i[2], type)}); };
  const auto shift = [&](lane_op op) {
    d.lanes(op, t, d.result(i[0], t), {d.source(i[1], t), d.source(i[2], lane_type::u32)});
  };
  switch (i.op) {
    case opcode::and_: two(lane_op::and_); return true;
    case opcode::or_: two(lane_op::or_); return true;
    case opcode::xor_: two(lane_op::xor_); return true;
    case opcode::not_: one(lane_op::not_, t); return true;
    case opcode::cnot: one(lane_op::cnot, t); return true;
    case opcode::shl: shift(lane_op::shl); return true;
    case opcode::shr: shift(lane_op::shr); return true;
    case opcode::popc: one(lane_op::popc, lane_type::u32); return true;
    case opcode::clz: one(lane_op::clz, lane_type::u32); return true;
    case opcode::brev: one(lane_op::brev, t); return true;
    case opcode::bfind: one(i.has(ptx::token::shiftamt) ? lane_op::bfind_shift : lane_op::bfind, lane_type::u32); return true;
    case opcode::bfe:
      d.lanes(lane_op::bfe, t, d.result(i[0], t),
              {d.source(i[1], t), d.source(i[2], lane_type::u32), d.source(i[3], lane_type::u32)});
      return true;
    case opcode::bfi:
      d.lanes(lane_op::bfi, t, d.result(i[0], t),
              {d.source(i[1], t), d.source(i[2], t), d.source(i[3], lane_type::u32), d.source(i[4], lane_type::u32)});
      return true;
    case opcode::bmsk: decode_mask(d, i); return true;
    case opcode::lop3: decode_lop3(d, i); return true;
    case opcode::fns:
      d.lanes(lane_op::fns, lane_type::u32, d.result(i[0], 4), {d.source(i[1], t), d.source(i[2], t), d.source(i[3], t)});
      return true;
    case opcode::szext: decode_extension(d, i); return true;
    case opcode::shf: decode_funnel(d, i); return true;
    case opcode::prmt: decode_prmt(d, i); return true;
    case opcode::setp: decode_setp(d, i); return true;
    case opcode::set: decode_set(d, i); return true;
    case opcode::selp:
      d.lanes(lane_op::select, t, d.result(i[0], t), {d.source(i[1], t), d.source(i[2], t), d.predicate(i[3])});
      return true;
    case opcode::slct: decode_slct(d, i); return true;
    case opcode::testp: decode_testp(d, i); return true;
    default: return false;
  }
}

}  // namespace tg::emulator
