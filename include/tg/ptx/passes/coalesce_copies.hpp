// Variables are read and written in place: `mov t, v; add u, t, 1; mov v, u` becomes `add v, v, 1`.
#pragma once

#include <cstdint>

#include <tg/base/dynamic_array.hpp>
#include <tg/ptx/meaning/register_uses.hpp>
#include <tg/ptx/passes/versions.hpp>

namespace tg::ptx {

namespace detail {

/// Looks at each instruction once to find what to rename, and once more to rename.
class copy_coalescing {
 public:
  explicit copy_coalescing(function& f) : f_(f), version_(f), seen_(f.registers.size()) {}

  void run() {
    for (std::uint32_t n = 0, end = f_.body_size(); n < end; ++n) visit(n);
    rename();
  }

 private:
  /// What the walk knows of a register so far.
  struct sight {
    std::uint32_t variable = no_index;  // that got or gave the value
    std::uint32_t version = 0;          // of the variable then
    std::uint32_t last_access = 0;
    std::uint32_t last_write = 0;
  };
  struct copy { std::uint32_t place, to, from; };

  void visit(std::uint32_t n) {
    instruction& i = f_.body[n];
    for_each_read(f_, i, [&](std::uint32_t& r) {
      read_variable(r);
      seen_[r].last_access = n;
    });
    version_.pass(n);
    if (is_marker(i.op) || has_trait(i.op, trait::deferred)) block_start_ = n + 1;
    if (is_copy(i) && i[1].is_reg() && !i[1].negated) pass_copy(n);
    for_each_written(f_, i, [&](std::uint32_t r) { seen_[r].last_access = seen_[r].last_write = n; });
  }

  // Forward: a value that a variable still holds is read from the variable.
  void read_variable(std::uint32_t& r) const {
    const sight& s = seen_[r];
    if (s.variable != no_index && version_[s.variable] == s.version && can_replace(f_, r, s.variable)) r = s.variable;
  }

  void pass_copy(std::uint32_t n) {
    instruction& i = f_.body[n];
    const std::uint32_t to = i[0].id, from = i[1].id;
    if (to == from) return i.clear();
    if (version_.is_variable(to) == version_.is_variable(from)) return;
    const std::uint32_t variable = version_.is_variable(to) ? to : from, value = to ^ from ^ variable;
    seen_[value].variable = variable;
    seen_[value].version = version_[variable];
    if (variable == to && can_be_computed_in(to, from)) candidates_.push_back({n, to, from});
  }

  // Backward: a value that is only moved into a variable is computed there, if nobody looks at the variable in between.
  bool can_be_computed_in(std::uint32_t variable, std::uint32_t value) const {
    const std::uint32_t definition = seen_[value].last_write;
    return definition >= block_start_ && seen_[variable].last_access <= definition && can_replace(f_, variable, value) &&
           !f_.body[definition].is_guarded();
  }

  void rename() {
    dynamic_array<std::uint32_t> renamed(seen_.size(), no_index);
    for (const copy& c : candidates_) {
      if (seen_[c.from].last_access != c.place) continue;
      renamed[c.from] = c.to;
      f_.body[c.place].clear();
    }
    std::size_t kept = 0;
    for (instruction& i : f_.body) {
      if (i.op == opcode::none) continue;
      const auto rename = [&](std::uint32_t& r) {
        if (renamed[r] != no_index) r = renamed[r];
      };
      for_each_written(f_, i, rename);
      for_each_source(f_, i, rename);
      f_.body[kept++] = i;
    }
    f_.body.resize(kept);
  }

  function& f_;
  versions version_;
  dynamic_array<sight> seen_;
  dynamic_array<copy> candidates_;  // that go, if they are the last to read their value
  std::uint32_t block_start_ = 0;
};

}  // namespace detail

/// Takes out the copies between variables and the values computed from and for them.
inline void coalesce_copies(function& f) { detail::copy_coalescing(f).run(); }

}  // namespace tg::ptx
