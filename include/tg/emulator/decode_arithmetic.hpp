// Integer and floating-point arithmetic: what each PTX form is made of.
#pragma once

#include <tg/emulator/decoder.hpp>

namespace tg::emulator {

namespace detail {

/// Two halves or one, computed as f32 or f64 and rounded back.
/// Source of exactness: 24 ≥ 2·11 + 2 bits for halves; an fma needs the 53 bits of f64.
inline slot_ref widened(decoder& d, slot_ref a, lane_type from, lane_type to) {
  const slot_ref single = d.spare(lane_type::f32);
  d.convert(lane_type::f32, from, single, a);
  if (to == lane_type::f32) return single;
  const slot_ref wide = d.spare(lane_type::f64);
  d.convert(lane_type::f64, lane_type::f32, wide, single);
  return wide;
}

inline bool is_pair_type(ptx::token t) { return t == ptx::token::f16x2 || t == ptx::token::bf16x2; }
inline bool is_half_type(ptx::token t) { return t == ptx::token::f16 || t == ptx::token::bf16; }

inline slot_ref upper_half(decoder& d, slot_ref a) {
  const slot_ref high = d.spare(4);
  d.lanes(lane_op::shr, lane_type::u32, high, {a, d.number(16, 4)});
  return high;
}

/// to = op(sources) in floating point, with the instruction's rounding, flushing and saturation.
inline void float_operation(decoder& d, const ptx::instruction& i, lane_op op, lane_type t, slot_ref to,
                            std::initializer_list<slot_ref> given) {
  const bool saturates = i.has(ptx::token::sat);
  const slot_ref unsaturated = saturates ? d.spare(t) : to;
  const slot_ref* const s = given.begin();
  const auto apply = [&](lane_type as, slot_ref result, slot_ref a, slot_ref b, slot_ref c) {
    const std::uint32_t mode = floating_mode::of(i);
    if (given.size() == 1)
      d.lanes(op, as, result, {a}, mode);
    else if (given.size() == 2)
      d.lanes(op, as, result, {a, b}, mode);
    else
      d.lanes(op, as, result, {a, b, c}, mode);
  };
  slot_ref wide[3];
  if (t == lane_type::f16 || t == lane_type::bf16) {
    if (t == lane_type::bf16 && op == lane_op::fma)
      d.refuse("is not supported by the emulator: bf16 fma needs sm_90 rounding");
    const lane_type inner = op == lane_op::fma ? lane_type::f64 : lane_type::f32;
    for (std::size_t k = 0; k < given.size(); ++k) wide[k] = widened(d, s[k], t, inner);
    const slot_ref result = d.spare(inner);
    apply(inner, result, wide[0], wide[1], wide[2]);
    if (saturates) d.lanes(lane_op::saturate, inner, result, {result});
    d.convert(t, inner, to, result);
    return;
  }
  for (std::size_t k = 0; k < given.size(); ++k) wide[k] = s[k];
  apply(t, unsaturated, wide[0], wide[1], wide[2]);
  if (saturates) d.lanes(lane_op::saturate, t, to, {unsaturated});
}

/// The same for a type that may be a pair of halves.
inline void typed_float_operation(decoder& d, const ptx::instruction& i, lane_op op, ptx::token type,
                                  std::initializer_list<slot_ref> sources, slot_ref to) {
  if (!is_pair_type(type)) return float_operation(d, i, op, to_lane_type(type), to, sources);
  const lane_type half = type == ptx::token::f16x2 ? lane_type::f16 : lane_type::bf16;
  const slot_ref* const s = sources.begin();
  slot_ref high[3];
  for (std::size_t k = 0; k < sources.size(); ++k) high[k] = upper_half(d, s[k]);
  const slot_ref low_result = d.spare(4), high_result = d.spare(4);
  float_operation(d, i, op, half, low_result, sources);
  if (sources.size() == 1)
    float_operation(d, i, op, half, high_result, {high[0]});
  else if (sources.size() == 2)
    float_operation(d, i, op, half, high_result, {high[0], high[1]});
  else
    float_operation(d, i, op, half, high_result, {high[0], high[1], high[2]});
  d.lanes(lane_op::pack, lane_type::u16, to, {low_result, high_result});
}

inline slot_ref flushed(decoder& d, const ptx::instruction& i, slot_ref a, lane_type t) {
  if (!i.has(ptx::token::ftz) || t != lane_type::f32) return a;
  const slot_ref made = d.spare(t);
  d.lanes(lane_op::flush, t, made, {a});
  return made;
}

inline bool is_floating(ptx::token t) { return ptx::is_float(t) || is_half_type(t) || is_pair_type(t); }

/// add.cc, addc, sub.cc, subc, mad.cc, madc: the sum of a product or value with the carry flag in and out.
inline void with_carry(decoder& d, const ptx::instruction& i, lane_op op, slot_ref a, slot_ref b, bool takes_carry,
                       lane_type t, slot_ref to) {
  const slot_ref out = i.has(ptx::token::cc) ? d.carry() : d.spare(4);
  const slot_ref in = takes_carry ? d.carry() : d.number(0, 4);
  operation& made = d.append(action::lanes);
  made.run = d.handler(op, t);
  made.result_count = 2;
  for (const slot_ref s : {to, out, a, b, in}) d.add_slot(made, s);
}

inline void decode_sum(decoder& d, const ptx::instruction& i, lane_op op) {
  const ptx::token type = i.type();
  const lane_type t = to_lane_type(type);
  const slot_ref a = d.source(i[1], t), b = d.source(i[2], t),
                 to = d.result(i[0], static_cast<unsigned>(slot_bytes(t)));
  if (is_floating(type)) return typed_float_operation(d, i, op, type, {a, b}, to);
  const bool takes_carry = i.op == ptx::opcode::addc || i.op == ptx::opcode::subc;
  if (takes_carry || i.has(ptx::token::cc))
    return with_carry(d, i, op == lane_op::add ? lane_op::add_carry : lane_op::sub_borrow, a, b, takes_carry, t, to);
  if (type == ptx::token::u16x2 || type == ptx::token::s16x2) d.refuse();
  if (i.has(ptx::token::sat)) op = op == lane_op::add ? lane_op::add_sat : lane_op::sub_sat;
  d.lanes(op, t, to, {a, b});
}

/// mul and mad of integers.
inline void decode_product(decoder& d, const ptx::instruction& i, bool adds) {
  const lane_type t = to_lane_type(i.type());
  const bool is_wide = i.has(ptx::token::wide), is_high = i.has(ptx::token::hi);
  const lane_type result_type = !is_wide ? t : width_bits(t) == 16 ? lane_type::u32 : lane_type::u64;
  const slot_ref a = d.source(i[1], t), b = d.source(i[2], t);
  const slot_ref to = d.result(i[0], static_cast<unsigned>(slot_bytes(result_type)));
  const lane_op multiply = is_wide ? lane_op::mul_wide : is_high ? lane_op::mul_hi : lane_op::mul;
  if (!adds) return d.lanes(multiply, t, to, {a, b});
  const slot_ref c = d.source(i[3], result_type);
  const bool takes_carry = i.op == ptx::opcode::madc;
  if (!is_wide && !is_high && !takes_carry && !i.has(ptx::token::cc)) return d.lanes(lane_op::mad, t, to, {a, b, c});
  const slot_ref product = d.spare(result_type);
  d.lanes(multiply, t, product, {a, b});
  if (takes_carry || i.has(ptx::token::cc)) return with_carry(d, i, lane_op::add_carry, product, c, takes_carry, t, to);
  d.lanes(i.has(ptx::token::sat) ? lane_op::add_sat : lane_op::add, result_type, to, {product, c});
}

/// mul24 and mad24: 24-bit factors, the low or high 32 of the 48 bits.
inline void decode_product_24(decoder& d, const ptx::instruction& i, bool adds) {
  const lane_type t = to_lane_type(i.type());
  const lane_type wide = t == lane_type::s32 ? lane_type::s64 : lane_type::u64;
  const slot_ref to = d.result(i[0], 4);
  slot_ref factor[2];
  for (int k = 0; k < 2; ++k) {
    factor[k] = d.spare(4);
    d.lanes(lane_op::shl, t, factor[k], {d.source(i[1 + static_cast<std::size_t>(k)], t), d.number(8, 4)});
    d.lanes(lane_op::shr, t, factor[k], {factor[k], d.number(8, 4)});
  }
  const slot_ref product = d.spare(8), part = adds ? d.spare(4) : to;
  d.lanes(lane_op::mul_wide, t, product, {factor[0], factor[1]});
  if (i.has(ptx::token::hi)) d.lanes(lane_op::shr, wide, product, {product, d.number(16, 4)});
  d.convert(lane_type::u32, lane_type::u64, part, product);
  if (adds) d.lanes(i.has(ptx::token::sat) ? lane_op::add_sat : lane_op::add, t, to, {part, d.source(i[3], t)});
}

inline void decode_minimum(decoder& d, const ptx::instruction& i, lane_op op) {
  const ptx::token type = i.type();
  const lane_type t = to_lane_type(type);
  if (i.operand_count != 3 || i.has(ptx::token::xorsign) || i.has(ptx::token::relu) || type == ptx::token::u16x2 ||
      type == ptx::token::s16x2)
    d.refuse();
  const slot_ref a = flushed(d, i, d.source(i[1], t), t), b = flushed(d, i, d.source(i[2], t), t);
  if (i.has(ptx::token::NaN)) op = op == lane_op::min ? lane_op::min_nan : lane_op::max_nan;
  const slot_ref to = d.result(i[0], static_cast<unsigned>(slot_bytes(t)));
  if (is_floating(type)) return typed_float_operation(d, i, op, type, {a, b}, to);
  d.lanes(op, t, to, {a, b});
}

/// abs and neg; halves by their sign bits.
inline void decode_sign(decoder& d, const ptx::instruction& i, lane_op op) {
  const ptx::token type = i.type();
  const lane_type t = to_lane_type(type);
  const slot_ref a = flushed(d, i, d.source(i[1], t), t), to = d.result(i[0], static_cast<unsigned>(slot_bytes(t)));
  if (is_half_type(type) || is_pair_type(type)) {
    const std::int64_t sign = is_pair_type(type) ? 0x80008000 : 0x8000;
    return d.lanes(op == lane_op::neg ? lane_op::xor_ : lane_op::and_not, lane_type::u32, to, {a, d.number(sign, 4)});
  }
  d.lanes(op, t, to, {a});
}

inline void decode_division(decoder& d, const ptx::instruction& i) {
  const lane_type t = to_lane_type(i.type());
  const lane_op op = i.has(ptx::token::approx) ? lane_op::div_approx
                     : i.has(ptx::token::full) ? lane_op::div_full
                                               : lane_op::div;
  const slot_ref a = d.source(i[1], t), b = d.source(i[2], t),
                 to = d.result(i[0], static_cast<unsigned>(slot_bytes(t)));
  if (is_float(t)) return float_operation(d, i, op, t, to, {a, b});
  d.lanes(op, t, to, {a, b});
}

/// sqrt, rcp, rsqrt, sin, cos, ex2, lg2, tanh.
inline void decode_function(decoder& d, const ptx::instruction& i, lane_op op) {
  const ptx::token type = i.type();
  const lane_type t = to_lane_type(type);
  if (t == lane_type::f64 && i.has(ptx::token::approx) && i.has(ptx::token::ftz))
    op = op == lane_op::rcp ? lane_op::rcp_high : lane_op::rsqrt_high;
  const slot_ref a = d.source(i[1], t);
  typed_float_operation(d, i, op, type, {a}, d.result(i[0], static_cast<unsigned>(slot_bytes(t))));
}

}  // namespace detail

/// Returns: false when `i` is no arithmetic.
inline bool decode_arithmetic(decoder& d, const ptx::instruction& i) {
  using ptx::opcode;
  using namespace detail;
  const ptx::token type = i.type();
  const lane_type t = to_lane_type(type);
  const unsigned bytes = static_cast<unsigned>(slot_bytes(t));
  const auto two = [&](lane_op op) { d.lanes(op, t, d.result(i[0], bytes), {d.source(i[1], t), d.source(i[2], t)}); };
  switch (i.op) {
    case opcode::add:
    case opcode::addc:
      decode_sum(d, i, lane_op::add);
      return true;
    case opcode::sub:
    case opcode::subc:
      decode_sum(d, i, lane_op::sub);
      return true;
    case opcode::mul:
      if (!is_floating(type))
        decode_product(d, i, false);
      else
        typed_float_operation(d, i, lane_op::mul, type, {d.source(i[1], t), d.source(i[2], t)}, d.result(i[0], bytes));
      return true;
    case opcode::mad:
    case opcode::madc:
    case opcode::fma:
      if (i.has(ptx::token::relu)) d.refuse();
      if (!is_floating(type))
        decode_product(d, i, true);
      else
        typed_float_operation(d, i, lane_op::fma, type, {d.source(i[1], t), d.source(i[2], t), d.source(i[3], t)},
                              d.result(i[0], bytes));
      return true;
    case opcode::mul24:
      decode_product_24(d, i, false);
      return true;
    case opcode::mad24:
      decode_product_24(d, i, true);
      return true;
    case opcode::div:
      decode_division(d, i);
      return true;
    case opcode::rem:
      two(lane_op::rem);
      return true;
    case opcode::min:
      decode_minimum(d, i, lane_op::min);
      return true;
    case opcode::max:
      decode_minimum(d, i, lane_op::max);
      return true;
    case opcode::abs:
      decode_sign(d, i, lane_op::abs);
      return true;
    case opcode::neg:
      decode_sign(d, i, lane_op::neg);
      return true;
    case opcode::sad:
      d.lanes(lane_op::sad, t, d.result(i[0], bytes), {d.source(i[1], t), d.source(i[2], t), d.source(i[3], t)});
      return true;
    case opcode::copysign:
      two(lane_op::copysign);
      return true;
    case opcode::sqrt:
      decode_function(d, i, lane_op::sqrt);
      return true;
    case opcode::rcp:
      decode_function(d, i, lane_op::rcp);
      return true;
    case opcode::rsqrt:
      decode_function(d, i, lane_op::rsqrt);
      return true;
    case opcode::sin:
      decode_function(d, i, lane_op::sin);
      return true;
    case opcode::cos:
      decode_function(d, i, lane_op::cos);
      return true;
    case opcode::ex2:
      decode_function(d, i, lane_op::ex2);
      return true;
    case opcode::lg2:
      decode_function(d, i, lane_op::lg2);
      return true;
    case opcode::tanh:
      decode_function(d, i, lane_op::tanh);
      return true;
    case opcode::dp4a:
    case opcode::dp2a: {
      // .atype.btype are the last two tokens
      const bool a_signed = ptx::is_signed(i.token_array[i.token_count - 2u]), b_signed = ptx::is_signed(type);
      const bool is_4 = i.op == opcode::dp4a;
      slot_ref b = d.source(i[2], t);
      if (i.has(ptx::token::hi)) b = upper_half(d, b);
      const lane_op op = is_4 ? (a_signed ? (b_signed ? lane_op::dp4a_ss : lane_op::dp4a_su)
                                          : (b_signed ? lane_op::dp4a_us : lane_op::dp4a_uu))
                              : (a_signed ? (b_signed ? lane_op::dp2a_ss : lane_op::dp2a_su)
                                          : (b_signed ? lane_op::dp2a_us : lane_op::dp2a_uu));
      d.lanes(op, lane_type::u32, d.result(i[0], 4), {d.source(i[1], t), b, d.source(i[3], t)});
      return true;
    }
    default:
      return false;
  }
}

}  // namespace tg::emulator
