// Integer and floating-point arithmetic: what each PTX form is made of.
#pragma once

#include <tg/emulator/decode/decode_half.hpp>

namespace tg::emulator {

namespace detail {

/// add.cc, addc, sub.cc, subc, mad.cc, madc: the sum of a product or value with the carry flag in and out. After a
/// difference the flag is set where nothing was borrowed: compilers add it with addc to see the sign of a difference.
inline void with_carry(decoder& d, const ptx::instruction& i, lane_op op, slot_ref a, slot_ref b, bool takes_carry, lane_type t,
                       slot_ref to) {
  const slot_ref out = i.has(ptx::token::cc) ? d.carry() : d.spare(4);
  const slot_ref in = takes_carry ? d.carry() : d.number(op == lane_op::sub_borrow ? 1 : 0, 4);
  operation& made = d.append(action::lanes);
  made.run = d.handler(op, t);
  made.result_count = 2;
  for (const slot_ref s : {to, out, a, b, in}) d.add_slot(made, s);
}

inline void decode_sum(decoder& d, const ptx::instruction& i, lane_op op) {
  const ptx::token type = i.type();
  const lane_type t = to_lane_type(type);
  const slot_ref a = d.source(i[1], t), b = d.source(i[2], t), to = d.result(i[0], t);
  if (is_floating(type)) return float_operation(d, i, op, type, to, {a, b});
  const bool takes_carry = i.op == ptx::opcode::addc || i.op == ptx::opcode::subc;
  if (takes_carry || i.has(ptx::token::cc))
    return with_carry(d, i, op == lane_op::add ? lane_op::add_carry : lane_op::sub_borrow, a, b, takes_carry, t, to);
  if (is_pair_type(type))
    return each_half(d, to, std::array{a, b}, [&](slot_ref half, sources parts) { d.lanes(op, lane_type::u16, half, parts); });
  if (i.has(ptx::token::sat)) op = op == lane_op::add ? lane_op::add_sat : lane_op::sub_sat;
  d.lanes(op, t, to, {a, b});
}

/// mul and mad of integers.
inline void decode_product(decoder& d, const ptx::instruction& i, bool adds) {
  const lane_type t = to_lane_type(i.type());
  const bool is_wide = i.has(ptx::token::wide), is_high = i.has(ptx::token::hi);
  const lane_type result_type = !is_wide ? t : width_bits(t) == 16 ? lane_type::u32 : lane_type::u64;
  const slot_ref a = d.source(i[1], t), b = d.source(i[2], t);
  const slot_ref to = d.result(i[0], result_type);
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

/// min and max of two or three numbers of one type.
inline void decode_minimum_of(decoder& d, const ptx::instruction& i, lane_op op, ptx::token type, slot_ref to, sources from) {
  using ptx::token;
  lane_type t = to_lane_type(type);
  if (!is_floating(type)) {
    d.lanes(op, t, to, from);
    if (i.has(token::relu)) d.lanes(lane_op::max, t, to, {to, d.number(0, t)});
    return;
  }
  const lane_type inner = is_half_type(type) ? lane_type::f32 : t;
  const slot_ref sign = d.spare(4), result = d.spare(inner);
  std::array<slot_ref, 3> value;
  for (std::size_t k = 0; k < from.size(); ++k) {
    value[k] = flushed(d, i, from[k], t);
    if (inner != t) value[k] = widened(d, value[k], t, inner);
  }
  if (i.has(token::xorsign)) {
    d.lanes(lane_op::xor_, lane_type::u32, sign, {from[0], from[1]});
    if (inner != t) d.lanes(lane_op::shl, lane_type::u32, sign, {sign, d.number(16, 4)});
  }
  if (i.has(token::abs))
    for (std::size_t k = 0; k < from.size(); ++k) {
      const slot_ref size = d.spare(inner);
      d.lanes(lane_op::abs, inner, size, {value[k]});
      value[k] = size;
    }
  const lane_op with_nan = op == lane_op::min ? lane_op::min_nan : lane_op::max_nan;
  if (i.has(token::NaN)) op = with_nan;
  d.lanes(op, inner, result, {value[0], value[1]});
  if (from.size() == 3) d.lanes(op, inner, result, {result, value[2]});
  if (i.has(token::xorsign)) {
    d.lanes(lane_op::copysign, inner, result, {sign, result});
    d.lanes(with_nan, inner, result, {result, result});  // a NaN has no sign
  }
  if (inner == t) return d.lanes(lane_op::copy, t, to, {result});
  d.convert(t, inner, to, result);
}

inline void decode_minimum(decoder& d, const ptx::instruction& i, lane_op op) {
  const ptx::token type = i.type();
  const lane_type t = to_lane_type(type);
  std::array<slot_ref, 3> from;
  const std::size_t count = i.operand_count - 1u;
  for (std::size_t k = 0; k < count; ++k) from[k] = d.source(i[k + 1], t);
  const slot_ref to = d.result(i[0], t);
  const sources all = sources(from).first(count);
  if (!is_pair_type(type)) return decode_minimum_of(d, i, op, type, to, all);
  each_half(d, to, all, [&](slot_ref half, sources parts) { decode_minimum_of(d, i, op, half_of(type), half, parts); });
}

/// abs and neg of a half by its sign bit. NaN loses its own bits. Source: an H100.
inline void half_sign(decoder& d, const ptx::instruction& i, lane_op op, lane_type t, slot_ref to, slot_ref a) {
  const slot_ref is_nan = d.spare(4), turned = d.spare(4), wide = widened(d, a, t, lane_type::f32);
  d.lanes(op == lane_op::neg ? lane_op::xor_ : lane_op::and_not, lane_type::u32, turned,
          {flushed(d, i, a, t), d.number(0x8000, 4)});
  d.lanes(lane_op::nan, lane_type::f32, is_nan, {wide, wide});
  d.lanes(lane_op::select, lane_type::u32, to, {d.number(0x7fff, 4), turned, is_nan});
}

/// abs and neg.
inline void decode_sign(decoder& d, const ptx::instruction& i, lane_op op) {
  const ptx::token type = i.type();
  const lane_type t = to_lane_type(type);
  slot_ref a = d.source(i[1], t);
  const slot_ref to = d.result(i[0], t);
  const bool is_pair = is_pair_type(type);
  if (is_half_type(type)) return half_sign(d, i, op, t, to, a);
  if (!is_pair) return d.lanes(op, t, to, {flushed(d, i, a, t)});
  const lane_type half_type = to_lane_type(half_of(type));
  each_half(d, to, {&a, 1}, [&](slot_ref half, sources part) { half_sign(d, i, op, half_type, half, part[0]); });
}

inline void decode_division(decoder& d, const ptx::instruction& i) {
  const lane_type t = to_lane_type(i.type());
  const lane_op op = i.has(ptx::token::approx) ? lane_op::div_approx
                     : i.has(ptx::token::full) ? lane_op::div_full
                                               : lane_op::div;
  const slot_ref a = d.source(i[1], t), b = d.source(i[2], t), to = d.result(i[0], t);
  if (is_float(t)) return float_operation(d, i, op, i.type(), to, {a, b});
  d.lanes(op, t, to, {a, b});
}

/// sqrt, rcp, rsqrt, sin, cos, ex2, lg2, tanh.
inline void decode_function(decoder& d, const ptx::instruction& i, lane_op op) {
  const ptx::token type = i.type();
  const lane_type t = to_lane_type(type);
  if (t == lane_type::f64 && i.has(ptx::token::approx) && i.has(ptx::token::ftz))
    op = op == lane_op::rcp ? lane_op::rcp_high : lane_op::rsqrt_high;
  const slot_ref a = d.source(i[1], t);
  float_operation(d, i, op, type, d.result(i[0], t), {a});
}

}  // namespace detail

/// Returns: false when `i` is no arithmetic.
inline bool decode_arithmetic(decoder& d, const ptx::instruction& i) {
  using ptx::opcode;
  using namespace detail;
  const ptx::token type = i.type();
  const lane_type t = to_lane_type(type);
  const auto two = [&](lane_op op) { d.lanes(op, t, d.result(i[0], t), {d.source(i[1], t), d.source(i[2], t)}); };
  switch (i.op) {
    case opcode::add:
    case opcode::addc: decode_sum(d, i, lane_op::add); return true;
    case opcode::sub:
    case opcode::subc: decode_sum(d, i, lane_op::sub); return true;
    case opcode::mul:
      if (!is_floating(type)) decode_product(d, i, false);
      else float_operation(d, i, lane_op::mul, type, d.result(i[0], t), {d.source(i[1], t), d.source(i[2], t)});
      return true;
    case opcode::mad:
    case opcode::madc:
    case opcode::fma:
      if (!is_floating(type)) decode_product(d, i, true);
      else
        float_operation(d, i, lane_op::fma, type, d.result(i[0], t), {d.source(i[1], t), d.source(i[2], t), d.source(i[3], t)});
      return true;
    case opcode::mul24: decode_product_24(d, i, false); return true;
    case opcode::mad24: decode_product_24(d, i, true); return true;
    case opcode::div: decode_division(d, i); return true;
    case opcode::rem: two(lane_op::rem); return true;
    case opcode::min: decode_minimum(d, i, lane_op::min); return true;
    case opcode::max: decode_minimum(d, i, lane_op::max); return true;
    case opcode::abs: decode_sign(d, i, lane_op::abs); return true;
    case opcode::neg: decode_sign(d, i, lane_op::neg); return true;
    case opcode::sad:
      d.lanes(lane_op::sad, t, d.result(i[0], t), {d.source(i[1], t), d.source(i[2], t), d.source(i[3], t)});
      return true;
    case opcode::copysign: two(lane_op::copysign); return true;
    case opcode::sqrt: decode_function(d, i, lane_op::sqrt); return true;
    case opcode::rcp: decode_function(d, i, lane_op::rcp); return true;
    case opcode::rsqrt: decode_function(d, i, lane_op::rsqrt); return true;
    case opcode::sin: decode_function(d, i, lane_op::sin); return true;
    case opcode::cos: decode_function(d, i, lane_op::cos); return true;
    case opcode::ex2: decode_function(d, i, lane_op::ex2); return true;
    case opcode::lg2: decode_function(d, i, lane_op::lg2); return true;
    case opcode::tanh: decode_function(d, i, lane_op::tanh); return true;
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
    default: return false;
  }
}

}  // namespace tg::emulator
