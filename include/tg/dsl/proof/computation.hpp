// What an instruction that only computes, or loads, leaves in its registers: forms where they follow from the operands, else
// data.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include <tg/base/dynamic_array.hpp>
#include <tg/dsl/proof/arithmetic.hpp>
#include <tg/dsl/proof/values.hpp>
#include <tg/ptx/ir/function.hpp>
#include <tg/ptx/ir/opcode_table.hpp>
#include <tg/ptx/meaning/effect.hpp>

namespace tg::proof {

/// Carries out instructions of a function on its registers.
class computation {
 public:
  computation(const ptx::function& f, values& v)
      : function_(f), values_(v), arithmetic_(v.unknowns(), v.as_numbers()), needed_(f.registers.size(), ptx::no_index) {
    dynamic_array<bool> is_set(f.registers.size());
    is_variable_ = dynamic_array<bool>(f.registers.size());
    for (const ptx::instruction& i : f.body)
      if (ptx::result_count(i) > 0 && i[0].is_reg() && std::exchange(is_set[i[0].id], true)) is_variable_[i[0].id] = true;
  }

  /// Carries out an instruction that only computes.
  void operator()(const ptx::instruction& i) {
    if (i.operand_count == 0 || ptx::result_count(i) == 0) return;
    if (!i[0].is_reg()) return set_parts(i);
    needed_[i[0].id] = is_variable_[i[0].id] ? ptx::no_index : needed_of(i);
    values_.set(i[0].id, result_of(i));
  }

 private:
  form number_of(const ptx::operand& o, ptx::token type) {
    if (o.kind == ptx::operand_kind::integer)
      return values_.as_number(constant(o.value), ptx::width_bits(type), ptx::is_signed(type));
    return values_.as_number(values_.form_of(o), ptx::width_bits(type), ptx::is_signed(type), is_cut(o, type));
  }

  // The register is wider than what is read of it.
  bool is_cut(const ptx::operand& o, ptx::token type) const {
    return o.is_reg() && ptx::width_bits(function_.registers[o.id].type) > ptx::width_bits(type);
  }

  void set_parts(const ptx::instruction& i) {
    if (i[0].kind != ptx::operand_kind::vector && i[0].kind != ptx::operand_kind::pair) return;
    const bool is_uniform = are_uniform(i);
    for (const ptx::operand& part : function_.parts(i[0]))
      if (part.is_reg()) values_.set(part.id, values::data(is_uniform));
  }

  // Whether all sources are the same in all threads.
  bool are_uniform(const ptx::instruction& i) const {
    for (std::size_t k = 1; k < i.operand_count; ++k) {
      const ptx::operand& o = i[k];
      if (o.uses_reg() && !values_.is_uniform(values_[o.id])) return false;
      if (o.kind == ptx::operand_kind::special) {
        const auto s = static_cast<ptx::special>(o.id);
        if (s < ptx::special::ntid_x || ptx::detail::is_changing(s) || s == ptx::special::laneid) return false;
      }
      if (o.kind == ptx::operand_kind::vector)
        for (const ptx::operand& part : function_.parts(o))
          if (part.is_reg() && !values_.is_uniform(values_[part.id])) return false;
    }
    return true;
  }

  value result_of(const ptx::instruction& i) {
    const ptx::effect does = ptx::effect_of(i);
    if (ptx::is_load(i.op) && i.has(ptx::token::param)) {
      if (ptx::is_float(i.type()) || i.type() == ptx::token::f16 || i.is_guarded()) return values::data(!i.is_guarded());
      const bool is_stride = values_.is_row_stride(i[1].id);
      return values_.integer(values_.read_parameter(i[1].id, i.type()), is_stride);
    }
    if (ptx::is_load(i.op) && does <= ptx::effect::reads_memory && !i.is_guarded()) return loaded(i);
    // A barrier that votes gives the same to all threads that meet at it.
    if (ptx::has_trait(i.op, ptx::trait::meets_block) && i.has(ptx::token::red)) return voted(i);
    if (does != ptx::effect::pure) return values::data(false);
    if (i.is_guarded()) return values::data(false);
    if (ptx::computes(i.op, ptx::calculation::compare)) return compared(i);
    if (i.type() == ptx::token::pred) return logical(i);
    if (ptx::computes(i.op, ptx::calculation::select)) return selected(i);
    if (ptx::computes(i.op, ptx::calculation::convert_address)) return values_.integer(values_.form_of(i[1]));
    const bool is_whole = ptx::is_word(i.type()) || ptx::width_bits(i.type()) == 8;
    if (!is_whole || i[1].kind == ptx::operand_kind::vector) return values::data(are_uniform(i));
    return whole(i);
  }

