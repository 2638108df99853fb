// What the registers of a kernel hold while it is proved: forms, predicates, or data.
//
// The domain. A register of w bits that holds an integer is described by a form F, an integer of mathematics per thread,
// with F congruent to the register's bits modulo 2^w. `add`, `sub`, `neg`, `mul.lo`, `mad.lo` and `shl` are exact on
// such forms, whatever wraps around, because they are exact modulo 2^w. All other instructions read their operands as
// numbers of a type; `as_number` is the only place that does so, and it returns one of three things:
//   1. F, or F less a multiple of 2^w per thread, where ranges or the conditions on the way prove that this lies in
//      the type's range;
//   2. a symbol for "the low bits of F", with the type's range, that knows itself to be F - 2^w * q for an integer q;
//   3. F, on the assumption that no sum of arguments, block numbers and counters exceeds its type. Only a second walk
//      makes it, for answers that are not proved without, and those answers say so. Sums with data in them, sums that
//      may be below 0 in an unsigned type, and sums that exceed the type in every launch are never assumed away.
// Operations on numbers are exact on the integers (`operation`); what none describes is data: a number of which only
// the width is known. A form that is computed on a way is meant for the threads that come that way.
//
// Rows. The leading dimension of a matrix is taken as 2^34 elements, more than any row has, and its columns to lie in
// their rows; answers that rest on it say so. A register with rows in it is only added to, scaled, and used as an
// address; anything else makes data of it.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <tg/analysis/warp.hpp>
#include <tg/dsl/proof/conditions.hpp>
#include <tg/dsl/proof/limits.hpp>
#include <tg/dsl/proof/overlap.hpp>
#include <tg/dsl/proof/parameter_fact.hpp>
#include <tg/dsl/proof/path.hpp>
#include <tg/dsl/proof/use.hpp>
#include <tg/ptx/effect.hpp>
#include <tg/ptx/function.hpp>
#include <tg/ptx/passes/evaluate.hpp>

namespace tg::proof {

/// What a register holds.
struct value {
  enum class kind : std::uint8_t { nothing, data, integer, predicate };
  kind what = kind::nothing;
  bool is_uniform = false;  // of data
  bool has_rows = false;    // of an integer: a leading dimension has been multiplied in
  std::uint32_t id = 0;     // of a form or condition
};

/// The registers, and what instructions do to them.
class values {
 public:
  values(const ptx::function& f, analysis::block_extent block, const std::vector<parameter_fact>& parameters,
         bool assumes_no_overflow = false)
      : symbols_(static_cast<std::size_t>(block.x) * static_cast<std::size_t>(block.y) *
                 static_cast<std::size_t>(block.z)),
        conditions_(symbols_),
        function_(f),
        block_(block),
        parameters_(parameters),
        registers_(f.registers.size()),
        assumes_no_overflow_(assumes_no_overflow) {}

