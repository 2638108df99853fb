// Runs a block, or neighbours as one: the lanes that the scheduler chose, until something parts or stops them.
#pragma once

#include <algorithm>

#include <tg/emulator/access/access.hpp>
#include <tg/emulator/block/scheduler.hpp>
#include <tg/emulator/run/call.hpp>
#include <tg/emulator/run/deadlock.hpp>
#include <tg/emulator/run/exchange.hpp>
#include <tg/emulator/run/lane_dispatch.hpp>
#include <tg/emulator/run/meet.hpp>
#include <tg/emulator/run/run_async.hpp>
#include <tg/emulator/run/synchronize.hpp>
#include <tg/emulator/run/system_call.hpp>
#include <tg/emulator/run/trap.hpp>
#include <tg/emulator/run/warp_parts.hpp>

namespace tg::emulator {

/// The machine of one worker; blocks take turns on it.
class executor {
 public:
  executor(const machine& m, dynamic_array<instruction_count>& counts)
      : m_(m), counts_(counts), memory_(m, counts), scheduler_(m) {}

  /// Runs the blocks of `c` in turns until all end or one has used about `budget` warp instructions.
  /// Returns: true at their end. Errors: TG421 when no lane can run.
  bool advance(block_cluster& c, std::uint64_t budget) {
    const std::uint64_t turn = c.blocks().size() == 1 ? budget : std::min(budget, cluster_turn);
    for (std::uint64_t used = 0; used < budget;) {
      bool all_ended = true, all_stuck = true;
      for (const auto& b : c.blocks()) {
        if (b->has_ended) continue;
        const std::uint64_t before = b->work;
        advance(*b, turn);
        all_ended = all_ended && b->has_ended;
        all_stuck = all_stuck && !b->has_ended && b->work == before;
        used += b->work - before;
      }
      if (all_ended) return true;
      if (all_stuck && !c.end_waits()) detail::deadlock(m_, c);
    }
    return false;
  }

 private:
  static constexpr std::uint64_t cluster_turn = std::uint64_t{1} << 12;

  /// Runs `b` until it ends, no lane of it can run, or it has used about `budget` warp instructions.
  void advance(block& b, std::uint64_t budget) {
    until_ = b.work + budget;
    while (scheduler_.form_group(b)) {
      if (b.work >= until_) return;
      if (m_.counts) run_group<true>(b);
      else run_group<false>(b);
    }
    if (b.lives()) return;
    b.has_ended = true;
    detail::check_end(b);
  }

  template <bool Counts> void run_group(block& b) {
    lane_group& g = b.group;
    const operation* const code = m_.image.code.data();
    std::uint32_t pc = g.pc;
    for (;;) {
      if (pc >= g.limit) return detail::leave_at(b, pc);
      const operation& o = code[pc];
      b.work += g.warps;
      if (Counts && o.is_first) count(b, o);
      if (o.act != action::lanes) b.patterns.prepare(o);
      switch (o.act) {
        case action::lanes: compute(b, o); break;
        case action::nothing: break;
        case action::fence:
          if (m_.watch != nullptr) m_.watch->fence(b, o);
          break;
        case action::load:
        case action::store:
        case action::atomic: memory_(b, o); break;
        case action::clock: read_clock(b, o); break;
        case action::begin_call: detail::begin_call(b, o); break;
        case action::finish_call: detail::finish_call(b, o); break;
        case action::pick_target: detail::pick_target(b, o); break;
        case action::alloca: detail::grow_stack(b, o); break;
        case action::system_call: detail::run_system_call(b, o); break;
        default: {
          g.pc = pc;
          if (!control(b, o)) return;
          pc = g.pc;
          continue;
        }
      }
      ++pc;
    }
  }

  /// Runs an operation that only looks at its slots: once, where all threads agree, or for each lane.
  void compute(block& b, const operation& o) {
    if (b.group.is_whole && (o.guard == no_slot || b.patterns.is_agreed(o.guard))) {
      if (o.guard != no_slot && !b.holds(o)) return;
      if (b.patterns.run_once(o)) return;
    }
    b.patterns.settle(o);
    detail::run_lanes(m_.lanes, b, o);
  }

  /// Runs what lies between a branch and its target for the lanes that do not branch; then all are together again.
  void skip(block& b, const operation& branch, const std::array<std::uint32_t, most_warps>& taken) {
    lane_group& g = b.group;
    const std::array<std::uint32_t, most_warps> all = g.lanes;
    const bool was_whole = g.is_whole, was_full = g.is_full;
    const auto take = [&](std::uint32_t w, std::uint32_t lanes) {
      g.lanes[w] = lanes;
      if (lanes != 0) scheduler_.add_warp(g, w, lanes != b.warps[w].live);
    };
    g.run_count = g.warps = 0;
    g.range_count = 0;
    g.is_whole = g.is_full = false;
    for (std::uint32_t w = 0; w < b.warp_count; ++w) take(w, all[w] & ~taken[w]);
    run_skipped(b, branch);
    g.run_count = g.warps = 0;
    for (std::uint32_t w = 0; w < b.warp_count; ++w) take(w, all[w]);
    g.is_whole = was_whole;
    g.is_full = was_full;
    g.range_count = was_full ? 1 : 0;
    g.ranges[0] = {0, m_.threads, b.abreast};
  }

