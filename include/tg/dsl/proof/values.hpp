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

#include <tg/analysis/warp.hpp>
#include <tg/base/dynamic_array.hpp>
#include <tg/dsl/proof/conditions.hpp>
#include <tg/dsl/proof/inputs.hpp>
#include <tg/dsl/proof/numbers.hpp>
#include <tg/dsl/proof/overlap.hpp>
#include <tg/dsl/proof/parameter_fact.hpp>
#include <tg/dsl/proof/tiles.hpp>
#include <tg/ptx/ir/function.hpp>

namespace tg::proof {

/// What a register holds.
struct value {
  enum class kind : std::uint8_t { nothing, data, integer, predicate };
  kind what = kind::nothing;
  bool is_uniform = false;  // of data
  bool has_rows = false;    // of an integer: a row stride has been multiplied in
  std::uint32_t id = 0;     // of a form or condition
};

/// The registers. What instructions do to them: computation.hpp.
class values {
 public:
  values(const ptx::function& f, analysis::block_extent block, const dynamic_array<parameter_fact>& parameters,
         bool assumes_no_overflow = false)
      : symbols_(static_cast<std::size_t>(block.x) * static_cast<std::size_t>(block.y) * static_cast<std::size_t>(block.z)),
        conditions_(symbols_),
        numbers_(symbols_, conditions_, assumes_no_overflow),
        inputs_(symbols_, block, parameters),
        function_(f),
        parameters_(parameters),
        registers_(f.registers.size()) {}

  symbols& unknowns() { return symbols_; }
  const symbols& unknowns() const { return symbols_; }
  conditions& predicates() { return conditions_; }
  const conditions& predicates() const { return conditions_; }
  std::size_t threads() const { return symbols_.threads(); }
  /// The function whose registers these are.
  const ptx::function& code() const { return function_; }
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

  /// Data in a register are the same in all lanes of a warp. Of a number that follows from those of threads more is known: it
  /// stays as it is.
  void assume_warp_uniform(const ptx::instruction& i) {
    const ptx::operand& o = i[0];
    if (i.is_guarded() || !o.is_reg() || has_rows(o)) return;
    const form own = form_of(o);
    const bool is_data = std::any_of(own.terms.begin(), own.terms.end(), [&](const term& t) {
      const symbol& x = symbols_[t.symbol];
      return x.shared == sharing::thread && x.op == operation::none;
    });
    if (!is_data) return;
    registers_[o.id] = integer(single(symbols_.make({.shared = sharing::warp,
                                                     .low = numbers_.lowest(own),
                                                     .high = numbers_.highest(own),
                                                     .is_data = true,
                                                     .is_loose = is_loose_})));
  }

  /// What is known of an operand, modulo the width of the register that holds it.
  form form_of(const ptx::operand& o) {
    using ptx::operand_kind;
    if (o.kind == operand_kind::integer) return constant(o.value);
    if (o.kind == operand_kind::special) return of(static_cast<ptx::special>(o.id));
    if (o.kind == operand_kind::variable) return address_of(o);
    if (o.kind == operand_kind::address) {
      if (o.base == operand_kind::none) return constant(o.value);
      if (o.base == operand_kind::variable) return address_of(o);
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

  /// How forms are read as numbers.
  const numbers& as_numbers() const { return numbers_; }

  /// The number that `bits` bits congruent to `f` mean, as `numbers` reads it.
  form as_number(const form& f, int bits, bool with_sign, bool is_cut = false) {
    return numbers_.as_number(f, bits, with_sign, is_cut);
  }

  /// Limits of a form in all threads.
  number lowest(const form& f) const { return numbers_.lowest(f); }

  /// The number that a load of a parameter gives, and whether that is the distance of a matrix' rows.
  form read_parameter(std::uint32_t id, ptx::token type) {
    if (const auto known = inputs_.parameter(id, type)) return *known;
    return fresh(true);
  }
  bool is_row_stride(std::uint32_t parameter) const {
    return parameter < parameters_.size() && parameters_[parameter].what == parameter_fact::kind::row_stride;
  }

  /// The tiles of the module. Requires: they outlive this. Without them each variable is a tile.
  void know(const tiles& all) { tiles_ = &all; }

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

 private:
  form address_of(const ptx::operand& o) {
    number offset = o.value;
    const std::uint32_t tile = tiles_ != nullptr ? tiles_->at(o.id, offset) : o.id;
    const form begin = inputs_.beginning({true, tile});
    return offset == 0 ? begin : add(begin, constant(offset));
  }

  form of(ptx::special s) {
    if (const auto known = inputs_.of(s)) return *known;
    const bool is_wide = s == ptx::special::clock64 || s == ptx::special::globaltimer;
    return is_wide ? fresh(false) : fresh(false, 0, (number{1} << 32) - 1);
  }

  symbols symbols_;
  conditions conditions_;
  numbers numbers_;
  inputs inputs_;
  const ptx::function& function_;
  const dynamic_array<parameter_fact>& parameters_;
  dynamic_array<value> registers_;
  dynamic_array<form> forms_;
  bool is_loose_ = false;
  const tiles* tiles_ = nullptr;
};

}  // namespace tg::proof
