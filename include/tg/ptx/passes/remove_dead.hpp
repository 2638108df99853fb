// Code that nothing depends on goes: unread values, unread plain loads, branches that are empty or never taken.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include <tg/base/dynamic_array.hpp>
#include <tg/ptx/meaning/register_uses.hpp>

namespace tg::ptx {

/// Keeps what has an effect and what that depends on. Volatile loads and atomics have one, plain loads do not.
void remove_dead(function& f);

namespace detail {

/// Takes out branches and back edges whose predicate is an immediate.
class settled_branches {
 public:
  explicit settled_branches(function& f) : f_(f) {}

  void run() {
    dynamic_array<branch> open;
    dynamic_array<std::uint32_t> loops;
    std::size_t dropping = 0;  // how many open branches leave this place unreachable
    for (std::uint32_t n = 0, end = f_.body_size(); n < end; ++n) {
      instruction& i = f_.body[n];
      switch (i.op) {
        case opcode::if_: {
          const bool is_known = i[0].is_immediate();
          const bool is_true = is_known && (i[0].value != 0) != i[0].negated;
          open.push_back({is_known, is_true});
          dropping += is_known && !is_true;
          if (is_known) i = {};
          break;
        }
        case opcode::else_:
          if (const branch b = open.back(); b.is_known) {
            dropping += b.is_true ? 1 : static_cast<std::size_t>(-1);
            open.back().is_in_else = true;
            i = {};
          }
          break;
        case opcode::endif:
          if (const branch b = open.back(); b.is_known) {
            dropping -= b.is_true == b.is_in_else;
            i = {};
          }
          open.pop_back();
          break;
        case opcode::loop: loops.push_back(n); break;
        case opcode::endloop:
          if (i[0].is_immediate() && (i[0].value != 0) == i[0].negated) {
            f_.body[loops.back()] = {};
            i = {};
          }
          loops.pop_back();
          break;
        default: break;
      }
      if (dropping != 0) i = {};
    }
  }

 private:
  struct branch {
    bool is_known = false;
    bool is_true = false;
    bool is_in_else = false;
  };
  function& f_;
};

/// Marks from the effects backwards, again while a loop carries a need to its start.
class liveness_marks {
 public:
  explicit liveness_marks(function& f) : f_(f), seen_(f.registers.size()), fate_(f.body.size()) {}

  void run() {
    mark();
    while (std::exchange(again_, false)) {
      std::replace(seen_.begin(), seen_.end(), state::passed, state::unread);
      mark();
    }
    std::size_t kept = 0;
    for (std::size_t n = 0; n < fate_.size(); ++n)
      if (fate_[n] >= fate::kept) f_.body[kept++] = f_.body[n];
    f_.body.resize(kept);
  }

 private:
  /// What the walk, from the end to the beginning, knows of a register so far.
  enum class state : std::uint8_t {
    unread,
    passed,  // a write of it was not needed
    needed,
  };
  /// What becomes of an instruction. One that is empty or kept is not looked at again, except for branches.
  enum class fate : std::uint8_t {
    dead,
    empty,
    kept,
    kept_branch,
  };
  struct region {
    std::uint32_t end, middle = no_index;
    bool has_content = false;
  };

  void mark() {
    dynamic_array<region> open;  // branches that the walk is inside of
    for (std::uint32_t n = static_cast<std::uint32_t>(f_.body.size()); n-- > 0;) {
      if (fate_[n] == fate::empty) continue;
      if (fate_[n] == fate::kept) {
        if (!open.empty()) open.back().has_content = true;
        continue;
      }
      const instruction& i = f_.body[n];
      if (i.op == opcode::none) {
        fate_[n] = fate::empty;
      } else if (i.op == opcode::endif) {
        open.push_back({n});
      } else if (i.op == opcode::else_) {
        open.back().middle = n;
      } else if (i.op == opcode::if_) {
        const region closed = open.back();
        open.pop_back();
        if (!closed.has_content) continue;
        keep(n, fate::kept_branch);
        fate_[closed.end] = fate::kept_branch;
        if (closed.middle != no_index) fate_[closed.middle] = fate::kept_branch;
        if (!open.empty()) open.back().has_content = true;
      } else if (is_needed(i)) {
        keep(n, fate::kept);
        if (!open.empty()) open.back().has_content = true;
      }
    }
  }

  bool is_needed(const instruction& i) {
    if (i[0].is_reg() && result_count(i) == 1) {
      state& own = seen_[i[0].id];
      if (own == state::needed || !is_removable(i)) return true;
      own = state::passed;
      return false;
    }
    bool needed = result_count(i) == 0;
    for_each_written(f_, i, [&](std::uint32_t r) { needed = needed || seen_[r] == state::needed; });
    if (needed || !is_removable(i)) return true;
    for_each_written(f_, i, [&](std::uint32_t r) { seen_[r] = state::passed; });
    return false;
  }

  void keep(std::uint32_t n, fate as) {
    if (fate_[n] == as) return;
    fate_[n] = as;
    for_each_read(f_, f_.body[n], [&](std::uint32_t r) {
      again_ = again_ || seen_[r] == state::passed;
      seen_[r] = state::needed;
    });
  }

  function& f_;
  dynamic_array<state> seen_;
  dynamic_array<fate> fate_;
  bool again_ = false;
};

}  // namespace detail

inline void remove_dead(function& f) {
  const auto is_settled = [](const instruction& i) {
    return (i.op == opcode::if_ || i.op == opcode::endloop) && i[0].is_immediate();
  };
  if (std::any_of(f.body.begin(), f.body.end(), is_settled)) detail::settled_branches(f).run();
  detail::liveness_marks(f).run();
}

}  // namespace tg::ptx
