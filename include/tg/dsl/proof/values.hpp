// What the registers of a kernel hold while it is proved: forms, predicates, or data. What a form is to the
// bits of a register: numbers.hpp.
//
// Rows. The rows of a matrix are taken to be 2^34 elements apart, more than any row has, and its columns to lie in
// their rows; answers that rest on it say so. A register with rows in it is only added to, scaled, and used as an
// address; anything else makes data of it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include <tg/analysis/warp.hpp>
#include <tg/dsl/proof/arithmetic.hpp>
#include <tg/dsl/proof/conditions.hpp>
#include <tg/dsl/proof/inputs.hpp>
#include <tg/dsl/proof/numbers.hpp>
#include <tg/dsl/proof/overlap.hpp>
#include <tg/dsl/proof/parameter_fact.hpp>
#include <tg/ptx/ir/function.hpp>
#include <tg/ptx/ir/opcode_table.hpp>
#include <tg/ptx/meaning/effect.hpp>

namespace tg::proof {

/// What a register holds.
struct value {
  enum class kind : std::uint8_t { nothing, data, integer, predicate };
  kind what = kind::nothing;
  bool is_uniform = false;  // of data
  bool has_rows = false;    // of an integer: a row stride has been multiplied in
  std::uint32_t id = 0;     // of a form or condition
};

/// The registers, and what instructions do to them.
class values {
 public:
  values(const ptx::function& f, analysis::block_extent block, const std::vector<parameter_fact>& parameters,
         bool assumes_no_overflow = false)
      : symbols_(static_cast<std::size_t>(block.x) * static_cast<std::size_t>(block.y) * static_cast<std::size_t>(block.z)),
        conditions_(symbols_),
        numbers_(symbols_, conditions_, assumes_no_overflow),
        arithmetic_(symbols_, numbers_),
        inputs_(symbols_, block, parameters),
        function_(f),
        parameters_(parameters),
        registers_(f.registers.size()) {}

  symbols& unknowns() { return symbols_; }
  const symbols& unknowns() const { return symbols_; }
  conditions& predicates() { return conditions_; }
  const conditions& predicates() const { return conditions_; }
  std::size_t threads() const { return symbols_.threads(); }
  bool assumes_no_overflow() const { return numbers_.assumes_no_overflow(); }
  void be_loose(bool is) {
    is_loose_ = is;
    conditions_.be_loose(is);
  }
  /// Instructions that are carried out from here on stand on this way, which lives as long as this.
  void come_by(const path& way) { numbers_.come_by(way); }

  const value& operator[](std::uint32_t reg) const { return registers_[reg]; }
  void set(std::uint32_t reg, const value& v) { registers_[reg] = v; }
  value integer(form f, bool has_rows = false) {
    forms_.push_back(std::move(f));
    return {value::kind::integer, false, has_rows, static_cast<std::uint32_t>(forms_.size() - 1)};
  }
  static value predicate(std::uint32_t condition) { return {value::kind::predicate, false, false, condition}; }
  static value data(bool is_uniform) { return {value::kind::data, is_uniform, false, 0}; }

  bool is_uniform(const value& v) const {
    if (v.what == value::kind::integer) return symbols_.shared(forms_[v.id]) <= sharing::block;
    if (v.what == value::kind::predicate) return conditions_[v.id].is_uniform;
    return v.is_uniform;
  }

  /// The number that a register holds in every thread, whatever happened before; nothing if there is none.
  const form* exact(const value& v) const {
    return v.what == value::kind::integer && !v.has_rows && forms_[v.id].is_exact() ? &forms_[v.id] : nullptr;
  }

  /// An unknown of which only the limits are known.
  form fresh(bool is_uniform, number low = -unbounded, number high = unbounded) {
    return single(symbols_.make({.shared = is_uniform ? sharing::block : sharing::thread,
                                 .low = low,
                                 .high = high,
                                 .is_data = true,
                                 .is_loose = is_loose_}));
  }

