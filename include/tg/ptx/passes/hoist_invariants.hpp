// Loop-invariant code: what gives the same value in every iteration is computed once, before the loop.
//
// What a branch of a loop computes would hold a register through all iterations, for a branch that may rarely run. Where it is
// little and the loop is long, it stays in the branch.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include <tg/base/dynamic_array.hpp>
#include <tg/ptx/ir/opcode_table.hpp>
#include <tg/ptx/meaning/register_uses.hpp>
#include <tg/ptx/passes/move_up.hpp>

namespace tg::ptx {

/// Instructions of a loop that is long.
inline constexpr std::uint32_t long_loop = 256;

/// A long loop may get longer by one part in so many, to need fewer registers.
inline constexpr std::uint32_t part_for_registers = 32;

/// Moves pure instructions and loads of parameters in front of the outermost loop in which their sources do not change. Cheap
/// integer arithmetic stays in the branches of a long loop that have little of it. Nothing that could fault or that other lanes
/// can see is moved.
void hoist_invariants(function& f);

namespace detail {

class invariant_hoisting {
 public:
  explicit invariant_hoisting(function& f) : f_(f), uses_(count_definitions(f)), loops_(f.body.size()) {}

  void run() {
    find_moves();
    if (choose_loops()) find_moves();
    std::stable_sort(moves_.begin(), moves_.end(), [](const auto& a, const auto& b) { return a.to < b.to; });
    move_up(f_.body, moves_);
  }

 private:
  // What is known of the loop that begins at a place.
  struct loop {
    std::uint32_t length = 0;
    std::uint32_t in_branches = 0;  // cheap instructions that would move out of its branches
    bool keeps = false;             // they stay there
  };
  struct region {
    std::uint32_t start;  // its `loop` or `if_`
    bool is_loop;
  };

  void find_moves() {
    moves_.clear();
    last_write_.assign(uses_.size(), 0);
    for (std::size_t r = 0; r < uses_.size(); ++r)
      if (uses_[r].definition != no_index) last_write_[r] = uses_[r].definition;
    dynamic_array<region> open;  // outermost first
    for (std::uint32_t n = 0, end = f_.body_size(); n < end; ++n) {
      const instruction& i = f_.body[n];
      if (i.op == opcode::loop || i.op == opcode::if_) open.push_back({n, i.op == opcode::loop});
      if (i.op == opcode::endloop) loops_[open.back().start].length = n - open.back().start;
      if (i.op == opcode::endloop || i.op == opcode::endif) open.pop_back();
      if (open.empty() || !is_hoistable(i)) continue;
      const std::uint32_t target = target_of(n, open);
      if (target == n) continue;
      last_write_[i[0].id] = target;
      moves_.push_back({target, n});
    }
  }

  // The outermost loop that the instruction at `n` may leave: `n` itself where there is none.
  std::uint32_t target_of(std::uint32_t n, const dynamic_array<region>& open) {
    std::uint32_t latest = 0;
    for_each_read(f_, f_.body[n], [&](std::uint32_t r) { latest = std::max(latest, last_write_[r]); });
    std::uint32_t target = n;
    bool is_in_branch = false;
    for (std::size_t k = open.size(); k-- > 0 && open[k].start >= latest;) {
      if (!open[k].is_loop) {
        is_in_branch = true;
        continue;
      }
      loop& around = loops_[open[k].start];
      if (is_in_branch && is_cheap(f_.body[n])) {
        if (around.keeps) break;
        ++around.in_branches;
      }
      target = open[k].start;
    }
    return target;
  }

  // Returns: whether some loop keeps what its branches compute.
  bool choose_loops() {
    bool any = false;
    for (loop& l : loops_) {
      l.keeps = l.length > long_loop && l.in_branches != 0 && l.in_branches * part_for_registers <= l.length;
      any = any || l.keeps;
    }
    return any;
  }

  bool is_hoistable(const instruction& i) const {
    if (i.is_guarded() || i.operand_count < 2 || !i[0].is_reg() || !uses_[i[0].id].is_value()) return false;
    const effect e = effect_of(i);
    return e == effect::pure ||
           (e == effect::reads_constant && i[1].is(operand_kind::address) && i[1].base == operand_kind::param);
  }

  static bool is_cheap(const instruction& i) {
    return has_trait(i.op, trait::cheap) && !is_float(i.type()) && effect_of(i) == effect::pure;
  }

  function& f_;
  dynamic_array<register_use> uses_;
  dynamic_array<loop> loops_;
  dynamic_array<std::uint32_t> last_write_;
  dynamic_array<upward_move> moves_;
};

}  // namespace detail

inline void hoist_invariants(function& f) {
  const auto is_loop = [](const instruction& i) { return i.op == opcode::loop; };
  if (std::any_of(f.body.begin(), f.body.end(), is_loop)) detail::invariant_hoisting(f).run();
}

}  // namespace tg::ptx