  /// Skips a branch for a full group in which the threads that do not branch are neighbours in each block.
  void skip_ranges(block& b, const operation& branch) {
    lane_group& g = b.group;
    g.run_count = g.warps = g.range_count = 0;
    std::fill_n(g.lanes.begin(), b.warp_count, 0u);
    for (std::uint32_t c = 0; c < b.abreast; ++c) {
      const auto [at, before] = b.patterns.split(branch.guard, c);
      const bool leaves_first = (before != 0) != branch.guard_negated;
      const std::uint32_t own = c * m_.threads, first = leaves_first ? at : 0, end = leaves_first ? m_.threads : at;
      if (first < end) take_range(b, own + first, own + end);
    }
    g.is_whole = g.is_full = false;
    run_skipped(b, branch);
    scheduler_.take_all(b);
  }

  /// Adds the lanes from `first` to `end`, of one block, to the group.
  void take_range(block& b, std::uint32_t first, std::uint32_t end) {
    lane_group& g = b.group;
    lane_range* const last = g.range_count == 0 ? nullptr : &g.ranges[g.range_count - 1];
    if (last != nullptr && last->count == end - first && last->first + last->blocks * m_.threads == first) ++last->blocks;
    else g.ranges[g.range_count++] = {first, end - first};
    for (std::uint32_t w = first / 32; w * 32 < end; ++w) {
      const std::uint32_t from = w * 32, low = first > from ? first - from : 0, high = std::min(end - from, 32u);
      g.lanes[w] = (0xffffffffu >> (32 - (high - low))) << low;
      scheduler_.add_warp(g, w, g.lanes[w] != b.all_lanes[w]);
    }
  }

  void run_skipped(block& b, const operation& branch) {
    const lane_group& g = b.group;
    for (std::uint32_t pc = g.pc + 1; pc < branch.target && g.warps != 0; ++pc) {
      const operation& o = m_.image.code[pc];
      b.work += g.warps;
      if (m_.counts && o.is_first) count(b, o);
      if (o.act == action::lanes) compute(b, o);
      else if (o.act != action::nothing) memory_(b, o);
    }
  }

  void count(block& b, const operation& o) {
    instruction_count& c = counts_[o.instruction];
    if (o.guard != no_slot) b.patterns.settle(o.guard);
    for (std::uint32_t w = 0; w < m_.warps; ++w)
      if (b.group.lanes[w] != 0) c.active_lanes += static_cast<std::uint64_t>(std::popcount(b.active(o, w)));
    c.executions += b.group.warps;
  }

  void read_clock(block& b, const operation& o) const {
    const std::uint64_t now = b.work >> o.detail;
    for (std::uint32_t w = 0; w < m_.warps; ++w)
      for (std::uint32_t left = b.active(o, w); left != 0; left &= left - 1)
        std::memcpy(b.slot(o, 0, w) + static_cast<std::size_t>(std::countr_zero(left)) * o.slot_bytes[0], &now,
                    o.slot_bytes[0]);
  }

  /// Runs what may move lanes elsewhere. Returns: true when the group goes on together at group.pc.
  bool control(block& b, const operation& o) {
    lane_group& g = b.group;
    if (o.act == action::branch && g.is_whole && o.guard != no_slot && b.patterns.is_agreed(o.guard))
      return go_on(b, b.holds(o) ? o.target : g.pc + 1);
    switch (o.act) {
      case action::branch: return branch(b, o);
      case action::exit: return exit(b, o);
      case action::barrier: return detail::arrive(b, o) && go_on(b, g.pc + 1);
      default: b.place_warps();
    }
    switch (o.act) {
      case action::jump_to_slot: return jump_to_slot(b, o);
      case action::trap: detail::check_trap(m_, b, o); return go_on(b, g.pc + 1);
      case action::asynchronous: return detail::run_async(b, o, memory_) && go_on(b, g.pc + 1);
      case action::yield:
        detail::leave_at(b, g.pc + 1);
        b.favourite_turns = 0;
        return false;
      default: return exchange(b, o);
    }
  }

  /// The whole group continues at `pc`; others may have to join or run first.
  bool go_on(block& b, std::uint32_t pc) const {
    if (!b.group.is_alone || (pc <= b.group.pc && b.work >= until_)) {
      detail::leave_at(b, pc);
      return false;
    }
    b.group.pc = pc;
    return true;
  }

