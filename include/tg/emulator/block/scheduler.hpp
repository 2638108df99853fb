// Chooses which lanes of a block run next: the earliest operation, so that lanes meet again; with a seed, others too.
#pragma once

#include <algorithm>
#include <bit>

#include <tg/emulator/block/block.hpp>

namespace tg::emulator {

class scheduler {
 public:
  explicit scheduler(const machine& m) : m_(m) {}

  /// Makes `b.group` the lanes that run next. Returns: false when no lane can run.
  bool form_group(block& b) {
    lane_group& g = b.group;
    if (b.is_fresh) {
      g.pc = m_.kernel.entry;
      g.limit = 0xffffffff;
      g.is_alone = true;
      std::fill_n(g.part.begin(), b.warp_count, 0u);
      take_all(b);
      return true;
    }
    if (!b.has_places || !choose(b, g.pc)) return false;
    g.limit = 0xffffffff;
    g.is_alone = g.is_whole = true;
    g.run_count = g.warps = 0;
    const std::uint64_t may_join = candidates(b);
    std::uint32_t lanes = 0;
    for (std::uint32_t w = 0; w < b.warp_count; ++w) {
      warp_state& warp = b.warps[w];
      std::size_t own = warp.parts.size();
      for (std::size_t k = 0; k < warp.parts.size();) {
        warp_part& p = warp.parts[k];
        if (p.pc != g.pc || is_held(p.waits) || ((may_join >> w) & 1) == 0) {
          g.is_whole = false;
          if (!is_held(p.waits)) g.is_alone = false;  // who waits for members does so where the group may come by
          if (!is_held(p.waits) && p.pc > g.pc) g.limit = std::min(g.limit, p.pc);
          ++k;
        } else if (own == warp.parts.size()) {
          own = k++;
        } else {
          warp.parts[own].lanes |= p.lanes;
          warp.parts.erase(warp.parts.begin() + static_cast<std::ptrdiff_t>(k));
        }
      }
      g.lanes[w] = 0;
      if (own >= warp.parts.size()) continue;
      g.part[w] = static_cast<std::uint32_t>(own);
      g.lanes[w] = warp.parts[own].lanes;
      warp.parts[own].waits = wait_reason::none;
      warp.parts[own].last_turn = b.turn;
      add_warp(g, w, g.lanes[w] != warp.live);
      lanes += static_cast<std::uint32_t>(std::popcount(g.lanes[w]));
    }
    g.is_full = lanes == m_.threads * b.abreast;
    g.ranges[0] = {0, m_.threads, b.abreast};
    g.range_count = g.is_full ? 1 : 0;
    return true;
  }

  /// Every thread of the blocks is in the group, and none has exited.
  void take_all(block& b) const {
    lane_group& g = b.group;
    std::copy_n(b.all_lanes.begin(), b.warp_count, g.lanes.begin());
    g.runs[0] = {0, b.warp_count, false};
    g.run_count = 1;
    g.warps = b.warp_count;
    g.is_whole = g.is_full = true;
    g.ranges[0] = {0, m_.threads, b.abreast};
    g.range_count = 1;
  }

  /// The lanes that the group has in a warp, `is_masked` when others of the warp live.
  void add_warp(lane_group& g, std::uint32_t w, bool is_masked) const {
    ++g.warps;
    if (is_masked) m_.lanes.spread(g.mask.data() + std::size_t{w} * 32, g.lanes[w]);
    lane_group::run* const last = g.run_count == 0 ? nullptr : &g.runs[g.run_count - 1];
    if (last != nullptr && last->first_warp + last->warps == w && last->is_masked == is_masked) ++last->warps;
    else g.runs[g.run_count++] = {w, 1, is_masked};
  }

 private:
  static constexpr std::uint64_t patience_turns = 512;
  static constexpr std::uint64_t mbarrier_turns = 4096;  // after which a wait for an mbarrier ends in vain
  static constexpr std::uint32_t favourite_turns = 64;

  /// The operation that runs next: the earliest, so that lanes meet again; but none starves.
  bool choose(block& b, std::uint32_t& pc) {
    ++b.turn;
    std::uint32_t earliest = 0xffffffff, oldest_warp = 0, count = 0;
    const warp_part* oldest = nullptr;
    for (std::uint32_t w = 0; w < b.warp_count; ++w)
      for (warp_part& p : b.warps[w].parts) {
        if (p.waits == wait_reason::mbarrier && b.turn - p.last_turn > mbarrier_turns)
          p.waits = wait_reason::none, p.barrier = timed_out;
        if (p.waits != wait_reason::none) continue;
        ++count;
        earliest = std::min(earliest, p.pc);
        if (oldest == nullptr || p.last_turn < oldest->last_turn) oldest = &p, oldest_warp = w;
        if (b.favourite_turns != 0 && w == b.favourite_warp && ((p.lanes >> b.favourite_lane) & 1)) {
          --b.favourite_turns;
          pc = p.pc;
          return true;
        }
      }
    if (count == 0) return false;
    b.favourite_turns = 0;
    pc = earliest;
    if (const std::uint32_t chance = random(b); (chance & 3) == 1) prefer_any(b, chance / 4 % count, pc);
    else if (oldest->pc != earliest && b.turn - oldest->last_turn > patience_turns) prefer(b, *oldest, oldest_warp, pc);
    return true;
  }

  static void prefer(block& b, const warp_part& p, std::uint32_t warp, std::uint32_t& pc) {
    b.favourite_turns = favourite_turns;
    b.favourite_warp = warp;
    b.favourite_lane = static_cast<std::uint32_t>(std::countr_zero(p.lanes));
    pc = p.pc;
  }

  void prefer_any(block& b, std::uint32_t number, std::uint32_t& pc) const {
    for (std::uint32_t w = 0; w < b.warp_count; ++w)
      for (const warp_part& p : b.warps[w].parts)
        if (p.waits == wait_reason::none && number-- == 0) return prefer(b, p, w, pc);
  }

  /// A number for this turn that the seed decides; 0 without a seed.
  std::uint32_t random(const block& b) const {
    if (m_.options.seed == 0) return 0;
    std::uint64_t x = (m_.options.seed + b.number * 0x9e3779b97f4a7c15u) ^ (b.turn * 0xbf58476d1ce4e5b9u);
    x = (x ^ (x >> 31)) * 0x94d049bb133111ebu;
    return static_cast<std::uint32_t>(x >> 32);
  }

  /// The warps that may join the group: all, or with a seed and a favourite only that one's.
  std::uint64_t candidates(const block& b) const {
    return m_.options.seed != 0 && b.favourite_turns != 0 ? std::uint64_t{1} << b.favourite_warp : ~std::uint64_t{0};
  }

  /// Lanes that others who come to the same operation do not set going.
  static bool is_held(wait_reason why) { return why != wait_reason::none && why != wait_reason::members; }

  const machine& m_;
};

}  // namespace tg::emulator
