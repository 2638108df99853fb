// Instructions waiting to be put in front of others.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <utility>

#include <tg/base/dynamic_array.hpp>
#include <tg/ptx/ir/function.hpp>

namespace tg::ptx {

/// Collects new instructions during a walk over a body, so that positions stay valid until `apply`.
class insertions {
 public:
  /// Requires: positions that do not decrease from call to call.
  instruction& before(std::uint32_t position, const instruction& added) {
    if (waiting_.empty()) waiting_.reserve(64);
    return waiting_.emplace_back(position, added).second;
  }

  /// `what` of `sources` in a new register of `type`, on the line of the instruction at `position`.
  operand compute(function& f, std::uint32_t position, token type, const operation& what,
                  std::initializer_list<operand> sources) {
    const operand result = operand::reg(f.new_register(type));
    instruction& added = before(position, {what, {result}});
    for (const operand& source : sources) added.add(source);
    added.where = f.body[position].where;
    return result;
  }

  /// Inserts `wanted` in front of `position`, with a new register of `type` as its first operand. Returns: that register.
  operand compute(function& f, std::uint32_t position, token type, const instruction& wanted) {
    const operand result = operand::reg(f.new_register(type));
    instruction& added = before(position, wanted);
    added[0] = result;
    added.where = f.body[position].where;
    return result;
  }

  /// Inserts `wanted` as `compute` does, or returns the result of an equal instruction that this added since `forget`.
  /// Requires: sources that keep their values.
  operand compute_once(function& f, std::uint32_t position, token type, const instruction& wanted) {
    if (recent_.empty()) recent_.resize(256, no_index);
    std::uint32_t& same = recent_[hash_of(wanted) % recent_.size()];
    if (same >= first_known_ && same < waiting_.size() && is_same(f, waiting_[same].second, type, wanted))
      return waiting_[same].second[0];
    same = static_cast<std::uint32_t>(waiting_.size());
    return compute(f, position, type, wanted);
  }

  /// What was added up to here need not have run where the walk goes on.
  void forget() { first_known_ = waiting_.size(); }

  /// Ends a sequence of `compute`: its last instruction takes the place of the one at `position` and of its result.
  void replace(function& f, std::uint32_t position) {
    instruction last = std::move(waiting_.back().second);
    waiting_.pop_back();
    f.registers.pop_back();
    last[0] = f.body[position][0];
    f.body[position] = std::move(last);
  }

  /// Moves what was collected into the body. Emptied instructions stay.
  void apply(function& f) {
    dynamic_array<instruction>& body = f.body;
    auto from = static_cast<std::ptrdiff_t>(body.size());
    body.resize(body.size() + waiting_.size());
    auto to = body.end();
    for (; !waiting_.empty(); waiting_.pop_back()) {
      const auto& [position, added] = waiting_.back();
      to = std::move_backward(body.begin() + position, body.begin() + from, to);
      from = position;
      *--to = added;
    }
    forget();
  }

 private:
  static std::size_t hash_of(const instruction& i) {
    auto h = static_cast<std::uint64_t>(i.op);
    for (const operand& o : i.operands().subspan(1))
      h = (h ^ o.id ^ static_cast<std::uint64_t>(o.value) << 32) * 0x9e3779b97f4a7c15ull;
    return static_cast<std::size_t>(h >> 40);
  }

  static bool is_same(const function& f, const instruction& i, token type, const instruction& wanted) {
    return i.op == wanted.op && i.token_array == wanted.token_array && f.registers[i[0].id].type == type &&
           std::ranges::equal(i.operands().subspan(1), wanted.operands().subspan(1));
  }

  dynamic_array<std::pair<std::uint32_t, instruction>> waiting_;
  dynamic_array<std::uint32_t> recent_;  // places in `waiting_`, by hash
  std::size_t first_known_ = 0;          // in `waiting_`
};

/// Collects new instructions for positions in any order. Those for one position stay in the order in which they came.
class unordered_insertions {
 public:
  /// `wanted` in front of `position`, with a new register of `type` as its first operand, on the line of the instruction at
  /// `line_of`. Returns: that register.
  operand compute(function& f, std::uint32_t position, std::uint32_t line_of, token type, instruction wanted) {
    wanted[0] = operand::reg(f.new_register(type));
    wanted.where = f.body[line_of].where;
    const operand result = wanted[0];
    waiting_.emplace_back(position, std::move(wanted));
    return result;
  }
  /// `added` in front of `position`.
  void before(std::uint32_t position, instruction added) { waiting_.emplace_back(position, std::move(added)); }
  /// The result of the sum of `a` and `b` in front of `position`; none where there is no such sum.
  operand sum_at(std::uint32_t position, const operation& add, const operand& a, const operand& b) const {
    for (const auto& [at, one] : waiting_)
      if (at == position && one[1] == a && one[2] == b && one.op == add.op) return one[0];
    return {};
  }
  /// Takes out what is in front of `position`.
  void erase_at(std::uint32_t position) {
    tg::erase_if(waiting_, [&](const auto& one) { return one.first == position; });
  }
  /// Moves what was collected into the body.
  void apply(function& f) {
    std::stable_sort(waiting_.begin(), waiting_.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    insertions in_order;
    for (const auto& [position, one] : waiting_) in_order.before(position, one);
    in_order.apply(f);
    waiting_.clear();
  }

 private:
  dynamic_array<std::pair<std::uint32_t, instruction>> waiting_;
};

}  // namespace tg::ptx
