// What the type of an instruction says of the numbers that lanes compute by it: signs, width, how a quotient is rounded.
#pragma once

#include <tg/analysis/arithmetic.hpp>
#include <tg/analysis/bitwise.hpp>
#include <tg/analysis/division.hpp>
#include <tg/analysis/division_cases.hpp>
#include <tg/ptx/ir/instruction.hpp>
#include <tg/ptx/ir/opcode_table.hpp>

namespace tg::detail {

/// A signed number of 32 or 64 bits.
inline bool is_signed_word(ptx::token type) { return type == ptx::token::s32 || type == ptx::token::s64; }

/// How the instruction rounds a quotient.
inline analysis::division_rule rule_of(const ptx::instruction& i) {
  return is_signed_word(i.type()) ? analysis::division_rule::towards_zero : analysis::division_rule::unsigned_;
}

/// Quotients and remainders.
inline bool is_division(const ptx::instruction& i) {
  return ptx::computes(i.op, ptx::calculation::rem) || ptx::computes(i.op, ptx::calculation::div);
}

/// A number that is the same power of two in all lanes.
inline bool is_power_of_two(const analysis::lane_value& v) {
  return analysis::is_constant(v) && analysis::is_power_of_two(v.offset[0]);
}

/// What the register that an instruction writes holds of a number.
inline analysis::lane_value in_register(const analysis::lane_value& v, const ptx::instruction& i) {
  const bool is_wide = i.type() == ptx::token::u64 || i.type() == ptx::token::s64 || i.type() == ptx::token::b64;
  return is_wide ? v : analysis::narrow(v, 32, is_signed_word(i.type()));
}

/// x divided by u in all lanes, or its remainder; not known where that has several patterns.
inline analysis::lane_value divided_at_once(const ptx::instruction& i, const analysis::lane_value& x,
                                            const analysis::lane_value& u, analysis::division_rule rule, bool is_remainder) {
  const bool rounds_down = rule == analysis::division_rule::floor_, is_signed = rule != analysis::division_rule::unsigned_;
  if (is_remainder)
    return rounds_down ? analysis::bit_and(x, analysis::constant(u.offset[0] - 1)) : analysis::mod(x, u, is_signed);
  if (!rounds_down) return analysis::div(x, u, is_signed);
  return analysis::shr(x, i[2].is(ptx::operand_kind::integer) ? analysis::constant(i[2].value) : analysis::unknown(), true);
}

}  // namespace tg::detail