  /// What is known of an operand, modulo the width of the register that holds it.
  form form_of(const ptx::operand& o) {
    using ptx::operand_kind;
    if (o.kind == operand_kind::integer) return constant(o.value);
    if (o.kind == operand_kind::special) return of(static_cast<ptx::special>(o.id));
    if (o.kind == operand_kind::variable) return inputs_.beginning({true, o.id});
    if (o.kind == operand_kind::address) {
      if (o.base == operand_kind::none) return constant(o.value);
      return add(form_of(ptx::operand{.kind = o.base, .id = o.id}), constant(o.value));
    }
    if (!o.is_reg()) return fresh(false);
    value& v = registers_[o.id];
    if (v.what != value::kind::integer) {
      const int bits = ptx::width_bits(function_.registers[o.id].type);
      const bool is_known = v.what != value::kind::nothing && is_uniform(v);
      v = integer(bits <= 32 ? fresh(is_known, 0, (number{1} << bits) - 1) : fresh(is_known));
    }
    return forms_[v.id];
  }

  bool has_rows(const ptx::operand& o) const {
    const bool is_reg = o.is_reg() || (o.kind == ptx::operand_kind::address && o.base == ptx::operand_kind::reg);
    return is_reg && registers_[o.id].what == value::kind::integer && registers_[o.id].has_rows;
  }

  std::uint32_t condition_of(const ptx::operand& o) {
    const std::uint32_t found = [&] {
      if (o.kind == ptx::operand_kind::integer)
        return conditions_.known(o.value != 0 ? conditions_.everyone() : proof::threads{});
      value& v = registers_[o.id];
      if (v.what != value::kind::predicate) v = predicate(conditions_.data(v.what != value::kind::nothing && is_uniform(v)));
      return v.id;
    }();
    return o.negated ? conditions_.inverse(found) : found;
  }

  /// The number that `bits` bits congruent to `f` mean, as `numbers` reads it.
  form as_number(const form& f, int bits, bool with_sign, bool is_cut = false) {
    return numbers_.as_number(f, bits, with_sign, is_cut);
  }

  /// The object that an address is in; takes its beginning from the form.
  std::optional<object> object_of(form& address) const { return inputs_.object_of(address); }

  /// `then` where the condition holds, `otherwise` elsewhere.
  value blend(std::uint32_t choice, const value& then, const value& otherwise) {
    if (then.what == otherwise.what && then.id == otherwise.id && then.what != value::kind::data) return then;
    const condition& c = conditions_[choice];
    if (then.what == value::kind::predicate && otherwise.what == value::kind::predicate)
      return predicate(conditions_.chosen(choice, then.id, otherwise.id));
    const bool is_uniform = c.is_uniform && this->is_uniform(then) && this->is_uniform(otherwise);
    if (then.what != value::kind::integer || otherwise.what != value::kind::integer || then.has_rows || otherwise.has_rows ||
        symbols_.has_object(forms_[then.id]) || symbols_.has_object(forms_[otherwise.id]))
      return data(is_uniform);
    const form a = forms_[then.id], b = forms_[otherwise.id];
    if (c.what == condition::kind::known) {
      if (c.must == conditions_.everyone()) return then;
      if (c.must.none()) return otherwise;
      if (a.terms == b.terms) {
        form::column own(threads());
        for (std::size_t t = 0; t < own.size(); ++t) own[t] = c.must[t] ? a.at(t) : b.at(t);
        return integer(add(form{a.terms, 0, nullptr}, each(std::move(own))));
      }
    }
    const number low = std::min(numbers_.lowest(a), numbers_.lowest(b));
    const number high = std::max(numbers_.highest(a), numbers_.highest(b));
    return integer(fresh(is_uniform, low, high));
  }

  /// Carries out an instruction that only computes.
  void run(const ptx::instruction& i) {
    if (i.operand_count == 0 || ptx::result_count(i) == 0) return;
    if (!i[0].is_reg()) return set_parts(i);
    registers_[i[0].id] = result_of(i);
  }

