// The one way to number things, so that two modules that print alike compare equal.
#pragma once

#include <algorithm>
#include <bit>
#include <string>

#include <tg/base/dynamic_array.hpp>
#include <tg/base/fixed_array.hpp>
#include <tg/ptx/forms/forms.hpp>
#include <tg/ptx/ir/head_table.hpp>
#include <tg/ptx/ir/module.hpp>
#include <tg/ptx/print/print_instruction.hpp>

namespace tg::ptx {

namespace detail {

/// Renumbers one function: registers by class and first appearance, labels by appearance, elements in order.
class canonical_function {
 public:
  explicit canonical_function(function& f) : function_(f) {}

  void operator()() {
    labels_.assign(function_.label_count, no_index);
    registers_.assign(function_.registers.size(), no_index);
    elements_.reserve(function_.elements.size());
    for (instruction& i : function_.body) {
      place(i);
      visit(i);
    }
    order_registers();
    for (instruction& i : function_.body) {
      if (i.is_guarded()) i.guard = registers_[i.guard];
      for (operand& o : i.operands()) renumber(o);
    }
    for (operand& o : elements_) renumber(o);
    function_.elements = std::move(elements_);
    function_.label_count = label_count_;
    for (variable& v : function_.locals) to_canonical(v);
    for (variable& v : function_.params) to_canonical(v);
    for (variable& v : function_.results) to_canonical(v);
    for (prototype& p : function_.prototypes) {
      for (variable& v : p.results) to_canonical(v), v.name.clear();
      for (variable& v : p.params) to_canonical(v), v.name.clear();
    }
  }

  static void to_canonical(variable& v) {
    if (v.align == static_cast<std::uint32_t>(width_bits(v.type) / 8)) v.align = 0;
    if (!v.relocations.empty()) return;
    const std::size_t width = static_cast<std::size_t>(std::max(8, width_bits(v.type)) / 8);
    while (!v.initial.empty() && v.initial.back() == std::byte{0}) v.initial.pop_back();
    v.initial.resize((v.initial.size() + width - 1) / width * width);
  }

 private:
  /// What the head of an instruction says: the types of its operands, and whether its modifiers stand in another order
  /// than the manual's.
  struct spelling {
    fixed_array<token, instruction::max_operands> types{};
    bool is_disordered = false;
  };

  struct spellings { head_table<spelling> heads; };

  static spelling spelling_of(instruction i) {
    spelling out;
    const form* f = find_form(i);
    if (f == nullptr && reorder_tokens(i)) {
      out.is_disordered = true;
      f = find_form(i);
    }
    for (std::size_t k = 0; k < i.operand_count; ++k)
      out.types[k] = f != nullptr && k < f->operand_count ? f->operands[k].type(i.tokens()) : i.type();
    return out;
  }

  /// Meets the names of `i` in their order, and writes it as the manual does.
  void visit(instruction& i) {
    const spelling& own = spellings_.heads.of(i, spelling_of);
    if (own.is_disordered) reorder_tokens(i);
    if (i.is_guarded()) meet_register(i.guard);
    for (std::size_t k = 0; k < i.operand_count; ++k) {
      operand& o = i[k];
      if (o.is_reg()) {
        meet_register(o.id);
      } else if (o.kind == operand_kind::vector || o.kind == operand_kind::pair) {
        const auto first = static_cast<std::uint32_t>(elements_.size());
        for (const operand& part : function_.parts(o)) visit(elements_.emplace_back(part), own.types[k]);
        o.id = first;
      } else {
        visit(o, own.types[k]);
      }
    }
  }

  /// Numbers are written as their operand's type has them.
  void visit(operand& o, token type) {
    if (o.uses_reg()) return meet_register(o.id);
    switch (o.kind) {
      case operand_kind::label:
        if (labels_[o.id] == no_index) labels_[o.id] = label_count_++;
        break;
      case operand_kind::integer:
        if (const int bits = width_bits(type); bits >= 8) o.value = sign_extend(o.value, bits);
        break;
      case operand_kind::f64:
        if (type == token::f32) o = operand::f32(static_cast<float>(std::bit_cast<double>(o.value)));
        break;
      case operand_kind::f32:
        if (type == token::f64)
          o = operand::f64(static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(o.value))));
        break;
      default: break;
    }
  }