  value voted(const ptx::instruction& i) {
    conditions& known = values_.predicates();
    const auto asked = [&] { return values_.condition_of(i[i.operand_count - 1u]); };
    if (!i.is_guarded() && i.has(ptx::token::or_)) return values::predicate(known.any(asked()));
    if (!i.is_guarded() && i.has(ptx::token::and_)) return values::predicate(known.inverse(known.any(known.inverse(asked()))));
    return values::data(!i.is_guarded());
  }

  value loaded(const ptx::instruction& i) {
    const bool is_uniform = are_uniform(i);
    const int bits = ptx::width_bits(i.type());
    if (ptx::is_float(i.type()) || bits > 32 || bits == 0) return values::data(is_uniform);
    // A smaller number is extended to the register.
    const number size = number{1} << bits;
    return ptx::is_signed(i.type()) ? values_.integer(values_.fresh(is_uniform, -size / 2, size / 2 - 1))
                                    : values_.integer(values_.fresh(is_uniform, 0, size - 1));
  }

  value logical(const ptx::instruction& i) {
    const std::uint32_t a = values_.condition_of(i[1]);
    switch (ptx::calculation_of(i.op)) {
      case ptx::calculation::copy: return values::predicate(a);
      case ptx::calculation::bit_not: return values::predicate(values_.predicates().inverse(a));
      case ptx::calculation::bit_and: return values::predicate(values_.predicates().both(a, values_.condition_of(i[2])));
      case ptx::calculation::bit_or: return values::predicate(values_.predicates().either(a, values_.condition_of(i[2])));
      default: return values::predicate(values_.predicates().data(are_uniform(i)));
    }
  }

  value selected(const ptx::instruction& i) {
    const std::uint32_t choice = values_.condition_of(i[3]);
    if (!ptx::is_word(i.type()) || values_.has_rows(i[1]) || values_.has_rows(i[2])) return values::data(are_uniform(i));
    const value a = values_.integer(values_.form_of(i[1])), b = values_.integer(values_.form_of(i[2]));
    return values_.blend(choice, a, b);
  }

  // The condition without which the result is 0: of a number that is selected beside 0, and of bits of such a number.
  std::uint32_t needed_of(const ptx::instruction& i) {
    if (i.is_guarded() || !ptx::is_word(i.type()) || i.type() == ptx::token::pred || !i[1].is_reg() || i.operand_count < 3)
      return ptx::no_index;
    if (ptx::computes(i.op, ptx::calculation::bit_and)) return needed_[i[1].id];
    const bool is_beside_zero = ptx::computes(i.op, ptx::calculation::select) && is_zero(i[2]);
    return is_beside_zero ? values_.condition_of(i[3]) : ptx::no_index;
  }
  static bool is_zero(const ptx::operand& o) { return o.kind == ptx::operand_kind::integer && o.value == 0; }

  value compared(const ptx::instruction& i) {
    const value found = compared_as_numbers(i);
    const bool is_not_zero = i.has(ptx::token::ne) && i.operand_count == 3 && i[1].is_reg() && is_zero(i[2]);
    if (!is_not_zero || needed_[i[1].id] == ptx::no_index) return found;
    return values::predicate(values_.predicates().both(needed_[i[1].id], found.id));
  }

  value compared_as_numbers(const ptx::instruction& i) {
    if (i.token_count != 2 || !ptx::is_word(i.type()) || i.type() == ptx::token::pred || i.operand_count != 3 ||
        values_.has_rows(i[1]) || values_.has_rows(i[2]))
      return values::predicate(values_.predicates().data(are_uniform(i)));
    const form a = number_of(i[1], i.type()), b = number_of(i[2], i.type());
    if (a.is_broken || b.is_broken || values_.unknowns().has_object(a) || values_.unknowns().has_object(b))
      return values::predicate(values_.predicates().data(are_uniform(i)));
    using ptx::token;
    const auto above = [&](const form& x, const form& y, number more) { return add(add(x, y, -1), constant(more)); };
    switch (i.token_array[0]) {
      case token::lt:
      case token::lo: return values::predicate(values_.predicates().at_most(above(a, b, 1)));
      case token::le:
      case token::ls: return values::predicate(values_.predicates().at_most(above(a, b, 0)));
      case token::gt:
      case token::hi: return values::predicate(values_.predicates().at_most(above(b, a, 1)));
      case token::ge:
      case token::hs: return values::predicate(values_.predicates().at_most(above(b, a, 0)));
      case token::eq: return values::predicate(values_.predicates().zero(above(a, b, 0)));
      case token::ne: return values::predicate(values_.predicates().inverse(values_.predicates().zero(above(a, b, 0))));
      default: return values::predicate(values_.predicates().data(are_uniform(i)));
    }
  }