 private:
  form number_of(const ptx::operand& o, ptx::token type) {
    if (o.kind == ptx::operand_kind::integer) return as_number(constant(o.value), ptx::width_bits(type), ptx::is_signed(type));
    return as_number(form_of(o), ptx::width_bits(type), ptx::is_signed(type), is_cut(o, type));
  }

  // The register is wider than what is read of it.
  bool is_cut(const ptx::operand& o, ptx::token type) const {
    return o.is_reg() && ptx::width_bits(function_.registers[o.id].type) > ptx::width_bits(type);
  }

  form of(ptx::special s) {
    if (const auto known = inputs_.of(s)) return *known;
    const bool is_wide = s == ptx::special::clock64 || s == ptx::special::globaltimer;
    return is_wide ? fresh(false) : fresh(false, 0, (number{1} << 32) - 1);
  }

  form read_parameter(std::uint32_t id, ptx::token type) {
    if (const auto known = inputs_.parameter(id, type)) return *known;
    return fresh(true);
  }

  void set_parts(const ptx::instruction& i) {
    if (i[0].kind != ptx::operand_kind::vector && i[0].kind != ptx::operand_kind::pair) return;
    const bool is_uniform = are_uniform(i);
    for (const ptx::operand& part : function_.parts(i[0]))
      if (part.is_reg()) registers_[part.id] = data(is_uniform);
  }

  // Whether all sources are the same in all threads.
  bool are_uniform(const ptx::instruction& i) const {
    for (std::size_t k = 1; k < i.operand_count; ++k) {
      const ptx::operand& o = i[k];
      if (o.uses_reg() && !is_uniform(registers_[o.id])) return false;
      if (o.kind == ptx::operand_kind::special) {
        const auto s = static_cast<ptx::special>(o.id);
        if (s < ptx::special::ntid_x || ptx::detail::is_changing(s) || s == ptx::special::laneid) return false;
      }
      if (o.kind == ptx::operand_kind::vector)
        for (const ptx::operand& part : function_.parts(o))
          if (part.is_reg() && !is_uniform(registers_[part.id])) return false;
    }
    return true;
  }

  value result_of(const ptx::instruction& i) {
    const ptx::effect does = ptx::effect_of(i);
    if (ptx::is_load(i.op) && i.has(ptx::token::param)) {
      if (ptx::is_float(i.type()) || i.type() == ptx::token::f16 || i.is_guarded()) return data(!i.is_guarded());
      const bool is_stride = i[1].id < parameters_.size() && parameters_[i[1].id].what == parameter_fact::kind::row_stride;
      return integer(read_parameter(i[1].id, i.type()), is_stride);
    }
    if (ptx::is_load(i.op) && does <= ptx::effect::reads_memory && !i.is_guarded()) return loaded(i);
    if (does != ptx::effect::pure) return data(false);
    if (i.is_guarded()) return data(false);
    if (ptx::computes(i.op, ptx::calculation::compare)) return compared(i);
    if (i.type() == ptx::token::pred) return logical(i);
    if (ptx::computes(i.op, ptx::calculation::select)) return selected(i);
    if (ptx::computes(i.op, ptx::calculation::convert_address)) return integer(form_of(i[1]));
    const bool is_whole = ptx::is_word(i.type()) || ptx::width_bits(i.type()) == 8;
    if (!is_whole || i[1].kind == ptx::operand_kind::vector) return data(are_uniform(i));
    return whole(i);
  }

  value loaded(const ptx::instruction& i) {
    const bool is_uniform = are_uniform(i);
    const int bits = ptx::width_bits(i.type());
    if (ptx::is_float(i.type()) || bits > 32 || bits == 0) return data(is_uniform);
    // A smaller number is extended to the register.
    const number size = number{1} << bits;
    return ptx::is_signed(i.type()) ? integer(fresh(is_uniform, -size / 2, size / 2 - 1))
                                    : integer(fresh(is_uniform, 0, size - 1));
  }

