// Algebra on one instruction: x + 0, x * 1, x ^ x, (x + 1) + 2 and the like, for integers and predicates; for floats
// only what holds for every value, NaN and -0 included.
#pragma once

#include <bit>
#include <cstdint>
#include <initializer_list>
#include <utility>

#include <tg/base/dynamic_array.hpp>
#include <tg/ptx/ir/opcode_table.hpp>
#include <tg/ptx/meaning/register_uses.hpp>

namespace tg::ptx {

/// Rewrites instructions of one function in place, each into one that is equal and no dearer.
class identities {
 public:
  identities(function& f, const dynamic_array<register_use>& uses) : f_(f), uses_(uses) {}

  /// Immediates last where the order is free; a comparison with the immediate first is turned round; x - 1 is x + -1.
  void normalise(instruction& i) const {
    if (i.operand_count < 3) return;
    if (i[2].is_immediate()) {
      if (computes(i.op, calculation::sub)) subtract_constant(i);
      return;
    }
    if (!i[1].is_immediate()) return;
    if (has_trait(i.op, trait::commutative) || (computes(i.op, calculation::compare) && turn_round(i.token_array[0])))
      std::swap(i[1], i[2]);
  }

  /// Requires: normalised.
  void simplify(instruction& i) const {
    if (i.is_guarded() || i.operand_count < 3 || !i[0].is_reg() || i.has(token::sat) || i.has(token::cc)) return;
    if (computes(i.op, calculation::select)) return simplify_select(i);
    if (is_float(i.type())) return simplify_float(i);
    if (!is_word(i.type())) return;
    if (computes(i.op, calculation::compare)) return simplify_comparison(i);
    if (i[2].is(operand_kind::integer)) simplify_constant(i);
    else if (i[1] == i[2] && i[1].is_reg()) simplify_equal(i);
  }

  /// Makes `i` a mov of `source`, a register or an immediate, to its result.
  void become_copy(instruction& i, const operand& source) const {
    const token type = f_.registers[i[0].id].type;
    if (source.is_reg() && !can_replace(f_, i[0].id, source.id)) return;
    const bool has_mov = is_word(type) || is_float(type);
    become(i, operation::copy(has_mov ? type : register_class(type)), {source});
  }

 private:
  static bool turn_round(token& comparison) {
    switch (comparison) {
      case token::lt: comparison = token::gt; return true;
      case token::gt: comparison = token::lt; return true;
      case token::le: comparison = token::ge; return true;
      case token::ge: comparison = token::le; return true;
      case token::lo: comparison = token::hi; return true;
      case token::hi: comparison = token::lo; return true;
      case token::ls: comparison = token::hs; return true;
      case token::hs: comparison = token::ls; return true;
      case token::ltu: comparison = token::gtu; return true;
      case token::gtu: comparison = token::ltu; return true;
      case token::leu: comparison = token::geu; return true;
      case token::geu: comparison = token::leu; return true;
      case token::eq:
      case token::ne:
      case token::equ:
      case token::neu:
      case token::num:
      case token::nan: return true;
      default: return false;
    }
  }

  static void subtract_constant(instruction& i) {
    if (!is_word(i.type()) || !i[2].is(operand_kind::integer) || i.has(token::sat) || i.has(token::cc)) return;
    i.op = operation::add(i.type()).op;
    i[2].value = sign_extend(static_cast<std::int64_t>(0 - static_cast<std::uint64_t>(i[2].value)), width_bits(i.type()));
  }

  void become(instruction& i, const operation& what, std::initializer_list<operand> sources) const {
    instruction out(what, {i[0]});
    for (const operand& source : sources) out.add(source);
    out.where = i.where;
    out.access = i.access;
    i = out;
  }

  void become_integer(instruction& i, std::int64_t value) const { become_copy(i, operand::integer(value)); }

  void simplify_constant(instruction& i) const {
    const int bits = width_bits(i.type());
    const std::int64_t c = sign_extend(i[2].value, bits);
    const bool is_low = i.has(token::lo);
    switch (calculation_of(i.op)) {
      case calculation::add:
        if (c == 0) return become_copy(i, i[1]);
        return join(i, [](auto x, auto y) { return x + y; });
      case calculation::mul:
        if (c == 0) return become_integer(i, 0);
        if (!is_low) return;
        if (c == 1) return become_copy(i, i[1]);
        return join(i, [](auto x, auto y) { return x * y; });
      case calculation::bit_and:
        if (c == 0) return become_integer(i, 0);
        if (c == -1) return become_copy(i, i[1]);
        return join(i, [](auto x, auto y) { return x & y; });
      case calculation::bit_or:
        if (c == 0) return become_copy(i, i[1]);
        if (c == -1) return become_integer(i, -1);
        return join(i, [](auto x, auto y) { return x | y; });
      case calculation::bit_xor:
        if (c == 0) return become_copy(i, i[1]);
        if (c == -1) return become(i, operation::bit_not(bits_type(bits)), {i[1]});
        return join(i, [](auto x, auto y) { return x ^ y; });
      case calculation::shl:
      case calculation::shr: {
        const auto count = static_cast<std::uint32_t>(i[2].value);
        if (count == 0) return become_copy(i, i[1]);
        if (count >= static_cast<std::uint32_t>(bits) && (computes(i.op, calculation::shl) || !is_signed(i.type())))
          return become_integer(i, 0);
        return;
      }
      case calculation::div:
        if (c == 1) return become_copy(i, i[1]);
        return;
      case calculation::rem:
        if (c == 1) return become_integer(i, 0);
        return;
      default: return;
    }
  }

