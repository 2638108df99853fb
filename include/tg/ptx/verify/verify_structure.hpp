// What holds between instructions: markers pair, labels exist, registers are written before they are read.
#pragma once

#include <functional>
#include <string>

#include <tg/base/dynamic_array.hpp>
#include <tg/ptx/codes.hpp>
#include <tg/ptx/meaning/register_uses.hpp>

namespace tg::ptx {

/// Whether a function may read registers that it never wrote, as other compilers' code does.
enum class unwritten_reads : bool { refused, allowed };

}  // namespace tg::ptx

namespace tg::ptx::detail {

class structure_check {
 public:
  /// Called with the number of the error, the instruction it is about and what is wrong.
  using report = std::function<void(code, const instruction&, const std::string&)>;

  structure_check(const function& f, report r) : function_(f), report_(std::move(r)) {}

  void operator()(unwritten_reads unwritten = unwritten_reads::refused) const {
    markers();
    const bool has_labels = labels();
    if (!has_labels && unwritten == unwritten_reads::refused) definitions();
  }

 private:
  void markers() const {
    dynamic_array<const instruction*> open;
    for (const instruction& i : function_.body) {
      if (!is_marker(i.op)) continue;
      const opcode top = open.empty() ? opcode::none : open.back()->op;
      const bool needs_predicate = i.op == opcode::if_ || i.op == opcode::endloop;
      if (i.op == opcode::loop && i.operand_count == 1 && i[0].is(operand_kind::integer) && i[0].value > 0) {
        // how many iterations are to become one
      } else if (needs_predicate != has_predicate(i))
        report_(unbalanced_markers, i, needs_predicate ? "a predicate is missing" : "no predicate belongs here");
      if (i.op == opcode::if_ || i.op == opcode::loop) {
        open.push_back(&i);
      } else if (i.op == opcode::else_) {
        if (top != opcode::if_) report_(unbalanced_markers, i, "no <if> is open");
        open.back() = &i;
      } else if (i.op == opcode::endif) {
        if (top != opcode::if_ && top != opcode::else_) report_(unbalanced_markers, i, "no <if> is open");
        open.pop_back();
      } else {
        if (top != opcode::loop) report_(unbalanced_markers, i, "no <loop> is open");
        open.pop_back();
      }
    }
    if (!open.empty()) report_(unbalanced_markers, *open.back(), "is never closed");
  }

  /// A register, or what constant folding made of it.
  bool has_predicate(const instruction& i) const {
    return i.operand_count == 1 && !i.is_guarded() &&
           (i[0].is(operand_kind::integer) || (i[0].is_reg() && function_.registers[i[0].id].type == token::pred));
  }

  /// Returns whether the function has any.
  bool labels() const {
    dynamic_array<bool> defined(function_.label_count);
    bool has_labels = false;
    for (const instruction& i : function_.body) {
      if (i.op != opcode::label) continue;
      has_labels = true;
      if (defined[i[0].id]) report_(wrong_label, i, "the label is defined twice");
      defined[i[0].id] = true;
    }
    const auto need = [&](const instruction& i, const operand& o) {
      if (o.is(operand_kind::label) && !defined[o.id]) report_(wrong_label, i, "the label is not defined");
    };
    for (const instruction& i : function_.body)
      for (const operand& o : i.operands()) {
        if (o.is(operand_kind::vector))
          for (const operand& part : function_.parts(o)) need(i, part);
        else need(i, o);
      }
    return has_labels;
  }

  /// In structured code a register written once is written on every path to its reads: what one arm of an <if> writes
  /// is gone behind it. A loop runs at least once.
  void definitions() const {
    dynamic_array<std::uint32_t> writes(function_.registers.size());
    for (const instruction& i : function_.body) for_each_written(function_, i, [&](std::uint32_t r) { ++writes[r]; });
    dynamic_array<bool> known(function_.registers.size());
    dynamic_array<std::uint32_t> trail;
    dynamic_array<std::size_t> arms;
    const auto forget = [&](std::size_t length) {
      for (; trail.size() > length; trail.pop_back()) known[trail.back()] = false;
    };
    for (const instruction& i : function_.body) {
      for_each_source(function_, i, [&](std::uint32_t r) {
        if (writes[r] == 0) report_(unwritten_register, i, "reads a register that nothing writes");
        if (writes[r] == 1 && !known[r])
          report_(unwritten_register, i, "reads a register that is not written on every path to it");
      });
      for_each_written(function_, i, [&](std::uint32_t r) {
        if (known[r]) return;
        known[r] = true;
        trail.push_back(r);
      });
      if (i.op == opcode::if_) arms.push_back(trail.size());
      if (i.op == opcode::else_ || i.op == opcode::endif) forget(arms.back());
      if (i.op == opcode::endif) arms.pop_back();
    }
  }

  const function& function_;
  report report_;
};

}  // namespace tg::ptx::detail