  value logical(const ptx::instruction& i) {
    const std::uint32_t a = condition_of(i[1]);
    switch (ptx::calculation_of(i.op)) {
      case ptx::calculation::copy: return predicate(a);
      case ptx::calculation::bit_not: return predicate(conditions_.inverse(a));
      case ptx::calculation::bit_and: return predicate(conditions_.both(a, condition_of(i[2])));
      case ptx::calculation::bit_or: return predicate(conditions_.either(a, condition_of(i[2])));
      default: return predicate(conditions_.data(are_uniform(i)));
    }
  }

  value selected(const ptx::instruction& i) {
    const std::uint32_t choice = condition_of(i[3]);
    if (!ptx::is_word(i.type()) || has_rows(i[1]) || has_rows(i[2])) return data(are_uniform(i));
    const value a = integer(form_of(i[1])), b = integer(form_of(i[2]));
    return blend(choice, a, b);
  }

  value compared(const ptx::instruction& i) {
    if (i.token_count != 2 || !ptx::is_word(i.type()) || i.type() == ptx::token::pred || i.operand_count != 3 ||
        has_rows(i[1]) || has_rows(i[2]))
      return predicate(conditions_.data(are_uniform(i)));
    const form a = number_of(i[1], i.type()), b = number_of(i[2], i.type());
    if (a.is_broken || b.is_broken || symbols_.has_object(a) || symbols_.has_object(b))
      return predicate(conditions_.data(are_uniform(i)));
    using ptx::token;
    const auto above = [&](const form& x, const form& y, number more) { return add(add(x, y, -1), constant(more)); };
    switch (i.token_array[0]) {
      case token::lt:
      case token::lo: return predicate(conditions_.at_most(above(a, b, 1)));
      case token::le:
      case token::ls: return predicate(conditions_.at_most(above(a, b, 0)));
      case token::gt:
      case token::hi: return predicate(conditions_.at_most(above(b, a, 1)));
      case token::ge:
      case token::hs: return predicate(conditions_.at_most(above(b, a, 0)));
      case token::eq: return predicate(conditions_.zero(above(a, b, 0)));
      case token::ne: return predicate(conditions_.inverse(conditions_.zero(above(a, b, 0))));
      default: return predicate(conditions_.data(are_uniform(i)));
    }
  }

  // Integers.
  value whole(const ptx::instruction& i) {
    const auto unknown = [&] { return data(are_uniform(i)); };
    if (i.operand_count > 4 || i.has(ptx::token::sat) || i.has(ptx::token::cc)) return unknown();
    const bool has_rows_in =
        has_rows(i[1]) || (i.operand_count > 2 && has_rows(i[2])) || (i.operand_count > 3 && has_rows(i[3]));
    if (ptx::computes(i.op, ptx::calculation::copy)) return integer(form_of(i[1]), has_rows_in);
    if (has_rows_in) {
      const auto with_rows = row_arithmetic(i);
      return with_rows && !with_rows->is_broken ? integer(*with_rows, true) : unknown();
    }
    if (ptx::computes(i.op, ptx::calculation::convert)) {
      const auto to = converted(i);
      return to ? integer(*to) : unknown();
    }
    const int bits = ptx::width_bits(i.type()) * (i.has(ptx::token::wide) ? 2 : 1);
    const auto found = computed(i);
    if (!found) return unknown();
    const auto kept = arithmetic::held(*found, bits);
    return kept ? integer(*kept) : unknown();
  }

