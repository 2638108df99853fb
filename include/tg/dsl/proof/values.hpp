// What the registers of a kernel hold while it is proved: forms, predicates, or data.
#pragma once

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include <tg/analysis/warp.hpp>
#include <tg/dsl/proof/conditions.hpp>
#include <tg/dsl/proof/overlap.hpp>
#include <tg/dsl/proof/parameter_fact.hpp>
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
  std::uint32_t id = 0;     // of a form or condition
};

/// The registers, and what instructions do to them.
class values {
 public:
  values(const ptx::function& f, analysis::block_extent block, const std::vector<parameter_fact>& parameters)
      : symbols_(static_cast<std::size_t>(block.x) * static_cast<std::size_t>(block.y) *
                 static_cast<std::size_t>(block.z)),
        conditions_(symbols_),
        function_(f),
        block_(block),
        parameters_(parameters),
        registers_(f.registers.size()) {}

  symbols& unknowns() { return symbols_; }
  conditions& predicates() { return conditions_; }
  std::size_t threads() const { return symbols_.threads(); }
  void be_loose(bool is) { is_loose_ = is; }

  const value& operator[](std::uint32_t reg) const { return registers_[reg]; }
  void set(std::uint32_t reg, const value& v) { registers_[reg] = v; }
  value integer(form f) {
    forms_.push_back(std::move(f));
    return {value::kind::integer, false, static_cast<std::uint32_t>(forms_.size() - 1)};
  }
  static value predicate(std::uint32_t condition) { return {value::kind::predicate, false, condition}; }
  static value data(bool is_uniform) { return {value::kind::data, is_uniform, 0}; }

  bool is_uniform(const value& v) const {
    if (v.what == value::kind::integer) return symbols_.shared(forms_[v.id]) <= sharing::block;
    if (v.what == value::kind::predicate) return conditions_[v.id].is_uniform;
    return v.is_uniform;
  }

