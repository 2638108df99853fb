// Parts of words that only one branch reads are taken out of their word there.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include <tg/base/dynamic_array.hpp>
#include <tg/ptx/passes/forward_words.hpp>
#include <tg/ptx/passes/insertions.hpp>

namespace tg::ptx {

/// Moves `mov {a, b}, word;` to the beginning of the innermost branch that holds all readers of a and b, though into no loop:
/// where a vector is stored whole in one branch and element by element in the other, the first one takes nothing apart.
void sink_splits(function& f);

namespace detail {

class split_sinking {
 public:
  explicit split_sinking(function& f) : f_(f), uses_(count_definitions(f)), readers_(uses_.size(), no_index) {}

  void run() {
    dynamic_array<std::pair<std::uint32_t, std::uint32_t>> splits;  // places and the branches that they stand in
    std::uint32_t here = 0;
    for (std::uint32_t n = 0, end = f_.body_size(); n < end; ++n) {
      const instruction& i = f_.body[n];
      if (i.op == opcode::else_ || i.op == opcode::endif) here = branches_[here].parent;
      for_each_read(f_, i, [&](std::uint32_t r) { readers_[r] = readers_[r] == no_index ? here : around(readers_[r], here); });
      if (i.op == opcode::if_ || i.op == opcode::else_ || i.op == opcode::loop) here = open(n, here);
      if (i.op == opcode::endloop) here = branches_[here].parent;
      if (is_split(i) && is_value(uses_, i[1])) splits.emplace_back(n, here);
    }
    dynamic_array<std::pair<std::uint32_t, std::uint32_t>> moves;  // to behind the first, from the second
    for (const auto& [n, own] : splits)
      if (const std::uint32_t to = target_of(f_.body[n], own); to != own) moves.emplace_back(branches_[to].start, n);
    if (moves.empty()) return;
    std::stable_sort(moves.begin(), moves.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    insertions moved;
    for (const auto& [to, from] : moves) moved.before(to + 1, std::exchange(f_.body[from], {}));
    moved.apply(f_);
  }

 private:
  struct branch {
    std::uint32_t start = no_index;  // its `if_`, `else_` or `loop`
    std::uint32_t parent = 0;
    std::uint32_t depth = 0;
    bool is_loop = false;
  };

  std::uint32_t open(std::uint32_t n, std::uint32_t parent) {
    branches_.push_back({n, parent, branches_[parent].depth + 1, f_.body[n].op == opcode::loop});
    return static_cast<std::uint32_t>(branches_.size() - 1);
  }

  // The innermost one around two.
  std::uint32_t around(std::uint32_t a, std::uint32_t b) const {
    while (a != b) {
      std::uint32_t& deeper = branches_[a].depth > branches_[b].depth ? a : b;
      deeper = branches_[deeper].parent;
    }
    return a;
  }

  // Where a split that stands in `own` can go: `own` where it has to stay.
  std::uint32_t target_of(const instruction& i, std::uint32_t own) const {
    std::uint32_t to = no_index;
    for (const operand& part : f_.parts(i[0])) {
      if (!is_value(uses_, part)) return own;
      if (readers_[part.id] != no_index) to = to == no_index ? readers_[part.id] : around(to, readers_[part.id]);
    }
    if (to == no_index) return own;
    for (std::uint32_t b = to; b != own; b = branches_[b].parent) {
      if (branches_[b].depth <= branches_[own].depth) return own;
      if (branches_[b].is_loop) to = branches_[b].parent;
    }
    return to;
  }

  function& f_;
  dynamic_array<register_use> uses_;
  dynamic_array<std::uint32_t> readers_;  // of each register: the innermost branch around all that read it
  dynamic_array<branch> branches_ = {{}};
};

}  // namespace detail

inline void sink_splits(function& f) {
  if (std::any_of(f.body.begin(), f.body.end(), detail::is_split)) detail::split_sinking(f).run();
}

}  // namespace tg::ptx
