// Cheaper instructions for multiplications and divisions by constants.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <initializer_list>

#include <tg/base/dynamic_array.hpp>
#include <tg/ptx/ir/opcode_table.hpp>
#include <tg/ptx/meaning/register_uses.hpp>
#include <tg/ptx/passes/division.hpp>
#include <tg/ptx/passes/insertions.hpp>

namespace tg::ptx {

/// Multiplications by 2^k become shifts, or masks where the other factor is a quotient by 2^k; integer divisions and
/// remainders by constants become shifts, masks or high multiplications; f32 and f64 divisions by ±2^k become
/// multiplications, those of 1 become `rcp`. Requires: `uses` are those of `f`, their `reads` apart.
void reduce_strength(function& f, const dynamic_array<register_use>& uses);

namespace detail {

/// Writes the sequence that computes `n / d` or `n % d` for a constant d; its last instruction has the result.
class constant_division {
 public:
  constant_division(function& f, insertions& added, std::uint32_t position)
      : f_(f),
        added_(added),
        position_(position),
        result_type_(f.registers[f.body[position][0].id].type),
        bits_(width_bits(f.body[position].type())) {}

  operand divide(const operand& n, std::uint64_t d) {
    if (std::has_single_bit(d)) return shift_right(n, std::countr_zero(d));
    const unsigned_division by = divide_unsigned_by(d, bits_);
    const operand high =
        compute(operation::mul_high(word()), {by.pre_shift == 0 ? n : shift_right(n, by.pre_shift), number(by.multiplier)});
    if (!by.adds) return by.shift == 0 ? high : shift_right(high, by.shift);
    const operand half = shift_right(compute(operation::sub(word()), {n, high}), 1);
    return shift_right(compute(operation::add(word()), {half, high}), by.shift);
  }

  operand divide(const operand& n, std::int64_t d) {
    const std::uint64_t size = magnitude(d);
    if (std::has_single_bit(size)) {
      const operand q = compute(operation::shr(signed_word()), {biased(n, size), number(std::countr_zero(size))});
      return d < 0 ? compute(operation::neg(signed_word()), {q}) : q;
    }
    const signed_division by = divide_signed_by(size, bits_);
    operand q = compute(operation::mul_high(signed_word()), {n, operand::integer(by.multiplier)});
    if (by.adds) q = compute(operation::add(signed_word()), {q, n});
    if (by.shift != 0) q = compute(operation::shr(signed_word()), {q, number(by.shift)});
    const operand below = sign_of(n);  // -1 where n is negative and q was therefore rounded away from zero
    return d < 0 ? compute(operation::sub(signed_word()), {below, q}) : compute(operation::sub(signed_word()), {q, below});
  }

  operand remain(const operand& n, std::uint64_t d) {
    if (std::has_single_bit(d)) return compute(operation::bit_and(bits_type(bits_)), {n, number(d - 1)});
    return subtract_product(n, divide(n, d), d, word());
  }

  operand remain(const operand& n, std::int64_t d) {
    const std::uint64_t size = magnitude(d);
    if (!std::has_single_bit(size)) return subtract_product(n, divide(n, d), static_cast<std::uint64_t>(d), signed_word());
    const operand whole = compute(operation::bit_and(bits_type(bits_)), {biased(n, size), number(~(size - 1))});
    return compute(operation::sub(signed_word()), {n, whole});
  }

 private:
  static std::uint64_t magnitude(std::int64_t d) {
    return d < 0 ? 0 - static_cast<std::uint64_t>(d) : static_cast<std::uint64_t>(d);
  }
  token word() const { return bits_ == 16 ? token::u16 : bits_ == 32 ? token::u32 : token::u64; }
  token signed_word() const { return bits_ == 16 ? token::s16 : bits_ == 32 ? token::s32 : token::s64; }

  template <class Integer> operand number(Integer value) const {
    return operand::integer(sign_extend(static_cast<std::int64_t>(value), bits_));
  }

  operand shift_right(const operand& n, int by) { return compute(operation::shr(word()), {n, number(by)}); }
  operand sign_of(const operand& n) { return compute(operation::shr(signed_word()), {n, number(bits_ - 1)}); }

  // n plus size - 1 where n is negative, so that dropping low bits rounds towards zero
  operand biased(const operand& n, std::uint64_t size) {
    const operand bias = shift_right(sign_of(n), bits_ - std::countr_zero(size));
    return compute(operation::add(signed_word()), {n, bias});
  }

  operand subtract_product(const operand& n, const operand& q, std::uint64_t d, token type) {
    const operand product = compute(operation::mul_low(type), {q, number(d)});
    return compute(operation::sub(type), {n, product});
  }

  operand compute(const operation& what, std::initializer_list<operand> sources) {
    return added_.compute(f_, position_, result_type_, what, sources);
  }

