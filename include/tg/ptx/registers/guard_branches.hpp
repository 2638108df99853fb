// Branches over a few steps become guards of these, and loops have their test at the end, as ptxas makes them.
#pragma once

#include <tg/ptx/ir/opcode_table.hpp>
#include <tg/ptx/registers/machine_steps.hpp>

namespace tg::ptx {

namespace detail {

class branch_guarder {
 public:
  branch_guarder(dynamic_array<machine_step>& steps, std::uint32_t labels)
      : steps_(steps), place_(labels), references_(labels) {}

  void run() {
    for (bool changed = true; changed;) {
      look();
      changed = drop_labels();
      for (std::size_t n = 0; !changed && n < steps_.size(); ++n)
        if (has_trait(steps_[n].op, trait::branch))
          changed = steps_[n].is_guarded ? turn(n) || one_side(n) || both_sides(n) || same_end(n) : goes_on(n) || rotate(n);
    }
  }

 private:
  static constexpr std::size_t most = 9;  // steps that are rather guarded than jumped over

  void look() {
    std::fill(place_.begin(), place_.end(), steps_.size());
    std::fill(references_.begin(), references_.end(), 0u);
    for (std::size_t n = 0; n < steps_.size(); ++n) {
      if (steps_[n].op == opcode::label) place_[steps_[n].label] = n;
      if (has_trait(steps_[n].op, trait::branch)) ++references_[steps_[n].label];
      if (steps_[n].op == opcode::brx)
        for (std::uint32_t& count : references_) count += 2;
    }
  }

  bool drop_labels() {
    return tg::erase_if(steps_, [&](const machine_step& s) { return s.op == opcode::label && references_[s.label] == 0; }) != 0;
  }

  void erase(std::size_t n) { steps_.erase(steps_.begin() + static_cast<std::ptrdiff_t>(n)); }

  bool goes_on(std::size_t n) {
    if (place_[steps_[n].label] != n + 1) return false;
    erase(n);
    return true;
  }

  // `@p bra A; bra B; A:` is `@!p bra B; A:`.
  bool turn(std::size_t n) {
    if (n + 2 >= steps_.size() || place_[steps_[n].label] != n + 2) return false;
    if (!has_trait(steps_[n + 1].op, trait::branch) || steps_[n + 1].is_guarded) return false;
    steps_[n].label = steps_[n + 1].label;
    steps_[n].is_negated = !steps_[n].is_negated;
    erase(n + 1);
    return true;
  }

  bool can_guard(std::size_t begin, std::size_t end) const {
    if (end < begin || end - begin > most) return false;
    const auto from = steps_.begin() + static_cast<std::ptrdiff_t>(begin);
    return std::all_of(from, from + static_cast<std::ptrdiff_t>(end - begin),
                       [](const machine_step& s) { return s.can_be_guarded; });
  }

  void guard(std::size_t begin, std::size_t end, const dynamic_array<std::uint32_t>& by) {
    for (std::size_t n = begin; n < end; ++n) {
      machine_step& s = steps_[n];
      s.is_guarded = true;
      for (const std::uint32_t r : by)
        if (std::find(s.reads.begin(), s.reads.end(), r) == s.reads.end()) s.reads.push_back(r);
    }
  }

  bool one_side(std::size_t n) {
    const std::size_t end = place_[steps_[n].label];
    if (end == steps_.size() || !can_guard(n + 1, end)) return false;
    guard(n + 1, end, steps_[n].reads);
    erase(n);
    return true;
  }

  // `@p bra A; a; bra A` is `@!p a; bra A`.
  bool same_end(std::size_t n) {
    std::size_t end = n + 1;
    while (end < steps_.size() && steps_[end].can_be_guarded) ++end;
    if (end == steps_.size() || !has_trait(steps_[end].op, trait::branch) || steps_[end].is_guarded) return false;
    if (steps_[end].label != steps_[n].label || !can_guard(n + 1, end)) return false;
    guard(n + 1, end, steps_[n].reads);
    erase(n);
    return true;
  }

  // A loop that is entered behind its test, `T: t; @p bra E; B: b; bra T`, has it at the end: `B: b; t; @!p bra B; bra
  // E`.
  bool rotate(std::size_t n) {
    const std::size_t test = place_[steps_[n].label];
    if (test >= n || test == 0 || references_[steps_[n].label] != 1) return false;
    const machine_step& before = steps_[test - 1];
    if (!has_trait(before.op, trait::branch) || before.is_guarded) return false;
    std::size_t leave = test + 1;
    while (leave < n && steps_[leave].op != opcode::label && !has_trait(steps_[leave].op, trait::branch)) ++leave;
    if (leave + 1 >= n || !has_trait(steps_[leave].op, trait::branch) || !steps_[leave].is_guarded) return false;
    if (steps_[leave + 1].op != opcode::label) return false;
    std::swap(steps_[n].label, steps_[leave].label);
    steps_[leave].label = steps_[leave + 1].label;
    steps_[leave].is_negated = !steps_[leave].is_negated;
    const auto at = [&](std::size_t k) { return steps_.begin() + static_cast<std::ptrdiff_t>(k); };
    std::rotate(at(test), at(leave + 1), at(n));
    return true;
  }

  // `@p bra B; a; bra E; B: b; E:`. What both sides write is written in any case, and lives from the second on: no
  // thread needs a register for it while the others come to it.
  bool both_sides(std::size_t n) {
    const std::size_t other = place_[steps_[n].label];
    if (other == steps_.size() || other <= n + 1 || references_[steps_[other].label] != 1) return false;
    const machine_step& jump = steps_[other - 1];
    if (!has_trait(jump.op, trait::branch) || jump.is_guarded) return false;
    const std::size_t end = place_[jump.label];
    if (end == steps_.size() || !can_guard(n + 1, other - 1) || !can_guard(other + 1, end)) return false;
    guard(n + 1, other - 1, steps_[n].reads);
    guard(other + 1, end, steps_[n].reads);
    for (std::size_t a = n + 1; a < other - 1; ++a)
      for (std::size_t b = other + 1; b < end; ++b)
        if (steps_[a].writes == steps_[b].writes && !steps_[a].writes.empty()) {
          steps_[b].is_guarded = false;
          steps_[a].writes.clear();
        }
    const auto at = steps_.begin() + static_cast<std::ptrdiff_t>(other);
    steps_.erase(at - 1, at + 1);
    erase(n);
    return true;
  }

  dynamic_array<machine_step>& steps_;
  dynamic_array<std::size_t> place_;
  dynamic_array<std::uint32_t> references_;
};

}  // namespace detail

/// Guards what can be; `labels` is how many the function has.
inline void guard_branches(dynamic_array<machine_step>& steps, std::uint32_t labels) {
  detail::branch_guarder(steps, labels).run();
}

}  // namespace tg::ptx
