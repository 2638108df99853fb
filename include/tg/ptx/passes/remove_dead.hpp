// Code that nothing depends on goes: unread values, unread plain loads, branches that are empty or never taken.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include <tg/ptx/passes/registers.hpp>

namespace tg::ptx {

/// Keeps what has an effect and what that depends on. Volatile loads and atomics have one, plain loads do not.
void remove_dead(function& f);

namespace detail {

/// Takes out branches and back edges whose predicate is an immediate.
class settled_branches {
 public:
  explicit settled_branches(function& f) : f_(f) {}

  void run() {
    std::vector<branch> open;
    std::vector<std::uint32_t> loops;
    std::size_t dropping = 0;  // how many open branches leave this place unreachable
    for (std::uint32_t n = 0; n < f_.body.size(); ++n) {
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
  explicit liveness_marks(function& f) : f_(f), uses_(count_uses(f)), needed_(uses_.size()), live_(f.body.size()) {}

  void run() {
    do {
      again_ = false;
      mark();
    } while (again_);
    bool any = false;
    for (std::size_t n = 0; n < live_.size(); ++n) {
      if (live_[n] != 0) continue;
      f_.body[n] = {};
      any = true;
    }
    if (any) drop_empty(f_);
  }

 private:
  struct region {
    std::uint32_t end, middle = no_index;
    bool has_content = false;
  };

  void mark() {
    std::vector<region> open;  // branches that the walk is inside of
    for (std::uint32_t n = static_cast<std::uint32_t>(f_.body.size()); n-- > 0;) {
      const instruction& i = f_.body[n];
      if (i.op == opcode::none) continue;
      if (i.op == opcode::endif) {
        open.push_back({n});
      } else if (i.op == opcode::else_) {
        open.back().middle = n;
      } else if (i.op == opcode::if_) {
        const region closed = open.back();
        open.pop_back();
        if (!closed.has_content) continue;
        keep(n);
        live_[closed.end] = 1;
        if (closed.middle != no_index) live_[closed.middle] = 1;
        if (!open.empty()) open.back().has_content = true;
      } else if (is_needed(i)) {
        keep(n);
        if (!open.empty()) open.back().has_content = true;
      }
    }
  }

  bool is_needed(const instruction& i) const {
    if (!is_removable(i)) return true;
    bool needed = result_count(i) == 0;
    for_each_written(f_, i, [&](std::uint32_t r) { needed = needed || needed_[r] != 0; });
    return needed;
  }

  void keep(std::uint32_t n) {
    if (live_[n] != 0) return;
    live_[n] = 1;
    for_each_read(f_, f_.body[n], [&](std::uint32_t r) {
      if (needed_[r] != 0) return;
      needed_[r] = 1;
      again_ = again_ || (uses_[r].definition != no_index && uses_[r].definition >= n);
    });
  }

  function& f_;
  std::vector<register_use> uses_;
  std::vector<std::uint8_t> needed_;
  std::vector<std::uint8_t> live_;
  bool again_ = false;
};

}  // namespace detail

inline void remove_dead(function& f) {
  detail::settled_branches(f).run();
  detail::liveness_marks(f).run();
}

}  // namespace tg::ptx
