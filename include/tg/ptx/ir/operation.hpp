// What an instruction does, before it has operands: an opcode with its modifiers, made by a function with the name of the
// operation. The language and the passes write `operation::mul_wide(token::u32)`, and the spelling of PTX stays here.
#pragma once

#include <tg/base/fixed_array.hpp>
#include <tg/ptx/ir/opcode.hpp>
#include <tg/ptx/ir/token.hpp>

namespace tg::ptx {

/// Opcode and modifiers in their written order; `token::none` stands for no modifier.
struct operation {
  opcode op = opcode::none;
  fixed_array<token, 3> tokens{};

  static constexpr operation copy(token type) { return {opcode::mov, {type}}; }
  static constexpr operation convert(token to, token from) { return {opcode::cvt, {to, from}}; }
  /// `how`: a rounding.
  static constexpr operation convert(token how, token to, token from) { return {opcode::cvt, {how, to, from}}; }
  /// Whether the first source has the `relation` to the second one.
  static constexpr operation compare(token relation, token type) { return {opcode::setp, {relation, type}}; }
  /// The first source where the third one holds, else the second.
  static constexpr operation select(token type) { return {opcode::selp, {type}}; }

  static constexpr operation neg(token type) { return {opcode::neg, {type}}; }
  static constexpr operation neg(token modifier, token type) { return {opcode::neg, {modifier, type}}; }
  static constexpr operation add(token type) { return {opcode::add, {type}}; }
  static constexpr operation add(token modifier, token type) { return {opcode::add, {modifier, type}}; }
  static constexpr operation sub(token type) { return {opcode::sub, {type}}; }
  static constexpr operation sub(token modifier, token type) { return {opcode::sub, {modifier, type}}; }
  /// A product of floating-point numbers.
  static constexpr operation mul(token modifier, token type) { return {opcode::mul, {modifier, type}}; }
  /// The low half of a product of integers, as wide as these.
  static constexpr operation mul_low(token type) { return {opcode::mul, {token::lo, type}}; }
  static constexpr operation mul_high(token type) { return {opcode::mul, {token::hi, type}}; }
  /// The whole product of integers of half the width of the result.
  static constexpr operation mul_wide(token type) { return {opcode::mul, {token::wide, type}}; }
  static constexpr operation min(token type) { return {opcode::min, {type}}; }
  static constexpr operation max(token type) { return {opcode::max, {type}}; }

  static constexpr operation bit_and(token type) { return {opcode::and_, {type}}; }
  static constexpr operation bit_or(token type) { return {opcode::or_, {type}}; }
  static constexpr operation bit_xor(token type) { return {opcode::xor_, {type}}; }
  static constexpr operation bit_not(token type) { return {opcode::not_, {type}}; }
  static constexpr operation shl(token type) { return {opcode::shl, {type}}; }
  /// Fills with the sign where the type has one.
  static constexpr operation shr(token type) { return {opcode::shr, {type}}; }
};

}  // namespace tg::ptx
