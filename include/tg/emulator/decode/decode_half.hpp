// Floating-point operations of every type: halves are widened and rounded back once, pairs are run half by half.
#pragma once

#include <tg/emulator/decode/decoder.hpp>
#include <tg/emulator/image/oob_nan.hpp>

namespace tg::emulator::detail {

using sources = std::span<const slot_ref>;

using ptx::half_of;
using ptx::is_floating;
using ptx::is_half_type;

inline bool is_pair_type(ptx::token t) { return half_of(t) != ptx::token::none; }

/// A half as f32 or f64; exact.
inline slot_ref widened(decoder& d, slot_ref a, lane_type from, lane_type to) {
  const slot_ref single = d.spare(lane_type::f32);
  d.convert(lane_type::f32, from, single, a);
  if (to == lane_type::f32) return single;
  const slot_ref wide = d.spare(lane_type::f64);
  d.convert(lane_type::f64, lane_type::f32, wide, single);
  return wide;
}

inline slot_ref upper_half(decoder& d, slot_ref a) {
  const slot_ref high = d.spare(4);
  d.lanes(lane_op::shr, lane_type::u32, high, {a, d.number(16, 4)});
  return high;
}

/// Runs `half(to, sources)` for the lower and the upper halves.
template <class Half> void each_half(decoder& d, slot_ref to, sources from, Half half) {
  std::array<slot_ref, 3> upper;
  for (std::size_t k = 0; k < from.size(); ++k) upper[k] = upper_half(d, from[k]);
  const slot_ref low = d.spare(4), high = d.spare(4);
  half(low, from);
  half(high, sources(upper).first(from.size()));
  d.lanes(lane_op::pack, lane_type::u16, to, {low, high});
}

/// Subnormals as zeros where the instruction says `.ftz`.
inline slot_ref flushed(decoder& d, const ptx::instruction& i, slot_ref a, lane_type t) {
  if (!i.has(ptx::token::ftz) || t == lane_type::f64) return a;
  const slot_ref made = d.spare(t);
  if (t == lane_type::bf16) {  // as large as those of f32
    d.lanes(lane_op::flush, lane_type::f32, made, {widened(d, a, t, lane_type::f32)});
    d.convert(t, lane_type::f32, made, made);
  } else {
    d.lanes(lane_op::flush, t, made, {a});
  }
  return made;
}

/// f32 or f64 within what `.sat`, `.relu` and `.satfinite` leave; `largest` is that of the type it will be rounded to.
inline slot_ref limited(decoder& d, const ptx::instruction& i, slot_ref a, lane_type t, float largest = 0) {
  const auto apply = [&](lane_op op, std::initializer_list<slot_ref> from) {
    const slot_ref made = d.spare(t);
    d.lanes(op, t, made, from);
    a = made;
  };
  if (i.has(ptx::token::sat)) apply(lane_op::saturate, {a});
  if (i.has(ptx::token::relu)) apply(lane_op::max_nan, {a, d.number(0, t)});
  if (i.has(ptx::token::satfinite)) {
    apply(lane_op::min_nan, {a, d.number(std::bit_cast<std::int32_t>(largest), t)});
    apply(lane_op::max_nan, {a, d.number(std::bit_cast<std::int32_t>(-largest), t)});
  }
  return a;
}

/// `a`, or zero where a factor is the half that tensor copies fill with, of either sign. Source of the sign: an H100.
inline void zero_where_oob(decoder& d, slot_ref to, slot_ref a, sources factors) {
  const slot_ref first = d.spare(4), second = d.spare(4), either = d.spare(4), outside = d.number(oob_nan & 0xffff, 4);
  for (const auto& [is_outside, factor] : {std::pair{first, factors[0]}, {second, factors[1]}}) {
    d.lanes(lane_op::and_, lane_type::u32, is_outside, {factor, d.number(0x7fff, 4)});
    d.lanes(lane_op::eq, lane_type::u16, is_outside, {is_outside, outside});
  }
  d.lanes(lane_op::or_, lane_type::u32, either, {first, second});
  d.lanes(lane_op::and_not, lane_type::u32, to, {a, either});
}

/// `narrow`, an f16, or a zero of its sign where `value`, rounded to 11 bits, is smaller than the normal numbers: `.ftz`
/// flushes by what the number would be without a lowest exponent. Source: an H100.
inline void flush_half(decoder& d, slot_ref to, slot_ref narrow, slot_ref value, lane_type t) {
  const slot_ref size = d.spare(t), is_small = d.spare(4), zero = d.spare(4);
  d.lanes(lane_op::abs, t, size, {value});
  const slot_ref least = t == lane_type::f64 ? d.number(std::bit_cast<std::int64_t>(0x1.ffep-15), t)
                                             : d.number(std::bit_cast<std::int32_t>(0x1.ffep-15f), t);
  d.lanes(lane_op::lt, t, is_small, {size, least});
  d.lanes(lane_op::and_, lane_type::u32, zero, {narrow, d.number(0x8000, 4)});
  d.lanes(lane_op::select, lane_type::u32, to, {zero, narrow, is_small});
}

/// op in f32, or an fma in f64 to odd, so that the half is the exact result rounded once.
/// Source of exactness: 24 >= 2 * 11 + 2 bits.
inline void half_operation(decoder& d, const ptx::instruction& i, lane_op op, lane_type t, slot_ref to, sources from) {
  const bool is_fma = op == lane_op::fma;
  const lane_type inner = is_fma ? lane_type::f64 : lane_type::f32;
  std::array<slot_ref, 3> wide;
  for (std::size_t k = 0; k < from.size(); ++k) wide[k] = widened(d, flushed(d, i, from[k], t), t, inner);
  const slot_ref result = d.spare(inner);
  const std::uint32_t rounding = floating_mode::rounding_of(i);
  const bool is_odd = is_fma && rounding == 0;  // twice in one other direction is once
  d.lanes(is_odd ? lane_op::fma_odd : op, inner, result, sources(wide).first(from.size()), rounding);
  const bool flushes = i.has(ptx::token::ftz), guards = i.has(ptx::token::oob);
  const slot_ref narrow = flushes || guards ? d.spare(t) : to;
  const slot_ref value = limited(d, i, result, inner);
  d.convert(t, inner, narrow, value, rounding);
  if (flushes) flush_half(d, to, narrow, value, inner);
  if (guards) zero_where_oob(d, to, narrow, from.first(2));
}

/// to = op(from) with the instruction's rounding, flushing and limits.
inline void float_operation(decoder& d, const ptx::instruction& i, lane_op op, ptx::token type, slot_ref to, sources from) {
  if (is_pair_type(type))
    return each_half(d, to, from, [&](slot_ref half, sources parts) { float_operation(d, i, op, half_of(type), half, parts); });
  const lane_type t = to_lane_type(type);
  if (is_half_type(type)) return half_operation(d, i, op, t, to, from);
  if (!i.has(ptx::token::sat)) return d.lanes(op, t, to, from, floating_mode::of(i));
  const slot_ref made = d.spare(t);
  d.lanes(op, t, made, from, floating_mode::of(i));
  d.lanes(lane_op::saturate, t, to, {made});
}
inline void float_operation(decoder& d, const ptx::instruction& i, lane_op op, ptx::token type, slot_ref to,
                            std::initializer_list<slot_ref> from) {
  float_operation(d, i, op, type, to, sources(from.begin(), from.size()));
}

}  // namespace tg::emulator::detail
