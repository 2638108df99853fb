// The instructions of a function while it is parsed, with their lines, and the labels and tables they name before these
// are written.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include <tg/base/dynamic_array.hpp>
#include <tg/ptx/parse/parse_operand.hpp>
#include <tg/ptx/parse/parse_scope.hpp>

namespace tg::ptx::detail {

class function_body {
 public:
  function_body(lexer& in, function& f, dynamic_array<std::uint32_t>& lines) : in_(in), function_(f), lines_(lines) {}

  /// The line of the source from which the instructions that follow come.
  void place(const location& where) { where_ = where; }

  /// The instruction that was read last.
  instruction& last() { return function_.body.back(); }

  /// An empty instruction at the line of `name`. It stays where it is until the next is added.
  instruction& open(const word& name) {
    instruction& added = function_.body.emplace_back();
    lines_.push_back(name.line);
    added.where = where_;
    return added;
  }

  /// Adds an instruction that the text implies, at the line that is being read.
  void add(const instruction& i) { add(i, in_.peek().line); }
  void add(std::span<const instruction> all) {
    for (const instruction& i : all) add(i);
  }

  /// Puts `before` in front of the instruction that was read last.
  void put_in_front(const dynamic_array<instruction>& before) {
    if (before.empty()) return;
    const instruction reader = last();
    const std::uint32_t line = lines_.back();
    remove_last();
    const auto index = static_cast<std::uint32_t>(function_.body.size());
    add(before);
    for (pending& p : pending_)
      if (!p.in_elements && p.instruction == index) p.instruction += static_cast<std::uint32_t>(before.size());
    function_.body.push_back(reader);
    lines_.push_back(line);
  }

  /// Puts `by` in place of the instruction that was read last. Requires: it awaits no name.
  void replace_last(const dynamic_array<instruction>& by) {
    const std::uint32_t line = lines_.back();
    remove_last();
    for (const instruction& i : by) add(i, line);
  }

  /// The next operand of the instruction that was read last is what `name` stands for in `scope`: a label, or a table of
  /// targets or a prototype. It may be written further down.
  void await(const word& name, bool is_table, std::uint32_t scope) {
    const auto index = static_cast<std::uint32_t>(function_.body.size() - 1);
    pending_.push_back({index, last().operand_count, false, is_table, scope, name});
  }

  /// Element `slot` of the function's vectors is the label `name`.
  void await_element(const word& name, std::uint32_t slot, std::uint32_t scope) {
    pending_.push_back({0, slot, true, false, scope, name});
  }

  /// Fills in the names that were awaited.
  void resolve(const scopes& s, const module_names& names) {
    for (const pending& p : pending_) resolve(p, s, names);
  }

 private:
  /// An operand whose name may be defined further down.
  struct pending {
    std::uint32_t instruction = 0;
    std::uint32_t slot = 0;
    bool in_elements = false;
    bool is_table = false;
    std::uint32_t scope = 0;
    word name;
  };

  void add(const instruction& i, std::uint32_t line) {
    function_.body.push_back(i);
    last().where = where_;
    lines_.push_back(line);
  }

  void remove_last() {
    function_.body.pop_back();
    lines_.pop_back();
  }

  void resolve(const pending& p, const scopes& s, const module_names& names) {
    operand& o = p.in_elements ? function_.elements[p.slot] : function_.body[p.instruction][p.slot];
    if (p.is_table) {
      const auto table = s.find_table(p.name.text, p.scope);
      const auto listed = names.find(p.name.text);
      if (!table && p.slot == 3 && listed != names.end() && listed->second.is(operand_kind::variable)) {
        o = listed->second;  // the functions in its initial value
        return;
      }
      if (!table) in_.fail_at(p.name, undeclared_name, "'" + std::string(p.name.text) + "' is not declared");
      o = *table;
    } else {
      const auto id = s.find_label(p.name.text, p.scope);
      if (!id) in_.fail_at(p.name, undeclared_name, "label '" + std::string(p.name.text) + "' is not defined");
      o.id = *id;
    }
  }

  lexer& in_;
  function& function_;
  dynamic_array<std::uint32_t>& lines_;
  location where_;
  dynamic_array<pending> pending_;
};

}  // namespace tg::ptx::detail