  // (x op c1) op c2 is x op (c1 op c2).
  template <class Op> void join(instruction& i, const Op& value) const {
    if (!is_value(uses_, i[1])) return;
    const instruction& inner = f_.body[uses_[i[1].id].definition];
    if (inner.op != i.op || inner.is_guarded() || width_bits(inner.type()) != width_bits(i.type())) return;
    if (!is_word(inner.type()) || inner.has(token::sat) || inner.has(token::cc)) return;
    if (computes(i.op, calculation::mul) && !inner.has(token::lo)) return;
    if (!is_value(uses_, inner[1]) || !inner[2].is(operand_kind::integer)) return;
    i[1] = inner[1];
    const auto joined = value(static_cast<std::uint64_t>(inner[2].value), static_cast<std::uint64_t>(i[2].value));
    i[2].value = sign_extend(static_cast<std::int64_t>(joined), width_bits(i.type()));
    simplify_constant(i);  // what is joined may be 0
  }

  void simplify_equal(instruction& i) const {
    switch (calculation_of(i.op)) {
      case calculation::sub:
      case calculation::bit_xor: return become_integer(i, 0);
      case calculation::bit_and:
      case calculation::bit_or: return become_copy(i, i[1]);
      case calculation::min:
      case calculation::max:
        if (!i.has(token::relu)) become_copy(i, i[1]);
        return;
      default: return;
    }
  }

  void simplify_comparison(instruction& i) const {
    if (i.token_count != 2 || !i[1].is_reg()) return;
    if (i[2].is(operand_kind::integer) && !is_signed(i.type())) compare_with_zero(i);
    if (i[1] != i[2]) return;
    switch (i.token_array[0]) {
      case token::eq:
      case token::le:
      case token::ge:
      case token::ls:
      case token::hs: return become_integer(i, -1);
      case token::ne:
      case token::lt:
      case token::gt:
      case token::lo:
      case token::hi: return become_integer(i, 0);
      default: return;
    }
  }

  // An unsigned number is below 1 where it is 0: one spelling, so that equal conditions are found to be.
  static void compare_with_zero(instruction& i) {
    token& comparison = i.token_array[0];
    const std::int64_t c = i[2].value;
    if (c == 1 && (comparison == token::lt || comparison == token::lo)) comparison = token::eq;
    else if (c == 1 && (comparison == token::ge || comparison == token::hs)) comparison = token::ne;
    else if (c == 0 && (comparison == token::gt || comparison == token::hi)) comparison = token::ne;
    else if (c == 0 && (comparison == token::le || comparison == token::ls)) comparison = token::eq;
    else return;
    i[2].value = 0;
  }

  void simplify_select(instruction& i) const {
    if (i[1] == i[2]) return become_copy(i, i[1]);
    if (i[3].is_immediate()) become_copy(i, (i[3].value != 0) != i[3].negated ? i[1] : i[2]);
  }

  void simplify_float(instruction& i) const {
    if (i.has(token::ftz) || i.has(token::rz) || i.has(token::rm) || i.has(token::rp) || i.has(token::approx)) return;
    const operand& c = i[2];
    if (!c.is(operand_kind::f32) && !c.is(operand_kind::f64)) return;
    const bool is_single = c.is(operand_kind::f32);
    const double value = is_single ? std::bit_cast<float>(static_cast<std::uint32_t>(c.value)) : std::bit_cast<double>(c.value);
    const bool is_zero = value == 0.0;
    const bool is_negative = (c.value & (is_single ? 0x80000000ll : INT64_MIN)) != 0;
    switch (calculation_of(i.op)) {
      case calculation::add:
        if (is_zero && is_negative) become_copy(i, i[1]);
        return;
      case calculation::sub:
        if (is_zero && !is_negative) become_copy(i, i[1]);
        return;
      case calculation::mul:
      case calculation::div:
        if (value == 1.0 && !i.has(token::full)) return become_copy(i, i[1]);
        if (value == -1.0 && !i.has(token::full)) return become(i, operation::neg(i.type()), {i[1]});
        return;
      case calculation::fused_mul_add:
        if (value == 1.0) become(i, operation::add(token::rn, i.type()), {i[1], i[3]});
        return;
      default: return;
    }
  }

  function& f_;
  const dynamic_array<register_use>& uses_;
};

}  // namespace tg::ptx