  void meet_register(std::uint32_t id) {
    if (registers_[id] != no_index) return;
    registers_[id] = 0;
    const std::size_t own = class_number(function_.registers[id].type);
    if (own < met_.size()) met_[own].push_back(id);
  }

  void order_registers() {
    dynamic_array<register_info> ordered;
    ordered.reserve(registers_.size());
    for (std::size_t c = 0; c < met_.size(); ++c)
      for (const std::uint32_t id : met_[c]) {
        registers_[id] = static_cast<std::uint32_t>(ordered.size());
        ordered.push_back({register_classes[c]});
      }
    function_.registers = std::move(ordered);
  }

  void renumber(operand& o) const {
    if (o.uses_reg()) o.id = registers_[o.id];
    if (o.kind == operand_kind::label) o.id = labels_[o.id];
  }

  /// An instruction without a place has that of the one before, as a `.loc` reaches to the next.
  void place(instruction& i) {
    if (i.where.file != 0 && i.where.line != 0) last_ = i.where;
    i.where = last_;
  }

  function& function_;
  dynamic_array<operand> elements_;
  dynamic_array<std::uint32_t> labels_, registers_;
  fixed_array<dynamic_array<std::uint32_t>, register_classes.size()> met_;  // of each class, in order
  std::uint32_t label_count_ = 0;
  location last_;
  spellings& spellings_ = kept_by_thread<spellings>();
};

/// Moves function `i` to `place[i]`.
inline void permute_functions(module& m, const dynamic_array<std::uint32_t>& place) {
  dynamic_array<function> moved(m.functions.size());
  for (std::size_t i = 0; i < place.size(); ++i) moved[place[i]] = std::move(m.functions[i]);
  m.functions = std::move(moved);
  const auto move = [&](operand& o) {
    if (o.kind == operand_kind::function) o.id = place[o.id];
  };
  for (variable& v : m.variables)
    for (variable::relocation& r : v.relocations) move(r.target);
  for (function& f : m.functions) {
    if (f.alias != no_index) f.alias = place[f.alias];
    for (instruction& i : f.body)
      for (operand& o : i.operands()) move(o);
    for (operand& o : f.elements) move(o);
  }
}

/// Functions that are only declared come first.
inline void order_functions(module& m) {
  dynamic_array<std::uint32_t> place(m.functions.size());
  std::uint32_t next = 0;
  for (const bool external : {true, false})
    for (std::size_t i = 0; i < m.functions.size(); ++i)
      if (m.functions[i].is_external == external) place[i] = next++;
  if (!std::is_sorted(place.begin(), place.end())) permute_functions(m, place);
}

/// Files that no instruction names go, the others stand in the order they are met.
inline void order_files(module& m) {
  dynamic_array<std::uint32_t> place(m.files.size(), 0);
  dynamic_array<std::string> ordered = {""};
  for (function& f : m.functions)
    for (instruction& i : f.body) {
      if (i.where.file == 0 || i.where.line == 0) {
        i.where = {};
        continue;
      }
      std::uint32_t& to = place[i.where.file];
      if (to == 0) {
        const auto at = std::find(ordered.begin() + 1, ordered.end(), printable(m.files[i.where.file]));
        to = static_cast<std::uint32_t>(at - ordered.begin());
        if (at == ordered.end()) ordered.push_back(printable(m.files[i.where.file]));
      }
      i.where.file = to;
    }
  m.files = std::move(ordered);
}

}  // namespace detail

/// Numbers registers by class and first appearance, labels, elements, files and functions by appearance, and drops the
/// registers and files no one uses, so that `parse(print(m)) == m`.
/// Requires: ids in range, which `verify` checks.
inline void make_canonical(module& m) {
  detail::order_functions(m);
  detail::order_files(m);
  for (function& f : m.functions) detail::canonical_function{f}();
  for (variable& v : m.variables) detail::canonical_function::to_canonical(v);
}

}  // namespace tg::ptx
