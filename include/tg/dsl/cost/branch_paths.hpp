// Which threads of a block come to each instruction of a flat function: surely, never, or as data says.
//
// Each thread has a weight: 1 before the first branch. A branch whose condition is known in a thread moves the weight on
// or away; another one moves half of it. Where paths meet, weights add up: 1 is "surely" again, 0 is "never".
#pragma once

#include <map>

#include <tg/dsl/cost/thread_values.hpp>
#include <tg/ptx/ir/opcode_table.hpp>

namespace tg::detail {

/// Walks over the function once, from the first instruction to the last.
class branch_paths {
 public:
  /// Requires: a flat function.
  branch_paths(const ptx::function& f, analysis::block_extent block)
      : f_(f),
        uses_(ptx::count_uses(f)),
        values_(f, block, uses_),
        place_(f.label_count, ptx::no_index),
        is_loop_head_(f.label_count),
        here_(static_cast<std::size_t>(block.threads()), 1.0),
        came_(here_),
        own_(here_) {
    for (std::uint32_t n = 0; n < f.body.size(); ++n) {
      const ptx::instruction& i = f.body[n];
      if (i.op == ptx::opcode::label) place_[i[0].id] = n;
      if (ptx::has_trait(i.op, ptx::trait::branch) && place_[i[0].id] != ptx::no_index) is_loop_head_[i[0].id] = true;
    }
  }

  /// Goes on to instruction `n`. Requires: called for each instruction, in order.
  void step(std::uint32_t n) {
    const ptx::instruction& i = f_.body[n];
    if (i.op == ptx::opcode::label) arrive(i[0].id);
    is_open_ = false;
    own_ = came_ = here_;
    const bool is_back = ptx::has_trait(i.op, ptx::trait::branch) && place_[i[0].id] <= n;
    if (!i.is_guarded() && !ends(i) && !(ptx::has_trait(i.op, ptx::trait::branch) && !is_back)) return;
    if (is_back) return;  // all leave the loop in the end
    for (std::size_t t = 0; t < own_.size(); ++t) own_[t] *= 0.5;
    if (!i.is_guarded()) {
      own_ = here_;
    } else {
      const thread_values::row guard = values_.of_register(i.guard);
      for (std::size_t t = 0; t < own_.size(); ++t) {
        if (here_[t] == 0) continue;
        if (guard[t]) own_[t] = (*guard[t] != 0) != i.guard_negated ? here_[t] : 0;
        else is_open_ = true;
      }
    }
    if (ptx::has_trait(i.op, ptx::trait::branch)) {
      dynamic_array<double>& to = coming_.try_emplace(i[0].id, own_.size(), 0.0).first->second;
      for (std::size_t t = 0; t < own_.size(); ++t) to[t] += own_[t];
    }
    if (!ptx::has_trait(i.op, ptx::trait::branch) && !ends(i)) return;
    for (std::size_t t = 0; t < own_.size(); ++t) here_[t] -= own_[t];
    if (ptx::has_trait(i.op, ptx::trait::branch)) own_ = came_;  // who stays ran the branch as well
  }

  /// Whether the thread comes to the instruction, whatever the data are: a warp issues it also where its guard is false.
  bool is_sure_to_come(std::size_t thread) const { return came_[thread] > 1 - 1e-9; }
  /// Whether the thread may come to it.
  bool may_come(std::size_t thread) const { return came_[thread] > 0; }
  /// Whether the thread runs the instruction, whatever the data are.
  bool is_sure(std::size_t thread) const { return own_[thread] > 1 - 1e-9; }
  /// Whether the thread may run it.
  bool is_possible(std::size_t thread) const { return own_[thread] > 0; }
  /// Whether the instruction's condition is not known in some thread.
  bool is_open() const { return is_open_; }

 private:
  static bool ends(const ptx::instruction& i) { return ptx::has_trait(i.op, ptx::trait::leaves); }

  void arrive(std::uint32_t label) {
    if (const auto found = coming_.find(label); found != coming_.end())
      for (std::size_t t = 0; t < here_.size(); ++t) here_[t] += found->second[t];
    // A loop that is entered at its end: whoever jumps back comes here.
    if (is_loop_head_[label] && std::all_of(here_.begin(), here_.end(), [](double w) { return w == 0; }))
      std::fill(here_.begin(), here_.end(), 0x1p-60);
  }

  const ptx::function& f_;
  dynamic_array<ptx::register_use> uses_;
  thread_values values_;
  dynamic_array<std::uint32_t> place_;  // of each label that was passed
  dynamic_array<bool> is_loop_head_;
  dynamic_array<double> here_;                             // weights behind the instruction
  dynamic_array<double> came_;                             // before the instruction
  dynamic_array<double> own_;                              // of those that run it
  std::map<std::uint32_t, dynamic_array<double>> coming_;  // to labels further on
  bool is_open_ = false;
};

}  // namespace tg::detail
