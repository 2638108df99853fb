// Which write of a variable a read sees, as a number that changes with every write that may reach it.
#pragma once

#include <cstdint>

#include <tg/base/dynamic_array.hpp>
#include <tg/ptx/meaning/register_uses.hpp>

namespace tg::ptx {

/// Follows a walk over a structured body. Two reads of a register that see the same number see the same contents.
class versions {
 public:
  versions(const function& f, const dynamic_array<register_use>& uses) : f_(f), number_(uses.size()) {
    for (std::size_t r = 0; r < uses.size(); ++r) number_[r] = uses[r].is_value() ? of_value : first;
    note_writes();
  }
  /// Finds by itself what is a variable, for less than `count_uses` takes.
  explicit versions(const function& f) : f_(f), number_(f.registers.size(), unwritten) {
    for (const instruction& i : f.body)
      for_each_written(f, i, [&](std::uint32_t r) { number_[r] = number_[r] == unwritten ? of_value : first; });
    note_writes();
  }

  std::uint32_t operator[](std::uint32_t r) const { return number_[r]; }

  /// Whether `r` is no value: not written exactly once.
  bool is_variable(std::uint32_t r) const { return number_[r] != of_value; }

  /// Call for each instruction in order, after its reads were looked at.
  void pass(std::uint32_t n) {
    const opcode op = f_.body[n].op;
    if (!is_marker(op)) {
      for (; writes_[next_].place == n; ++next_) write(writes_[next_].variable);
      return;
    }
    switch (op) {
      case opcode::if_: branches_.push_back(written_.size()); break;
      case opcode::else_: renumber_branch(); break;
      case opcode::endif:
        renumber_branch();
        branches_.pop_back();
        break;
      case opcode::loop: renumber_loop(n); break;
      default: break;
    }
  }

 private:
  static constexpr std::uint32_t of_value = 0, unwritten = 1, first = 2;

  struct write_of_variable { std::uint32_t place, variable; };

  // They are few: a walk looks at them instead of at everything that is written.
  void note_writes() {
    std::uint32_t n = 0;
    for (const instruction& i : f_.body) {
      for_each_written(f_, i, [&](std::uint32_t r) {
        if (is_variable(r)) writes_.push_back({n, r});
      });
      ++n;
    }
    writes_.push_back({no_index, no_index});
  }

  void write(std::uint32_t r) {
    number_[r] = ++last_;
    if (!branches_.empty()) written_.push_back(r);
  }

  void renumber_branch() {
    for (std::size_t k = branches_.back(); k < written_.size(); ++k) number_[written_[k]] = ++last_;
  }

  // The first iteration sees what came before, the others what the body wrote.
  void renumber_loop(std::uint32_t n) {
    const std::uint32_t end = end_of_loop(n);
    for (std::size_t k = next_; writes_[k].place < end; ++k) write(writes_[k].variable);
  }

  std::uint32_t end_of_loop(std::uint32_t n) const {
    for (int depth = 0; n < f_.body.size(); ++n) {
      if (f_.body[n].op == opcode::loop) ++depth;
      if (f_.body[n].op == opcode::endloop && --depth == 0) break;
    }
    return n;
  }

  const function& f_;
  dynamic_array<std::uint32_t> number_;
  dynamic_array<write_of_variable> writes_;  // by place; behind the last one there is one at no place
  std::size_t next_ = 0;                     // the first one that the walk has not passed
  dynamic_array<std::uint32_t> written_;     // by open branches, in order
  dynamic_array<std::size_t> branches_;      // where each open branch starts in `written_`
  std::uint32_t last_ = first;
};

}  // namespace tg::ptx
