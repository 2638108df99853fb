// What the integer instructions compute, written once for every kind of value that is followed through a function: constants,
// possible bits, powers of two that divide, patterns of lanes. A kind of value is a domain: a class with a function for each
// operation. Modifiers and types of PTX stay here; a domain sees operations on numbers.
#pragma once

#include <tg/ptx/ir/instruction.hpp>
#include <tg/ptx/ir/opcode_table.hpp>
#include <tg/ptx/ir/type.hpp>

namespace tg::ptx {

/// How many bits the numbers of an operation have, and whether the highest is a sign.
struct word_type {
  int bits = 32;
  bool is_signed = false;
};

/// A value of which nothing is known, for types whose empty object says so.
template <class Value> constexpr Value nothing_known() { return {}; }

/// Knows nothing about any result. A domain derives from it and declares again what it knows.
template <class Value, Value (*Unknown)() = nothing_known<Value>> struct blank_domain {
  using value = Value;

  static Value unknown() { return Unknown(); }
  Value copy(const Value&) const { return unknown(); }
  Value convert(const Value&, token /*from*/, token /*to*/) const { return unknown(); }
  Value neg(const Value&, word_type) const { return unknown(); }
  Value abs(const Value&, word_type) const { return unknown(); }
  Value bit_not(const Value&) const { return unknown(); }
  Value add(const Value&, const Value&) const { return unknown(); }
  Value sub(const Value&, const Value&) const { return unknown(); }
  Value mul_low(const Value&, const Value&, word_type) const { return unknown(); }
  Value mul_high(const Value&, const Value&, word_type) const { return unknown(); }
  Value mul_wide(const Value&, const Value&, word_type) const { return unknown(); }
  Value div(const Value&, const Value&, word_type) const { return unknown(); }
  Value rem(const Value&, const Value&, word_type) const { return unknown(); }
  Value min(const Value&, const Value&, word_type) const { return unknown(); }
  Value max(const Value&, const Value&, word_type) const { return unknown(); }
  Value bit_and(const Value&, const Value&) const { return unknown(); }
  Value bit_or(const Value&, const Value&) const { return unknown(); }
  Value bit_xor(const Value&, const Value&) const { return unknown(); }
  /// Ones from bit `position` up; numbers above 31 are cut to five bits where it `wraps`.
  Value mask(const Value& /*position*/, const Value& /*count*/, bool /*wraps*/) const { return unknown(); }
  Value shl(const Value&, const Value&, word_type) const { return unknown(); }
  Value shr(const Value&, const Value&, word_type) const { return unknown(); }
};

/// The result of `i` in a domain; `of(k)` is the value of operand k. Results are not cut to the width of the register.
/// Returns: `domain.unknown()` for other instructions, and for those that saturate or have another type than a whole integer;
/// moves and conversions may have any type. A guard is taken to hold.
template <class Domain, class Source>
typename Domain::value integer_result(const instruction& i, const Domain& domain, const Source& of) {
  if (i.has(token::sat) || i.has(token::relu)) return domain.unknown();
  if (!is_word(i.type()) && !computes(i.op, calculation::copy) && !computes(i.op, calculation::convert))
    return domain.unknown();
  const word_type type{width_bits(i.type()), is_signed(i.type())};
  const auto product = [&] {
    if (i.has(token::hi)) return domain.mul_high(of(1), of(2), type);
    return i.has(token::wide) ? domain.mul_wide(of(1), of(2), type) : domain.mul_low(of(1), of(2), type);
  };
  switch (calculation_of(i.op)) {
    case calculation::copy: return domain.copy(of(1));
    case calculation::convert:
      return i.token_count < 2 ? domain.unknown() : domain.convert(of(1), i.type(), i.token_array[i.token_count - 2u]);
    case calculation::neg: return domain.neg(of(1), type);
    case calculation::abs: return domain.abs(of(1), type);
    case calculation::bit_not: return domain.bit_not(of(1));
    case calculation::add: return domain.add(of(1), of(2));
    case calculation::sub: return domain.sub(of(1), of(2));
    case calculation::mul: return product();
    case calculation::mul_add: return domain.add(product(), of(3));
    case calculation::div: return domain.div(of(1), of(2), type);
    case calculation::rem: return domain.rem(of(1), of(2), type);
    case calculation::min: return domain.min(of(1), of(2), type);
    case calculation::max: return domain.max(of(1), of(2), type);
    case calculation::bit_and: return domain.bit_and(of(1), of(2));
    case calculation::bit_or: return domain.bit_or(of(1), of(2));
    case calculation::bit_xor: return domain.bit_xor(of(1), of(2));
    case calculation::mask: return domain.mask(of(1), of(2), i.has(token::wrap));
    case calculation::shl: return domain.shl(of(1), of(2), type);
    case calculation::shr: return domain.shr(of(1), of(2), type);
    default: return domain.unknown();
  }
}

}  // namespace tg::ptx