  // The largest result of an instruction that takes a field of a word, or counts bits; nothing where the type says as much.
  static std::optional<number> most_of(const ptx::instruction& i) {
    const auto is_number = [&](std::size_t k) { return i.operand_count > k && i[k].kind == ptx::operand_kind::integer; };
    switch (i.op) {
      case ptx::opcode::popc:
      case ptx::opcode::clz: return ptx::width_bits(i.type());
      case ptx::opcode::bfe: {
        if (ptx::is_signed(i.type()) || !is_number(3)) return std::nullopt;
        const number count = i[3].value & 255;
        return count < 32 ? std::optional((number{1} << count) - 1) : std::nullopt;
      }
      case ptx::opcode::prmt: {
        // Bytes 4 to 7 are those of the second operand.
        if (!is_number(2) || i[2].value != 0 || !is_number(3) || i.token_count != 1) return std::nullopt;
        number most = 0;
        for (int k = 0; k < 4; ++k)
          if (const auto from = i[3].value >> (4 * k) & 15; from < 4 || from >= 8) most |= number{255} << (8 * k);
        return most;
      }
      default: return std::nullopt;
    }
  }

  // Integers.
  value whole(const ptx::instruction& i) {
    const auto unknown = [&] { return values::data(are_uniform(i)); };
    if (const auto most = most_of(i)) return values_.integer(values_.fresh(are_uniform(i), 0, *most));
    if (i.operand_count > 4 || i.has(ptx::token::sat) || i.has(ptx::token::cc)) return unknown();
    const bool has_rows_in = values_.has_rows(i[1]) || (i.operand_count > 2 && values_.has_rows(i[2])) ||
                             (i.operand_count > 3 && values_.has_rows(i[3]));
    if (ptx::computes(i.op, ptx::calculation::copy)) return values_.integer(values_.form_of(i[1]), has_rows_in);
    if (has_rows_in) {
      const auto with_rows = row_arithmetic(i);
      return with_rows && !with_rows->is_broken ? values_.integer(*with_rows, true) : unknown();
    }
    if (ptx::computes(i.op, ptx::calculation::convert)) {
      const auto to = converted(i);
      return to ? values_.integer(*to) : unknown();
    }
    const int bits = ptx::width_bits(i.type()) * (i.has(ptx::token::wide) ? 2 : 1);
    const auto found = computed(i);
    if (!found) return unknown();
    const auto kept = arithmetic::held(*found, bits);
    return kept ? values_.integer(*kept) : unknown();
  }

  // A row times its stride in bytes, added to an address. No such sum wraps around: addresses have 64 bits.
  std::optional<form> row_arithmetic(const ptx::instruction& i) {
    const auto operand = [&](std::size_t k) {
      return values_.has_rows(i[k]) ? values_.form_of(i[k]) : number_of(i[k], i.type());
    };
    switch (ptx::calculation_of(i.op)) {
      case ptx::calculation::convert_address: return values_.form_of(i[1]);
      case ptx::calculation::convert:
        return i.token_count >= 2 && ptx::width_bits(i.type()) >= 32 ? std::optional(values_.form_of(i[1])) : std::nullopt;
      case ptx::calculation::add: return add(operand(1), operand(2));
      case ptx::calculation::shl:
        if (const form by = values_.form_of(i[2]); by.is_number() && by.base >= 0 && by.base < 8)
          return scaled(values_.form_of(i[1]), number{1} << by.base);
        return std::nullopt;
      case ptx::calculation::mul:
      case ptx::calculation::mul_add: {
        if (i.has(ptx::token::hi) || (values_.has_rows(i[1]) && values_.has_rows(i[2]))) return std::nullopt;
        const auto product = values_.unknowns().product(operand(1), operand(2));
        if (!product || ptx::computes(i.op, ptx::calculation::mul)) return product;
        return add(*product, values_.has_rows(i[3]) || i.has(ptx::token::wide) ? values_.form_of(i[3]) : operand(3));
      }
      default: return std::nullopt;
    }
  }