  // A row times its stride in bytes, added to an address. No such sum wraps around: addresses have 64 bits.
  std::optional<form> row_arithmetic(const ptx::instruction& i) {
    const auto operand = [&](std::size_t k) { return has_rows(i[k]) ? form_of(i[k]) : number_of(i[k], i.type()); };
    switch (ptx::calculation_of(i.op)) {
      case ptx::calculation::convert_address: return form_of(i[1]);
      case ptx::calculation::convert:
        return i.token_count >= 2 && ptx::width_bits(i.type()) >= 32 ? std::optional(form_of(i[1])) : std::nullopt;
      case ptx::calculation::add: return add(operand(1), operand(2));
      case ptx::calculation::shl:
        if (const form by = form_of(i[2]); by.is_number() && by.base >= 0 && by.base < 8)
          return scaled(form_of(i[1]), number{1} << by.base);
        return std::nullopt;
      case ptx::calculation::mul:
      case ptx::calculation::mul_add: {
        if (i.has(ptx::token::hi) || (has_rows(i[1]) && has_rows(i[2]))) return std::nullopt;
        const auto product = symbols_.product(operand(1), operand(2));
        if (!product || ptx::computes(i.op, ptx::calculation::mul)) return product;
        return add(*product, has_rows(i[3]) || i.has(ptx::token::wide) ? form_of(i[3]) : operand(3));
      }
      default: return std::nullopt;
    }
  }

  std::optional<form> converted(const ptx::instruction& i) {
    if (i.token_count < 2) return std::nullopt;
    const ptx::token from = i.type(), to = i.token_array[i.token_count - 2u];
    const auto is_integer = [](ptx::token t) { return ptx::is_integer(t) || t == ptx::token::u8 || t == ptx::token::s8; };
    if (!is_integer(from) || !is_integer(to)) return std::nullopt;
    const form f = form_of(i[1]);
    if (symbols_.has_object(f)) return f;
    const form number = as_number(f, ptx::width_bits(from), ptx::is_signed(from), is_cut(i[1], from));
    // Bits above those of `to` are an extension of it where the register has them.
    return as_number(number, ptx::width_bits(to), ptx::is_signed(to),
                     ptx::width_bits(to) < ptx::width_bits(from) || is_cut(i[0], to));
  }

  std::optional<form> computed(const ptx::instruction& i) {
    using ptx::token;
    const bool is_part = i.has(token::hi) || i.has(token::wide);
    const int bits = ptx::width_bits(i.type());
    const form raw_a = form_of(i[1]);
    const form raw_b = i.operand_count > 2 ? form_of(i[2]) : form{};
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
        if (numbers_.lowest(raw_a) < 0) return add(constant(-1), raw_a, -1);
        if (bits > 32) break;
        return add(constant((number{1} << bits) - 1), raw_a, -1);
      case ptx::calculation::mul:
        if (!is_part) return arithmetic_.product(raw_a, raw_b, bits);
        if (i.has(token::wide)) return symbols_.product(number_of(i[1], i.type()), number_of(i[2], i.type()));
        break;
      case ptx::calculation::mul_add: {
        if (i.has(token::hi)) break;
        const auto both = is_part ? symbols_.product(number_of(i[1], i.type()), number_of(i[2], i.type()))
                                  : arithmetic_.product(raw_a, raw_b, bits);
        return both ? std::optional(add(*both, form_of(i[3]))) : std::nullopt;
      }
      case ptx::calculation::shl: {
        const form by = as_number(raw_b, 32, false);
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
    if (symbols_.has_object(raw_a) || symbols_.has_object(raw_b)) return std::nullopt;
    const form a = as_number(raw_a, bits, ptx::is_signed(i.type()));
    const bool is_shift = ptx::computes(i.op, ptx::calculation::shr) || ptx::computes(i.op, ptx::calculation::shl);
    const form b = i.operand_count < 3 ? form{}
                   : is_shift          ? as_number(raw_b, 32, false)
                                       : as_number(raw_b, bits, ptx::is_signed(i.type()));
    const form c = i.operand_count > 3 ? form_of(i[3]) : form{};
    return arithmetic_.of(i, a, b, c);
  }

  symbols symbols_;
  conditions conditions_;
  numbers numbers_;
  arithmetic arithmetic_;
  inputs inputs_;
  const ptx::function& function_;
  const std::vector<parameter_fact>& parameters_;
  std::vector<value> registers_;
  std::vector<form> forms_;
  bool is_loose_ = false;
};

}  // namespace tg::proof