  bool branch(block& b, const operation& o) {
    lane_group& g = b.group;
    if (o.guard == no_slot) return go_on(b, o.target);
    const bool may_skip = o.is_skip && g.is_alone && m_.options.seed == 0 && !is_followed_;
    if (may_skip && g.is_full && !m_.counts && b.patterns.is_split(o.guard)) {
      skip_ranges(b, o);
      return go_on(b, o.target);
    }
    b.place_warps();
    b.patterns.settle(o);
    std::array<std::uint32_t, most_warps> taken;
    bool all = true, none = true;
    m_.lanes.all_bits(taken.data(), b.guard(o), b.warp_count);
    for (std::uint32_t w = 0; w < b.warp_count; ++w) {
      taken[w] = g.lanes[w] & (o.guard_negated ? ~taken[w] : taken[w]);
      all = all && taken[w] == g.lanes[w];
      none = none && taken[w] == 0;
    }
    if (all || none) return go_on(b, all ? o.target : g.pc + 1);
    for (std::uint32_t w = 0; w < b.warp_count; ++w) {
      if (g.lanes[w] == 0) continue;
      if (m_.counts && taken[w] != 0 && taken[w] != g.lanes[w]) ++counts_[o.instruction].divergent;
      if (!may_skip) detail::split(b, w, taken[w], o.target, g.pc + 1);
    }
    if (!may_skip) return false;
    skip(b, o, taken);
    return go_on(b, o.target);
  }

  bool jump_to_slot(block& b, const operation& o) {
    lane_group& g = b.group;
    std::uint32_t common = no_slot;
    bool is_common = o.guard == no_slot;
    for (std::uint32_t w = 0; w < m_.warps; ++w)
      for (std::uint32_t left = g.lanes[w]; left != 0; left &= left - 1) {
        const std::uint32_t target = b.words(o, 0, w)[std::countr_zero(left)];
        is_common = is_common && (common == no_slot || common == target);
        common = target;
      }
    if (is_common) return go_on(b, common);
    for (std::uint32_t w = 0; w < m_.warps; ++w) {
      if (g.lanes[w] == 0) continue;
      std::uint32_t left = b.active(o, w);
      b.warps[w].parts[g.part[w]].pc = g.pc + 1;
      while (left != 0) {
        const std::uint32_t target = b.words(o, 0, w)[std::countr_zero(left)];
        std::uint32_t same = 0;
        for (std::uint32_t rest = left; rest != 0; rest &= rest - 1)
          if (b.words(o, 0, w)[std::countr_zero(rest)] == target) same |= rest & (0u - rest);
        left &= ~same;
        detail::split(b, w, same, target, g.pc + 1);
      }
    }
    return false;
  }

  bool exit(block& b, const operation& o) {
    lane_group& g = b.group;
    if (g.is_whole && o.guard == no_slot && m_.watch == nullptr) {
      b.end();
      if (b.cluster->blocks().size() != 1) b.cluster->check_barrier();
      return false;
    }
    b.place_warps();
    bool goes_on = true;
    for (std::uint32_t w = 0; w < b.warp_count; ++w) {
      if (g.lanes[w] == 0) continue;
      const std::uint32_t gone = b.active(o, w);
      warp_state& warp = b.warps[w];
      warp_part& part = warp.parts[g.part[w]];
      goes_on = goes_on && gone == 0;
      if (m_.watch != nullptr) m_.watch->exits(b, o, w, gone);
      warp.live &= ~gone;
      part.lanes &= ~gone;
      part.pc = g.pc + 1;
      if (part.lanes == 0) warp.parts.erase(warp.parts.begin() + static_cast<std::ptrdiff_t>(g.part[w]));
    }
    if (goes_on) return go_on(b, g.pc + 1);
    detail::after_exit(b);
    return false;
  }

  bool exchange(block& b, const operation& o) {
    lane_group& g = b.group;
    std::array<std::uint32_t, most_warps> waits{};
    bool all_done = true, may_free = o.act == action::sync_warp && !g.is_whole;
    if (o.act == action::matrix) may_free = detail::meet(b, o, waits);
    for (std::uint32_t w = 0; w < b.warp_count; ++w) {
      if (g.lanes[w] == 0) continue;
      if (o.act != action::matrix) waits[w] = detail::exchange_members(b, o, w);
      all_done = all_done && waits[w] == 0;
    }
    if (all_done) {
      // An exchange may have freed lanes that waited elsewhere, so the group cannot be sure that it is alone.
      if (!may_free) return go_on(b, g.pc + 1);
      detail::leave_at(b, g.pc + 1);
      return false;
    }
    for (std::uint32_t w = 0; w < b.warp_count; ++w) {
      if (g.lanes[w] == 0) continue;
      detail::split(b, w, waits[w], g.pc, g.pc + 1);
      if (waits[w] == 0) continue;
      for (warp_part& p : b.warps[w].parts)
        if (p.pc == g.pc && p.lanes == waits[w] && p.waits == wait_reason::none) p.waits = wait_reason::members;
    }
    return false;
  }

  const machine& m_;
  dynamic_array<instruction_count>& counts_;
  memory_unit memory_;
  scheduler scheduler_;
  bool is_followed_ = m_.watch != nullptr && m_.watch->follows_accesses();
  std::uint64_t until_ = 0;
};

}  // namespace tg::emulator