  /// An unknown that nothing is known of.
  form fresh(bool is_uniform, number low = -unbounded, number high = unbounded) {
    return single(symbols_.make(
        {.shared = is_uniform ? sharing::block : sharing::thread, .low = low, .high = high, .is_loose = is_loose_}));
  }

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
    if (v.what != value::kind::integer) v = integer(fresh(v.what != value::kind::nothing && is_uniform(v)));
    return forms_[v.id];
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
    if (then.what != value::kind::integer || otherwise.what != value::kind::integer) return data(is_uniform);
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
    if (rest <= -unbounded || rest >= unbounded) return is_high ? unbounded : -unbounded;
    number out = f.at(0);
    for (std::size_t t = 1; t < threads() && f.lanes; ++t)
      out = is_high ? std::max(out, f.at(t)) : std::min(out, f.at(t));
    return out + rest;
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
      case special::ctaid_y:
      case special::ctaid_z:
      case special::nctaid_x:
      case special::nctaid_y:
      case special::nctaid_z:
        return symbols_.of(s);
      default:
        return fresh(false);
    }
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
      const number limit = ptx::width_bits(type) >= 32 ? number{1} << (ptx::is_signed(type) ? 31 : 32)
                                                       : number{1} << ptx::width_bits(type);
      known = scaled(single(symbols_.make({.shared = sharing::launch,
                                           .low = ptx::is_signed(type) ? -limit / p.multiple_of : 0,
                                           .high = (limit - 1) / p.multiple_of,
                                           .is_free = true})),
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
      if (ptx::is_float(i.type()) || i.type() == ptx::token::f16) return data(true);
      return integer(read_parameter(i[1].id, i.type()));
    }
    if (i.op == ptx::opcode::ld && does <= ptx::effect::reads_memory) return loaded(i);
    if (does != ptx::effect::pure) return data(false);
    if (i.op == ptx::opcode::setp) return compared(i);
    if (i.type() == ptx::token::pred) return logical(i);
    if (i.op == ptx::opcode::selp) return selected(i);
    if (i.op == ptx::opcode::cvta) return integer(form_of(i[1]));
    const bool is_whole = ptx::is_word(i.type()) || ptx::width_bits(i.type()) == 8;
    if (!is_whole || i.is_guarded() || i[1].kind == ptx::operand_kind::vector) return data(are_uniform(i));
    const auto known = whole(i);
    return known ? integer(*known) : data(are_uniform(i));
  }

  value loaded(const ptx::instruction& i) {
    const bool is_uniform = are_uniform(i);
    const bool is_small = i.type() == ptx::token::u8 || i.type() == ptx::token::u16;
    if (is_small) return integer(fresh(is_uniform, 0, (number{1} << ptx::width_bits(i.type())) - 1));
    return data(is_uniform);
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
    if (!ptx::is_word(i.type())) return data(are_uniform(i));
    const value a = integer(form_of(i[1])), b = integer(form_of(i[2]));
    return blend(choice, a, b);
  }

  value compared(const ptx::instruction& i) {
    if (i.token_count != 2 || !ptx::is_integer(i.type()) || i.operand_count != 3)
      return predicate(conditions_.data(are_uniform(i)));
    const form a = form_of(i[1]), b = form_of(i[2]);
    if (a.is_exact() && b.is_exact()) {
      if (const auto known = each_thread(i, a, b, {})) {
        proof::threads where;
        for (std::size_t t = 0; t < threads(); ++t) where[t] = known->at(t) != 0;
        return predicate(conditions_.known(where));
      }
    }
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
      out[t] = result->value;
    }
    return is_same ? constant(out[0]) : each(std::move(out));
  }

  // Integers.
  std::optional<form> whole(const ptx::instruction& i) {
    if (i.operand_count > 4) return std::nullopt;
    const form a = form_of(i[1]);
    const form b = i.operand_count > 2 ? form_of(i[2]) : form{};
    const form c = i.operand_count > 3 ? form_of(i[3]) : form{};
    using ptx::opcode;
    if (i.op == opcode::mov) return a;
    const bool is_conversion_of_data =
        i.op == opcode::cvt && (i.token_count < 2 || !ptx::is_word(i.token_array[i.token_count - 2u]));
    if (is_conversion_of_data || i.has(ptx::token::sat)) return std::nullopt;
    if (a.is_exact() && b.is_exact() && c.is_exact()) {
      const bool is_row =
          (i.op == opcode::mul || i.op == opcode::mad) && (a == constant(row_elements) || b == constant(row_elements));
      if (!is_row)
        if (auto known = each_thread(i, a, b, c); known && !has_rows(a) && !has_rows(b) && !has_rows(c)) return known;
    }
    switch (i.op) {
      case opcode::cvt:
        return a;
      case opcode::add:
        return add(a, b);
      case opcode::sub:
        return add(a, b, -1);
      case opcode::neg:
        return scaled(a, -1);
      case opcode::mul:
        return i.has(ptx::token::hi) ? std::nullopt : symbols_.product(a, b);
      case opcode::mad: {
        if (i.has(ptx::token::hi)) return std::nullopt;
        const auto product = symbols_.product(a, b);
        return product ? std::optional(add(*product, c)) : std::nullopt;
      }
      case opcode::shl:
        return b.is_number() && b.base >= 0 && b.base < 40 ? std::optional(scaled(a, number{1} << b.base))
                                                           : std::nullopt;
      case opcode::shr:
        return b.is_number() && b.base >= 0 && b.base < 40 ? divided(a, number{1} << b.base, i.type()) : std::nullopt;
      case opcode::div:
        return b.is_number() && b.base > 0 ? divided(a, b.base, i.type())
                                           : symbols_.computed(opcode::div, a, b, -unbounded, unbounded);
      case opcode::rem:
        return b.is_number() && b.base > 0 ? remainder(a, b.base, i.type())
                                           : symbols_.computed(opcode::rem, a, b, -unbounded, unbounded);
      case opcode::and_:
        return masked(a, b);
      case opcode::or_:
      case opcode::xor_:
        return symbols_.computed(i.op, a, b, -unbounded, unbounded);
      case opcode::min:
        return symbols_.computed(i.op, a, b, std::min(lowest(a), lowest(b)), std::min(highest(a), highest(b)));
      case opcode::max:
        return symbols_.computed(i.op, a, b, std::max(lowest(a), lowest(b)), std::max(highest(a), highest(b)));
      default:
        return std::nullopt;
    }
  }

  // Whether a leading dimension has been multiplied in.
  bool has_rows(const form& f) const {
    const number limit = row_elements / 2;
    for (std::size_t t = 0; t < (f.lanes ? threads() : 1); ++t)
      if (f.at(t) >= limit || f.at(t) <= -limit) return true;
    return false;
  }

  static bool divides(const form& f, number by) {
    return std::all_of(f.terms.begin(), f.terms.end(), [&](const term& t) { return t.factor % by == 0; });
  }

  // What is read as unsigned is not negative, whatever it was computed from.
  static bool is_unsigned(ptx::token type) {
    return type == ptx::token::u32 || type == ptx::token::u64 || type == ptx::token::b32;
  }

  std::optional<form> divided(const form& a, number by, ptx::token type) {
    if (lowest(a) < 0 || !divides(a, by)) {
      const number low = lowest(a) >= 0 ? lowest(a) / by : is_unsigned(type) ? 0 : -unbounded;
      return symbols_.computed(ptx::opcode::div, a, constant(by), low,
                               highest(a) >= unbounded ? unbounded : std::max<number>(0, highest(a) / by));
    }
    form::column own(threads());
    for (std::size_t t = 0; t < own.size(); ++t) own[t] = a.at(t) >= 0 ? a.at(t) / by : -((by - 1 - a.at(t)) / by);
    form out = each(std::move(own));
    form rest{a.terms, 0, nullptr};
    for (term& t : rest.terms) t.factor /= by;
    return add(rest, out);
  }

  std::optional<form> remainder(const form& a, number by, ptx::token type) {
    if (lowest(a) < 0)
      return symbols_.computed(ptx::opcode::rem, a, constant(by), is_unsigned(type) ? 0 : 1 - by, by - 1);
    form left{{}, a.base % by, a.lanes};
    for (const term& t : a.terms)
      if (t.factor % by != 0) left.terms.push_back({t.symbol, t.factor % by});
    if (!left.terms.empty()) return symbols_.computed(ptx::opcode::rem, left, constant(by), 0, by - 1);
    form::column own(threads());
    for (std::size_t t = 0; t < own.size(); ++t) own[t] = (left.at(t) % by + by) % by;
    return each(std::move(own));
  }

  std::optional<form> masked(const form& a, const form& b) {
    const form& mask = b.is_number() ? b : a;
    const form& other = b.is_number() ? a : b;
    if (!mask.is_number() || mask.base < 0) return symbols_.computed(ptx::opcode::and_, a, b, -unbounded, unbounded);
    const number size = mask.base + 1;
    if ((size & mask.base) == 0 && lowest(other) >= 0) return remainder(other, size, ptx::token::b32);
    return symbols_.computed(ptx::opcode::and_, other, mask, 0, mask.base);
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
};

}  // namespace tg::proof