  function& f_;
  insertions& added_;
  std::uint32_t position_;
  token result_type_;
  int bits_;
};

// What computes `o`, if that is written once and was there before this pass.
inline const instruction* definition_of(const function& f, const dynamic_array<register_use>& uses, const operand& o) {
  return o.is_reg() && o.id < uses.size() && uses[o.id].is_value() ? &f.body[uses[o.id].definition] : nullptr;
}

// A place in the grid: below 2^31.
inline bool is_place(const instruction* n) {
  if (n == nullptr || !computes(n->op, calculation::copy) || !n->operand_array[1].is(operand_kind::special)) return false;
  const auto s = static_cast<special>(n->operand_array[1].id);
  return s >= special::tid_x && s <= special::nctaid_z;
}

// x / 2^k · 2^k, unless the quotient is read elsewhere too: then copies that are a multiple of 2^k apart share the product.
inline bool reduce_to_mask(const function& f, const dynamic_array<register_use>& uses, instruction& i, int k) {
  const instruction* quotient = definition_of(f, uses, i[1]);
  if (quotient == nullptr || !computes(quotient->op, calculation::shr) || quotient->is_guarded() || is_signed(quotient->type()))
    return false;
  if (uses[i[1].id].reads > 1) return false;
  const operand& x = quotient->operand_array[1];
  const int bits = width_bits(i.type());
  if (bits != width_bits(quotient->type()) || quotient->operand_array[2] != operand::integer(k)) return false;
  if (!x.is_reg() || (x.id < uses.size() && !uses[x.id].is_value())) return false;
  const auto ones = static_cast<std::int64_t>(~std::uint64_t{0} << k);
  instruction mask(operation::bit_and(bits_type(bits)), {i[0], x, operand::integer(sign_extend(ones, bits))});
  mask.where = i.where;
  i = mask;
  return true;
}

inline void reduce_division(function& f, insertions& added, const dynamic_array<register_use>& uses, std::uint32_t position) {
  const instruction i = f.body[position];
  constant_division by(f, added, position);
  const std::int64_t d = sign_extend(i[2].value, width_bits(i.type()));
  if (is_signed(i.type()) && !(d > 0 && is_place(definition_of(f, uses, i[1])))) {
    computes(i.op, calculation::div) ? by.divide(i[1], d) : by.remain(i[1], d);
  } else {
    const int bits = width_bits(i.type());
    const auto d = static_cast<std::uint64_t>(i[2].value) & (~std::uint64_t{0} >> (64 - bits));
    computes(i.op, calculation::div) ? by.divide(i[1], d) : by.remain(i[1], d);
  }
  added.replace(f, position);
}

// x / 2^k and x · 2^-k round the same real number.
template <class Float, class Bits> void reduce_float_division(instruction& i) {
  const auto d = std::bit_cast<Float>(static_cast<Bits>(i[2].value));
  const Float inverse = 1 / d;
  int exponent = 0;
  if (!std::isnormal(d) || !std::isnormal(inverse) || std::fabs(std::frexp(d, &exponent)) != Float(0.5)) return;
  i.op = operation::mul(token::rn, i.type()).op;
  i[2].value = static_cast<std::int64_t>(std::bit_cast<Bits>(inverse));
}

inline bool is_one(const operand& o) {
  return (o.is(operand_kind::f32) && o.value == std::bit_cast<std::int32_t>(1.0f)) ||
         (o.is(operand_kind::f64) && o.value == std::bit_cast<std::int64_t>(1.0));
}

inline void reduce_to_reciprocal(instruction& i) {
  i.op = opcode::rcp;
  i[1] = i[2];
  i[2] = {};
  i.operand_count = 2;
}

}  // namespace detail

inline void reduce_strength(function& f, const dynamic_array<register_use>& uses) {
  insertions added;
  for (std::uint32_t n = 0, end = f.body_size(); n < end; ++n) {
    instruction& i = f.body[n];
    if (computes(i.op, calculation::div) && i.has(token::rn) && i[2].is_reg() && detail::is_one(i[1]))
      detail::reduce_to_reciprocal(i);
    const bool is_division = computes(i.op, calculation::div) || computes(i.op, calculation::rem);
    if ((!is_division && !computes(i.op, calculation::mul)) || i.is_guarded() || !i[2].is_immediate()) continue;
    if (computes(i.op, calculation::div) && i.has(token::rn)) {
      if (i[2].is(operand_kind::f32)) detail::reduce_float_division<float, std::uint32_t>(i);
      else if (i[2].is(operand_kind::f64)) detail::reduce_float_division<double, std::uint64_t>(i);
    } else if (is_division && is_integer(i.type()) && i[1].is_reg() && i[2].is(operand_kind::integer)) {
      if (sign_extend(i[2].value, width_bits(i.type())) != 0) detail::reduce_division(f, added, uses, n);
    } else if (computes(i.op, calculation::mul) && i.has(token::lo) && is_integer(i.type())) {
      const int bits = width_bits(i.type());
      const auto factor = static_cast<std::uint64_t>(i[2].value) & (~std::uint64_t{0} >> (64 - bits));
      if (!std::has_single_bit(factor)) continue;
      if (detail::reduce_to_mask(f, uses, i, std::countr_zero(factor))) continue;
      instruction shift(operation::shl(bits_type(bits)), {i[0], i[1], operand::integer(std::countr_zero(factor))});
      shift.where = i.where;
      i = shift;
    }
  }
  added.apply(f);
}

}  // namespace tg::ptx
