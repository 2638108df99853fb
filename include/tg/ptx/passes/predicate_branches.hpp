// Short branches become guarded instructions.
#pragma once

#include <algorithm>
#include <cstdint>

#include <tg/base/dynamic_array.hpp>
#include <tg/ptx/meaning/register_uses.hpp>

namespace tg::ptx {

/// Guards the instructions of an `if_`, and of its `else_`, when both together are at most `max_guarded` cheap ones
/// without a guard of their own, none of them convergent. A pure value is computed in any case, without the guard. Any
/// other value, such as a load, keeps the branch: ptxas selects between a guarded value and what was there before. Of the
/// branches that are left, those on one condition with nothing between them become one.
void predicate_branches(function& f);

/// The most instructions that a branch is replaced by.
inline constexpr std::size_t max_guarded = 4;

namespace detail {

class branch_guarding {
 public:
  explicit branch_guarding(function& f) : f_(f), uses_(count_definitions(f)) {}

  void run() {
    std::uint32_t start = no_index, middle = no_index;
    for (std::uint32_t n = 0, end = f_.body_size(); n < end; ++n) {
      switch (f_.body[n].op) {
        case opcode::if_: start = n, middle = no_index; break;
        case opcode::else_: middle = n; break;
        case opcode::endif:
          if (start != no_index && fits(start, middle, n)) guard(start, middle, n);
          start = no_index;
          break;
        case opcode::loop:
        case opcode::endloop: start = no_index; break;
        default: break;
      }
    }
    join();
  }

 private:
  static bool is_cheap(const instruction& i) {
    if (has_trait(i.op, trait::sequence)) return i.has(token::approx);
    if (has_trait(i.op, trait::leaves)) return true;
    const effect e = effect_of(i);
    return e != effect::convergent && e != effect::synchronizes && e != effect::control;
  }

  bool fits(std::uint32_t start, std::uint32_t middle, std::uint32_t end) const {
    const operand& condition = f_.body[start][0];
    if (!condition.is_reg() || end - start - 1 > max_guarded + (middle != no_index ? 1 : 0)) return false;
    bool ok = true;
    for (std::uint32_t n = start + 1; n < end && ok; ++n) {
      const instruction& i = f_.body[n];
      if (n == middle) continue;
      ok = !i.is_guarded() && is_cheap(i);
      for_each_written(f_, i, [&](std::uint32_t r) { ok = ok && r != condition.id && (is_pure(i) || !uses_[r].is_value()); });
    }
    return ok;
  }

  void guard(std::uint32_t start, std::uint32_t middle, std::uint32_t end) {
    const operand condition = f_.body[start][0];
    for (std::uint32_t n = start + 1; n < end; ++n) {
      instruction& i = f_.body[n];
      if (n == middle) continue;
      bool needs = !is_pure(i) || result_count(i) == 0;
      for_each_written(f_, i, [&](std::uint32_t r) { needs = needs || !uses_[r].is_value(); });
      if (!needs) continue;
      i.guard = condition.id;
      i.guard_negated = condition.negated != (middle != no_index && n > middle);
    }
    f_.body[start] = {};
    f_.body[end] = {};
    if (middle != no_index) f_.body[middle] = {};
  }

  // `if (p) A; if (p) B;`, where p is written once, so that A does not change it.
  void join() {
    struct open_branch {
      operand condition;
      bool has_else = false;
    };
    dynamic_array<open_branch> open;
    for (std::uint32_t n = 0, end = f_.body_size(); n < end; ++n) {
      const instruction& i = f_.body[n];
      if (i.op == opcode::if_) open.push_back({i[0]});
      else if (i.op == opcode::else_) open.back().has_else = true;
      else if (i.op == opcode::endif) {
        const open_branch own = open.back();
        open.pop_back();
        std::uint32_t next = n + 1;
        while (next < f_.body.size() && f_.body[next].op == opcode::none) ++next;
        const bool is_joined = next < f_.body.size() && f_.body[next].op == opcode::if_ && f_.body[next][0] == own.condition &&
                               !own.has_else && own.condition.is_reg() && uses_[own.condition.id].is_value();
        if (!is_joined) continue;
        f_.body[n] = {};
        f_.body[next] = {};
        open.push_back(own);
      }
    }
  }

  function& f_;
  dynamic_array<register_use> uses_;
};

}  // namespace detail

inline void predicate_branches(function& f) { detail::branch_guarding(f).run(); }

}  // namespace tg::ptx
