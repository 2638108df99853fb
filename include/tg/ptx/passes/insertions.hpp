// Instructions waiting to be put in front of others.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <utility>
#include <vector>

#include <tg/ptx/function.hpp>

namespace tg::ptx {

/// Collects new instructions during a walk over a body, so that positions stay valid until `apply`.
class insertions {
 public:
  /// Requires: positions that do not decrease from call to call.
  instruction& before(std::uint32_t position, instruction added) {
    return waiting_.emplace_back(position, std::move(added)).second;
  }

  /// `op.tokens d, sources...` with a new register `d` of `type`, on the line of the instruction at `position`.
  operand compute(function& f, std::uint32_t position, token type, opcode op, std::initializer_list<token> tokens,
                  std::initializer_list<operand> sources) {
    const operand result = operand::reg(f.new_register(type));
    instruction& added = before(position, {op, tokens, {result}});
    for (const operand& source : sources) added.add(source);
    added.where = f.body[position].where;
    return result;
  }

  /// Ends a sequence of `compute`: its last instruction takes the place of the one at `position` and of its result.
  void replace(function& f, std::uint32_t position) {
    instruction last = std::move(waiting_.back().second);
    waiting_.pop_back();
    f.registers.pop_back();
    last[0] = f.body[position][0];
    f.body[position] = std::move(last);
  }

  /// Merges what was collected into the body and takes out emptied instructions.
  void apply(function& f) {
    if (waiting_.empty()) return;
    std::vector<instruction> body;
    body.reserve(f.body.size() + waiting_.size());
    auto next = waiting_.begin();
    for (std::uint32_t n = 0; n < f.body.size(); ++n) {
      for (; next != waiting_.end() && next->first == n; ++next) body.push_back(next->second);
      if (f.body[n].op != opcode::none) body.push_back(f.body[n]);
    }
    for (; next != waiting_.end(); ++next) body.push_back(next->second);
    f.body = std::move(body);
    waiting_.clear();
  }

 private:
  std::vector<std::pair<std::uint32_t, instruction>> waiting_;
};

}  // namespace tg::ptx
