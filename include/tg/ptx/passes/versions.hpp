// Which write of a variable a read sees, as a number that changes with every write that may reach it.
#pragma once

#include <cstdint>
#include <vector>

#include <tg/ptx/passes/registers.hpp>

namespace tg::ptx {

/// Follows a walk over a structured body. Two reads of a register that see the same number see the same contents.
class versions {
 public:
  versions(const function& f, const std::vector<register_use>& uses) : f_(f), uses_(uses), number_(uses.size()) {}

  std::uint32_t operator[](std::uint32_t r) const { return number_[r]; }

  /// Call for each instruction in order, after its reads were looked at.
  void pass(std::uint32_t n) {
    switch (const instruction& i = f_.body[n]; i.op) {
      case opcode::if_: branches_.push_back(written_.size()); break;
      case opcode::else_: renumber_branch(); break;
      case opcode::endif:
        renumber_branch();
        branches_.pop_back();
        break;
      case opcode::loop: renumber_loop(n); break;
      default: for_each_written(f_, i, [&](std::uint32_t r) { write(r); });
    }
  }

 private:
  void write(std::uint32_t r) {
    if (uses_[r].is_value()) return;
    number_[r] = ++last_;
    if (!branches_.empty()) written_.push_back(r);
  }

  void renumber_branch() {
    for (std::size_t k = branches_.back(); k < written_.size(); ++k) number_[written_[k]] = ++last_;
  }

  // The first iteration sees what came before, the others what the body wrote.
  void renumber_loop(std::uint32_t n) {
    for (int depth = 0; n < f_.body.size(); ++n) {
      const instruction& i = f_.body[n];
      if (i.op == opcode::loop) ++depth;
      if (i.op == opcode::endloop && --depth == 0) return;
      for_each_written(f_, i, [&](std::uint32_t r) { write(r); });
    }
  }

  const function& f_;
  const std::vector<register_use>& uses_;
  std::vector<std::uint32_t> number_;
  std::vector<std::uint32_t> written_;      // by open branches, in order
  std::vector<std::size_t> branches_;       // where each open branch starts in `written_`
  std::uint32_t last_ = 0;
};

}  // namespace tg::ptx