  std::optional<form> converted(const ptx::instruction& i) {
    if (i.token_count < 2) return std::nullopt;
    const ptx::token from = i.type(), to = i.token_array[i.token_count - 2u];
    const auto is_integer = [](ptx::token t) { return ptx::is_integer(t) || t == ptx::token::u8 || t == ptx::token::s8; };
    if (!is_integer(from) || !is_integer(to)) return std::nullopt;
    const form f = values_.form_of(i[1]);
    if (values_.unknowns().has_object(f)) return f;
    const form number = values_.as_number(f, ptx::width_bits(from), ptx::is_signed(from), is_cut(i[1], from));
    // Bits above those of `to` are an extension of it where the register has them.
    return values_.as_number(number, ptx::width_bits(to), ptx::is_signed(to),
                             ptx::width_bits(to) < ptx::width_bits(from) || is_cut(i[0], to));
  }

  std::optional<form> computed(const ptx::instruction& i) {
    using ptx::token;
    const bool is_part = i.has(token::hi) || i.has(token::wide);
    const int bits = ptx::width_bits(i.type());
    const form raw_a = values_.form_of(i[1]);
    const form raw_b = i.operand_count > 2 ? values_.form_of(i[2]) : form{};
    switch (ptx::calculation_of(i.op)) {
      case ptx::calculation::add: return add(raw_a, raw_b);
      case ptx::calculation::sub:
        // A large unsigned constant is written as a number below 0. From it, or subtracted as such, the difference would look
        // like one that leaves its type.
        if (i.type() == token::u32)
          return add(raw_a.is_exact() ? number_of(i[1], i.type()) : raw_a, raw_b.is_exact() ? number_of(i[2], i.type()) : raw_b,
                     -1);
        return add(raw_a, raw_b, -1);
      case ptx::calculation::neg: return scaled(raw_a, -1);
      case ptx::calculation::bit_not:
        // ~x of an unsigned x is the largest number of the type less x, which is not below 0.
        if (values_.lowest(raw_a) < 0) return add(constant(-1), raw_a, -1);
        if (bits > 32) break;
        return add(constant((number{1} << bits) - 1), raw_a, -1);
      case ptx::calculation::mul:
        if (!is_part) return arithmetic_.product(raw_a, raw_b, bits);
        if (i.has(token::wide)) return values_.unknowns().product(number_of(i[1], i.type()), number_of(i[2], i.type()));
        break;
      case ptx::calculation::mul_add: {
        if (i.has(token::hi)) break;
        const auto both = is_part ? values_.unknowns().product(number_of(i[1], i.type()), number_of(i[2], i.type()))
                                  : arithmetic_.product(raw_a, raw_b, bits);
        return both ? std::optional(add(*both, values_.form_of(i[3]))) : std::nullopt;
      }
      case ptx::calculation::shl: {
        const form by = values_.as_number(raw_b, 32, false);
        if (by.is_number() && by.base >= bits) return constant(0);
        if (by.is_number()) return arithmetic_.product(raw_a, constant(number{1} << std::min<number>(by.base, 60)), bits);
        break;
      }
      case ptx::calculation::bit_and:
      case ptx::calculation::bit_or:
      case ptx::calculation::bit_xor:
        if (const auto known = arithmetic_.of_bits(i, raw_a, raw_b, bits)) return known;
        break;
      default: break;
    }
    if (values_.unknowns().has_object(raw_a) || values_.unknowns().has_object(raw_b)) return std::nullopt;
    const form a = values_.as_number(raw_a, bits, ptx::is_signed(i.type()));
    const bool is_shift = ptx::computes(i.op, ptx::calculation::shr) || ptx::computes(i.op, ptx::calculation::shl);
    const form b = i.operand_count < 3 ? form{}
                   : is_shift          ? values_.as_number(raw_b, 32, false)
                                       : values_.as_number(raw_b, bits, ptx::is_signed(i.type()));
    const form c = i.operand_count > 3 ? values_.form_of(i[3]) : form{};
    return arithmetic_.of(i, a, b, c);
  }

  const ptx::function& function_;
  values& values_;
  arithmetic arithmetic_;
  dynamic_array<std::uint32_t> needed_;  // for each register: the condition without which it is 0
  dynamic_array<bool> is_variable_;      // registers that more than one instruction sets
};

}  // namespace tg::proof