  symbols& unknowns() { return symbols_; }
  const symbols& unknowns() const { return symbols_; }
  conditions& predicates() { return conditions_; }
  const conditions& predicates() const { return conditions_; }
  std::size_t threads() const { return symbols_.threads(); }
  bool assumes_no_overflow() const { return assumes_no_overflow_; }
  void be_loose(bool is) {
    is_loose_ = is;
    conditions_.be_loose(is);
  }
  /// Instructions that are carried out from here on stand on this way, which lives as long as this.
  void come_by(const path& way) { way_ = &way; }

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
    if (o.kind == operand_kind::special) return of_special(static_cast<ptx::special>(o.id));
    if (o.kind == operand_kind::variable) return beginning({true, o.id});
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
      if (v.what != value::kind::predicate)
        v = predicate(conditions_.data(v.what != value::kind::nothing && is_uniform(v)));
      return v.id;
    }();
    return o.negated ? conditions_.inverse(found) : found;
  }

  /// The number that `bits` bits congruent to `f` mean. `is_cut`: the program asks for these bits of more, so that what
  /// is above them is meant to go.
  form as_number(const form& f, int bits, bool with_sign, bool is_cut = false) {
    if (bits <= 0 || bits > 64 || symbols_.has_object(f)) return f;
    if (bits == 64) return as_wide_number(f, with_sign);
    const number size = number{1} << bits;
    const number least = with_sign ? -size / 2 : 0, most = least + size - 1;
    if (const auto shifted = in_range(f, least, size)) return *shifted;
    if (keeps_to(f, least, most)) return f;
    if (!is_cut && may_be_assumed(f, with_sign, most)) return f;
    const number low = lowest(f), high = highest(f);
    const form turns = symbols_.computed(
        operation::quotient, add(f, constant(-least)), constant(size),
        low <= -unbounded ? -unbounded : floor_division(low - least, size),
        high >= unbounded ? unbounded : floor_division(high - least, size));
    const form same = add(f, turns, -size);
    return symbols_.computed(with_sign ? operation::signed_bits : operation::low_bits, f, constant(bits), least, most,
                             same.is_broken ? form{} : same);
  }

  /// The object that an address is in; takes its beginning from the form.
  std::optional<object> object_of(form& address) const {
    for (const term& t : address.terms)
      if (symbols_[t.symbol].is_object && t.factor == 1) {
        const object found = objects_[static_cast<std::size_t>(symbols_[t.symbol].low)];
        address = add(address, single(t.symbol), -1);
        return found;
      }
    return std::nullopt;
  }

  /// `then` where the condition holds, `otherwise` elsewhere.
  value blend(std::uint32_t choice, const value& then, const value& otherwise) {
    if (then.what == otherwise.what && then.id == otherwise.id && then.what != value::kind::data) return then;
    const condition& c = conditions_[choice];
    if (then.what == value::kind::predicate && otherwise.what == value::kind::predicate)
      return predicate(conditions_.chosen(choice, then.id, otherwise.id));
    const bool is_uniform = c.is_uniform && this->is_uniform(then) && this->is_uniform(otherwise);
    if (then.what != value::kind::integer || otherwise.what != value::kind::integer || then.has_rows ||
        otherwise.has_rows || symbols_.has_object(forms_[then.id]) || symbols_.has_object(forms_[otherwise.id]))
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
    const number low = std::min(lowest(a), lowest(b)), high = std::max(highest(a), highest(b));
    return integer(fresh(is_uniform, low, high));
  }

  /// Carries out an instruction that only computes.
  void run(const ptx::instruction& i) {
    if (i.operand_count == 0 || ptx::result_count(i) == 0) return;
    if (!i[0].is_reg()) return set_parts(i);
    registers_[i[0].id] = result_of(i);
  }

 private:
  number lowest(const form& f) const { return extreme(f, symbols_.low(f), false); }
  number highest(const form& f) const { return extreme(f, symbols_.high(f), true); }
  number extreme(const form& f, number rest, bool is_high) const {
    if (f.is_broken || rest <= -unbounded || rest >= unbounded) return is_high ? unbounded : -unbounded;
    number out = f.at(0);
    for (std::size_t t = 1; t < threads() && f.lanes; ++t)
      out = is_high ? std::max(out, f.at(t)) : std::min(out, f.at(t));
    return std::clamp(out + rest, -unbounded, unbounded);
  }

  // `f` less a multiple of `size` in each thread, if ranges alone prove that it is at least `least` and below
  // `least + size` then.
  std::optional<form> in_range(const form& f, number least, number size) const {
    const number low = symbols_.low(f), high = symbols_.high(f);
    if (f.is_broken || low <= -unbounded || high >= unbounded) return std::nullopt;
    form::column own(f.lanes ? threads() : 1);
    bool is_same = true;
    for (std::size_t t = 0; t < own.size(); ++t) {
      const number turns = floor_division(f.at(t) + low - least, size);
      if (f.at(t) + high - turns * size >= least + size) return std::nullopt;
      own[t] = f.at(t) - turns * size;
      is_same = is_same && turns == 0;
    }
    if (is_same) return f;
    return add(form{f.terms, 0, nullptr}, f.lanes ? each(std::move(own)) : constant(own[0]));
  }

  // Whether the conditions on the way prove it.
  bool keeps_to(const form& f, number least, number most) {
    return is_at_least(f, least) && known_->keeps_to({f, {}}, most);
  }
  bool is_at_least(const form& f, number least) {
    if (way_ == nullptr || f.is_broken) return false;
    if (known_way_ != way_->literals || known_may_ != way_->may || !known_) {
      known_way_ = way_->literals;
      known_may_ = way_->may;
      known_.emplace(symbols_, way_->may, proof::threads{});
      for (form& fact : way_->facts(conditions_)) known_->know(std::move(fact));
    }
    for (form& fact : facts_of_grid(symbols_)) known_->know_once(std::move(fact));
    return known_->keeps_to({scaled(f, -1), {}}, -least);
  }

  // See the third case above.
  bool may_be_assumed(const form& f, bool with_sign, number most) {
    if (!assumes_no_overflow_ || f.is_broken || symbols_.is_data(f)) return false;
    const number low = symbols_.low(f);
    if (!with_sign && lowest(f) < 0 && !is_at_least(f, 0)) return false;
    if (low <= -unbounded) return true;
    for (std::size_t t = 0; t < (f.lanes ? threads() : 1); ++t)
      if (f.at(t) + low > most) return false;
    return true;
  }

  form as_wide_number(const form& f, bool with_sign) {
    const number low = lowest(f), high = highest(f);
    if (low > -unbounded && high < unbounded && (with_sign || low >= 0)) return f;
    if (f.terms.size() == 1 && f.base == 0 && !f.lanes && !f.is_broken) {
      const symbol& s = symbols_[f.terms[0].symbol];
      if (s.whole_bits == 64 && s.whole_factor == f.terms[0].factor && s.is_signed == with_sign) return f;
      if ((s.op == operation::low_bits || s.op == operation::signed_bits) && s.right == constant(64) &&
          f.terms[0].factor == 1 && (s.op == operation::signed_bits) == with_sign)
        return f;
    }
    if (keeps_to(f, with_sign ? -largest_part : 0, largest_part)) return f;
    if (assumes_no_overflow_ && !f.is_broken && !symbols_.is_data(f) && (with_sign || low >= 0)) return f;
    return symbols_.computed(with_sign ? operation::signed_bits : operation::low_bits, f, constant(64),
                             with_sign ? -unbounded : 0, unbounded);
  }

  form number_of(const ptx::operand& o, ptx::token type) {
    if (o.kind == ptx::operand_kind::integer)
      return as_number(constant(o.value), ptx::width_bits(type), ptx::is_signed(type));
    return as_number(form_of(o), ptx::width_bits(type), ptx::is_signed(type), is_cut(o, type));
  }

  // The register is wider than what is read of it.
  bool is_cut(const ptx::operand& o, ptx::token type) const {
    return o.is_reg() && ptx::width_bits(function_.registers[o.id].type) > ptx::width_bits(type);
  }

  form beginning(object o) {
    for (std::uint32_t k = 0; k < objects_.size(); ++k)
      if (objects_[k] == o) return single(object_symbols_[k]);
    objects_.push_back(o);
    const auto place = static_cast<number>(objects_.size() - 1);
    object_symbols_.push_back(
        symbols_.make({.shared = sharing::launch, .low = place, .high = place, .is_object = true}));
    return single(object_symbols_.back());
  }

  form of_special(ptx::special s) {
    using ptx::special;
    const auto thread = [&](auto coordinate) {
      form::column own(threads());
      for (std::size_t t = 0; t < own.size(); ++t) own[t] = coordinate(static_cast<number>(t));
      return each(std::move(own));
    };
    switch (s) {
      case special::tid_x:
        return thread([&](number t) { return t % block_.x; });
      case special::tid_y:
        return thread([&](number t) { return t / block_.x % block_.y; });
      case special::tid_z:
        return thread([&](number t) { return t / block_.x / block_.y; });
      case special::ntid_x:
        return constant(block_.x);
      case special::ntid_y:
        return constant(block_.y);
      case special::ntid_z:
        return constant(block_.z);
      case special::laneid:
        return thread([](number t) { return t % 32; });
      case special::ctaid_x:
      case special::nctaid_x:
        return symbols_.of(s, most_blocks(block_.x, (number{1} << 31) - 1));
      case special::ctaid_y:
      case special::nctaid_y:
        return symbols_.of(s, most_blocks(block_.y, 65535));
      case special::ctaid_z:
      case special::nctaid_z:
        return symbols_.of(s, most_blocks(block_.z, 65535));
      default: {
        const bool is_wide = s == special::clock64 || s == special::globaltimer;
        return is_wide ? fresh(false) : fresh(false, 0, (number{1} << 32) - 1);
      }
    }
  }

  // What the hardware allows along an axis (CUDA C++ Programming Guide, technical specifications), and no more than
  // gives each thread along it a number of 32 bits.
  static number most_blocks(number threads, number hardware) {
    return std::min(hardware, ((number{1} << 32) - 1) / threads);
  }

  form read_parameter(std::uint32_t id, ptx::token type) {
    known_parameters_.resize(parameters_.size());
    if (id >= parameters_.size()) return fresh(true);
    auto& known = known_parameters_[id];
    if (known) return *known;
    const parameter_fact& p = parameters_[id];
    if (p.what == parameter_fact::kind::buffer)
      known = beginning({false, id});
    else if (p.what == parameter_fact::kind::leading_dimension)
      known = constant(row_elements);
    else {
      const int bits = ptx::width_bits(type);
      const bool with_sign = ptx::is_signed(type);
      const number half = bits >= 64 ? unbounded : number{1} << (bits - 1);
      const number low = !with_sign ? 0 : bits >= 64 ? -unbounded : -(half / p.multiple_of);
      const number high = bits >= 64 ? unbounded : (with_sign ? half - 1 : 2 * half - 1) / p.multiple_of;
      known = scaled(single(symbols_.make({.shared = sharing::launch,
                                           .low = low,
                                           .high = high,
                                           .is_free = true,
                                           .whole_bits = bits >= 64 ? 64 : 0,
                                           .is_signed = with_sign,
                                           .whole_factor = p.multiple_of})),
                     p.multiple_of);
    }
    return *known;
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
    if (i.op == ptx::opcode::ld && i.has(ptx::token::param)) {
      if (ptx::is_float(i.type()) || i.type() == ptx::token::f16 || i.is_guarded()) return data(!i.is_guarded());
      const bool is_leading = i[1].id < parameters_.size() &&
                              parameters_[i[1].id].what == parameter_fact::kind::leading_dimension;
      return integer(read_parameter(i[1].id, i.type()), is_leading);
    }
    if (i.op == ptx::opcode::ld && does <= ptx::effect::reads_memory && !i.is_guarded()) return loaded(i);
    if (does != ptx::effect::pure) return data(false);
    if (i.is_guarded()) return data(false);
    if (i.op == ptx::opcode::setp) return compared(i);
    if (i.type() == ptx::token::pred) return logical(i);
    if (i.op == ptx::opcode::selp) return selected(i);
    if (i.op == ptx::opcode::cvta) return integer(form_of(i[1]));
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
    switch (i.op) {
      case ptx::opcode::mov:
        return predicate(a);
      case ptx::opcode::not_:
        return predicate(conditions_.inverse(a));
      case ptx::opcode::and_:
        return predicate(conditions_.both(a, condition_of(i[2])));
      case ptx::opcode::or_:
        return predicate(conditions_.either(a, condition_of(i[2])));
      default:
        return predicate(conditions_.data(are_uniform(i)));
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
      case token::lo:
        return predicate(conditions_.at_most(above(a, b, 1)));
      case token::le:
      case token::ls:
        return predicate(conditions_.at_most(above(a, b, 0)));
      case token::gt:
      case token::hi:
        return predicate(conditions_.at_most(above(b, a, 1)));
      case token::ge:
      case token::hs:
        return predicate(conditions_.at_most(above(b, a, 0)));
      case token::eq:
        return predicate(conditions_.zero(above(a, b, 0)));
      case token::ne:
        return predicate(conditions_.inverse(conditions_.zero(above(a, b, 0))));
      default:
        return predicate(conditions_.data(are_uniform(i)));
    }
  }

  // As the machine computes it, for operands without symbols.
  std::optional<form> each_thread(const ptx::instruction& i, const form& a, const form& b, const form& c) const {
    ptx::instruction one = i;
    const form* const sources[] = {&a, &b, &c};
    const bool is_same = !a.lanes && !b.lanes && !c.lanes;
    form::column out(is_same ? 1 : threads());
    for (std::size_t t = 0; t < out.size(); ++t) {
      for (std::size_t k = 1; k < i.operand_count; ++k) one[k] = ptx::operand::integer(sources[k - 1]->at(t));
      const auto result = ptx::evaluate(one);
      if (!result || result->kind != ptx::operand_kind::integer) return std::nullopt;
      if (result->value > largest_part || result->value < -largest_part) return std::nullopt;
      out[t] = result->value;
    }
    return is_same ? constant(out[0]) : each(std::move(out));
  }

  // Integers.
  value whole(const ptx::instruction& i) {
    using ptx::opcode;
    const auto unknown = [&] { return data(are_uniform(i)); };
    if (i.operand_count > 4 || i.has(ptx::token::sat) || i.has(ptx::token::cc)) return unknown();
    const bool has_rows_in = has_rows(i[1]) || (i.operand_count > 2 && has_rows(i[2])) ||
                             (i.operand_count > 3 && has_rows(i[3]));
    if (i.op == opcode::mov) return integer(form_of(i[1]), has_rows_in);
    if (has_rows_in) {
      const auto with_rows = row_arithmetic(i);
      return with_rows && !with_rows->is_broken ? integer(*with_rows, true) : unknown();
    }
    if (i.op == opcode::cvt) {
      const auto to = converted(i);
      return to ? integer(*to) : unknown();
    }
    const int bits = ptx::width_bits(i.type()) * (i.has(ptx::token::wide) ? 2 : 1);
    const auto found = arithmetic(i);
    if (!found) return unknown();
    const auto kept = held(*found, bits);
    return kept ? integer(*kept) : unknown();
  }

  // A form of moderate size that is congruent to `f`.
  std::optional<form> held(const form& f, int bits) const {
    if (f.is_broken) return std::nullopt;
    constexpr number moderate = number{1} << 50;
    const auto is_moderate = [](number n) { return n < moderate && n > -moderate; };
    bool are_all = is_moderate(f.base);
    for (const term& t : f.terms) are_all = are_all && is_moderate(t.factor);
    if (f.lanes) are_all = are_all && std::all_of(f.lanes->begin(), f.lanes->end(), is_moderate);
    if (are_all) return f;
    if (bits > 32) return std::nullopt;
    const auto small = [&](number n) { return *compute(operation::signed_bits, n, bits); };
    form out = constant(small(f.base));
    for (const term& t : f.terms)
      if (small(t.factor) != 0) out.terms.push_back({t.symbol, small(t.factor)});
    if (!f.lanes) return out;
    form::column own(*f.lanes);
    for (number& n : own) n = small(n);
    return add(out, each(std::move(own)));
  }

  // A row times a leading dimension, a column added, the size of an element, an address. No sum of these wraps around,
  // as the elements of a matrix have numbers of 32 bits.
  std::optional<form> row_arithmetic(const ptx::instruction& i) {
    using ptx::opcode;
    const auto operand = [&](std::size_t k) { return has_rows(i[k]) ? form_of(i[k]) : number_of(i[k], i.type()); };
    switch (i.op) {
      case opcode::cvta:
        return form_of(i[1]);
      case opcode::cvt:
        return i.token_count >= 2 && ptx::width_bits(i.type()) >= 32 ? std::optional(form_of(i[1])) : std::nullopt;
      case opcode::add:
        return add(operand(1), operand(2));
      case opcode::shl:
        if (const form by = form_of(i[2]); by.is_number() && by.base >= 0 && by.base < 8)
          return scaled(form_of(i[1]), number{1} << by.base);
        return std::nullopt;
      case opcode::mul:
      case opcode::mad: {
        if (i.has(ptx::token::hi) || (has_rows(i[1]) && has_rows(i[2]))) return std::nullopt;
        const auto product = symbols_.product(operand(1), operand(2));
        if (!product || i.op == opcode::mul) return product;
        return add(*product, has_rows(i[3]) || i.has(ptx::token::wide) ? form_of(i[3]) : operand(3));
      }
      default:
        return std::nullopt;
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
    return as_number(number, ptx::width_bits(to), ptx::is_signed(to), ptx::width_bits(to) < ptx::width_bits(from) ||
                                                                          is_cut(i[0], to));
  }

  std::optional<form> arithmetic(const ptx::instruction& i) {
    using ptx::opcode;
    using ptx::token;
    const bool is_part = i.has(token::hi) || i.has(token::wide);
    const int bits = ptx::width_bits(i.type());
    const form raw_a = form_of(i[1]);
    const form raw_b = i.operand_count > 2 ? form_of(i[2]) : form{};
    switch (i.op) {
      case opcode::add:
        return add(raw_a, raw_b);
      case opcode::sub:
        return add(raw_a, raw_b, -1);
      case opcode::neg:
        return scaled(raw_a, -1);
      case opcode::not_:
        return add(constant(-1), raw_a, -1);
      case opcode::mul:
        if (!is_part) return product(raw_a, raw_b, bits);
        if (i.has(token::wide)) return symbols_.product(number_of(i[1], i.type()), number_of(i[2], i.type()));
        break;
      case opcode::mad: {
        if (i.has(token::hi)) break;
        const auto both = is_part ? symbols_.product(number_of(i[1], i.type()), number_of(i[2], i.type()))
                                  : product(raw_a, raw_b, bits);
        return both ? std::optional(add(*both, form_of(i[3]))) : std::nullopt;
      }
      case opcode::shl: {
        const form by = as_number(raw_b, 32, false);
        if (by.is_number() && by.base >= bits) return constant(0);
        if (by.is_number()) return product(raw_a, constant(number{1} << std::min<number>(by.base, 60)), bits);
        break;
      }
      case opcode::and_:
      case opcode::or_:
      case opcode::xor_:
        if (const auto known = of_bits(i, raw_a, raw_b, bits)) return known;
        break;
      default:
        break;
    }
    if (symbols_.has_object(raw_a) || symbols_.has_object(raw_b)) return std::nullopt;
    const form a = as_number(raw_a, bits, ptx::is_signed(i.type()));
    const bool is_shift = i.op == opcode::shr || i.op == opcode::shl;
    const form b = i.operand_count < 3 ? form{}
                   : is_shift          ? as_number(raw_b, 32, false)
                                       : as_number(raw_b, bits, ptx::is_signed(i.type()));
    const form c = i.operand_count > 3 ? form_of(i[3]) : form{};
    if (a.is_exact() && b.is_exact() && c.is_exact())
      if (auto known = each_thread(i, a, b, c)) return known;
    switch (i.op) {
      case opcode::shr:
        if (!b.is_number() || b.base < 0) return std::nullopt;
        if (b.base >= std::min(bits, 60)) return std::nullopt;
        return divided(a, number{1} << b.base);
      case opcode::div:
        if (b.is_number() && b.base > 0 && lowest(a) >= 0) return divided(a, b.base);
        return symbols_.computed(operation::truncated_quotient, a, b, quotient_limit(a, b, false),
                                 quotient_limit(a, b, true));
      case opcode::rem:
        if (b.is_number() && b.base > 0 && lowest(a) >= 0) return remainder(a, b.base);
        if (b.is_number() && b.base > 0)
          return symbols_.computed(operation::truncated_remainder, a, b, 1 - b.base, b.base - 1);
        if (lowest(a) >= 0 && lowest(b) >= 0)  // of a division by 0 only the width is known
          return lowest(b) > 0 ? std::optional(symbols_.computed(operation::truncated_remainder, a, b, 0,
                                                                 std::min(highest(a), highest(b) - 1)))
                               : std::nullopt;
        return std::nullopt;
      case opcode::and_:
        if (lowest(a) < 0 || lowest(b) < 0) return std::nullopt;
        return symbols_.computed(operation::bit_and, a, b, 0, std::min(highest(a), highest(b)));
      case opcode::or_:
      case opcode::xor_: {
        if (lowest(a) < 0 || lowest(b) < 0 || highest(a) >= unbounded || highest(b) >= unbounded) return std::nullopt;
        number most = 1;
        while (most <= highest(a) || most <= highest(b)) most *= 2;
        return symbols_.computed(i.op == opcode::or_ ? operation::bit_or : operation::bit_xor, a, b,
                                 i.op == opcode::or_ ? std::max(lowest(a), lowest(b)) : 0, most - 1);
      }
      case opcode::min:
        if (highest(a) <= lowest(b)) return a;
        if (highest(b) <= lowest(a)) return b;
        return symbols_.computed(operation::minimum, a, b, std::min(lowest(a), lowest(b)),
                                 std::min(highest(a), highest(b)));
      case opcode::max:
        if (highest(a) <= lowest(b)) return b;
        if (highest(b) <= lowest(a)) return a;
        return symbols_.computed(operation::maximum, a, b, std::max(lowest(a), lowest(b)),
                                 std::max(highest(a), highest(b)));
      case opcode::abs:
        if (lowest(a) >= 0) return a;
        return std::nullopt;
      default:
        return std::nullopt;
    }
  }

  // Modulo 2^bits.
  std::optional<form> product(const form& a, const form& b, int bits) {
    if (symbols_.has_object(a) || symbols_.has_object(b)) return std::nullopt;
    if (const auto plain = symbols_.product(a, b); plain && !plain->is_broken) return plain;
    const auto x = bits <= 32 ? reduced(a, bits) : std::nullopt, y = bits <= 32 ? reduced(b, bits) : std::nullopt;
    return x && y ? symbols_.product(*x, *y) : std::nullopt;
  }
  static std::optional<form> reduced(const form& f, int bits) {
    if (f.is_broken) return std::nullopt;
    const auto small = [&](number n) { return *compute(operation::signed_bits, n, bits); };
    form out = constant(small(f.base));
    for (const term& t : f.terms)
      if (small(t.factor) != 0) out.terms.push_back({t.symbol, small(t.factor)});
    if (!f.lanes) return out;
    form::column own(*f.lanes);
    for (number& n : own) n = small(n);
    return add(out, each(std::move(own)));
  }

  // Limits of a truncated quotient; the divisor is not 0, or the result is any number of the type.
  number quotient_limit(const form& a, const form& b, bool is_high) const {
    const bool is_certain = lowest(b) > 0;
    const number low = lowest(a), high = highest(a);
    if (!is_certain || low <= -unbounded || high >= unbounded) return is_high ? unbounded : -unbounded;
    return is_high ? std::max<number>(high, 0) : std::min<number>(low, 0);
  }

  // floor(a / by), for a number.
  form divided(const form& a, number by) {
    form whole, rest{{}, 0, nullptr};
    split_terms(a, by, whole, rest);
    // whole = (what is divisible) / by; 0 <= rest - by * k < by where ranges say so.
    const number low = symbols_.low(rest), high = symbols_.high(rest);
    if (low > -unbounded && high < unbounded) {
      form::column own(rest.lanes ? threads() : 1);
      bool is_known = true;
      for (std::size_t t = 0; t < own.size(); ++t) {
        own[t] = floor_division(rest.at(t) + low, by);
        is_known = is_known && own[t] == floor_division(rest.at(t) + high, by);
      }
      if (is_known) return add(whole, rest.lanes ? each(std::move(own)) : constant(own[0]));
    }
    const number least = lowest(rest), most = highest(rest);
    return add(whole, symbols_.computed(operation::quotient, rest, constant(by),
                                        least <= -unbounded ? -unbounded : floor_division(least, by),
                                        most >= unbounded ? unbounded : floor_division(most, by)));
  }

  // a - by * floor(a / by), for a number, or for what is congruent to it modulo a multiple of `by`.
  form remainder(const form& a, number by) {
    form whole, rest{{}, 0, nullptr};
    split_terms(a, by, whole, rest);
    if (const auto inside = in_range(rest, 0, by)) return *inside;
    const number least = lowest(rest), most = highest(rest);
    const form turns = symbols_.computed(operation::quotient, rest, constant(by),
                                         least <= -unbounded ? -unbounded : floor_division(least, by),
                                         most >= unbounded ? unbounded : floor_division(most, by));
    const form same = add(rest, turns, -by);
    return symbols_.computed(operation::remainder, rest, constant(by), 0, by - 1, same.is_broken ? form{} : same);
  }

  // a = by * whole + rest.
  void split_terms(const form& a, number by, form& whole, form& rest) const {
    rest = form{{}, a.base - by * floor_division(a.base, by), a.lanes, a.is_broken};
    whole = form{{}, floor_division(a.base, by), nullptr, a.is_broken};
    for (const term& t : a.terms) {
      if (t.factor % by == 0)
        whole.terms.push_back({t.symbol, t.factor / by});
      else
        rest.terms.push_back(t);
    }
  }

  // and, or, xor where one operand has bits that the other has not, or that only clear or keep low bits.
  std::optional<form> of_bits(const ptx::instruction& i, const form& a, const form& b, int bits) {
    using ptx::opcode;
    if (symbols_.has_object(a) || symbols_.has_object(b)) return std::nullopt;
    const bool is_second = b.is_number();
    const form &mask = is_second ? b : a, &other = is_second ? a : b;
    if (i.op == opcode::and_ && mask.is_number() && !other.is_exact()) {
      const number size = mask.base + 1;
      if (mask.base >= 0 && (size & mask.base) == 0) return remainder(other, size);
      if (mask.base < 0 && (-mask.base & (-mask.base - 1)) == 0) {
        const form low = remainder(other, -mask.base);
        return add(other, low, -1);
      }
      return std::nullopt;
    }
    if (i.op == opcode::and_) return std::nullopt;
    for (const auto& [wide, small] : {std::pair{&a, &b}, std::pair{&b, &a}}) {
      if (!small->is_exact() || wide->is_exact() || wide->is_broken) continue;
      number size = number{1} << std::min(bits, 40);
      for (const term& t : wide->terms)
        while (t.factor % size != 0) size /= 2;
      const bool fits = size > 1 && lowest(*small) >= 0 && highest(*small) < size;
      if (!fits) continue;
      form::column own(threads());
      for (std::size_t t = 0; t < own.size(); ++t) {
        const number low = *compute(operation::remainder, wide->at(t), size), with = small->at(t);
        own[t] = wide->at(t) - low + (i.op == opcode::or_ ? low | with : low ^ with);
      }
      return add(form{wide->terms, 0, nullptr}, each(std::move(own)));
    }
    return std::nullopt;
  }

  symbols symbols_;
  conditions conditions_;
  const ptx::function& function_;
  analysis::block_extent block_;
  const std::vector<parameter_fact>& parameters_;
  std::vector<value> registers_;
  std::vector<form> forms_;
  std::vector<object> objects_;
  std::vector<std::uint32_t> object_symbols_;
  std::vector<std::optional<form>> known_parameters_;
  bool is_loose_ = false;
  bool assumes_no_overflow_ = false;
  const path* way_ = nullptr;
  std::shared_ptr<const std::vector<literal>> known_way_;
  proof::threads known_may_;
  std::optional<limits> known_;
};

}  // namespace tg::proof
