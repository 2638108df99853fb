// Where the lanes of a warp, and the warps of a warp group, come together for a matrix instruction.
#pragma once

#include <tg/base/config.hpp>
#include <tg/emulator/check/report.hpp>
#include <tg/emulator/check/watch.hpp>

namespace tg::emulator::detail {

/// Errors: TG460, always.
[[noreturn]] TG_COLD inline void fail_part_of_warp(const block& b, const operation& o, std::uint32_t w, std::uint32_t lanes) {
  const machine& m = b.the_machine();
  const bool is_for_group = m.image.matrices[o.detail]->is_for_group();
  fail(m, 460, o,
       describe(m, o) + " is run by lanes " + hex(lanes) + " of warp " + std::to_string(w) + " of block " + triple(b.at) +
           " in kernel '" + m.name + "', and not by " + (is_for_group ? "all lanes of four warps" : "all 32 lanes"),
       "let whole warps run it: move it out of the divergent branch, and give the block whole warps");
}

/// The lanes of `w` that the group brings.
/// Errors: TG460 where others have exited or do not run it.
inline std::uint32_t whole_or_waiting(const block& b, const operation& o, std::uint32_t w) {
  const std::uint32_t active = b.active(o, w);
  if (active != 0 && (active != b.group.lanes[w] || b.warps[w].live != 0xffffffff)) fail_part_of_warp(b, o, w, active);
  return active;
}

/// Tells the checkers what a step read and waited for. Tiles are read by lane 0 of the group's first warp, from the
/// product until any warp has waited for its group; that warp knows then that all four are done.
inline void follow(block& b, const operation& o, std::uint32_t w, const matrix_step& step,
                   const dynamic_array<std::uint64_t>& reads) {
  const machine& m = b.the_machine();
  std::uint32_t& groups = b.pending.product_groups[w];
  const std::uint32_t reader = w / 4 * 4 * 32;
  const check::async_work work = m.watch->begin(b, reader, check::engine::products, groups + 1);
  for (const std::uint64_t address : reads) {
    m.watch->access(b, o, work, b.shared + address, 16, check::access_kind::read);
    m.watch->reads(b, o, ptx::token::shared, reader, address, 16);
  }
  if (step.commits()) ++groups;
  if (const auto left = step.waits_for_all_but(); left && groups > *left)
    m.watch->end(b, w, ~0u, reader, check::engine::products, groups - *left);
}

/// Errors: TG460 where another warp of the group said something else in its setmaxnreg.
inline void agree_on_registers(block& b, const operation& o, std::uint32_t w, std::uint32_t setting) {
  const machine& m = b.the_machine();
  auto& all = b.pending.register_counts;
  const std::size_t number = all[w].size();
  all[w].push_back(setting);
  for (std::uint32_t other = w / 4 * 4; other < std::min(w / 4 * 4 + 4, m.warps); ++other)
    if (all[other].size() > number && all[other][number] != setting)
      fail(m, 460, o,
           describe(m, o) + " by warp " + std::to_string(w) + " of block " + triple(b.at) + " in kernel '" + m.name +
               "' is another setmaxnreg than that of warp " + std::to_string(other) + ", which is of its group",
           "let all four warps of a group run the same setmaxnreg");
}

/// Takes the step for a warp, or for the group that starts with it.
/// Errors: TG460 as of setmaxnreg, TG461 where a descriptor leads outside of shared memory.
inline void take(block& b, const operation& o, std::uint32_t w) {
  const machine& m = b.the_machine();
  const matrix_step& step = *m.image.matrices[o.detail];
  dynamic_array<std::uint64_t> reads;
  warp_view view{b.frame(), b.stride(), w, &m.lanes, b.shared, m.shared_bytes, std::nullopt, nullptr};
  if (m.watch != nullptr) view.reads = &reads;
  step(view);
  if (const auto setting = step.sets_registers()) agree_on_registers(b, o, w, *setting);
  if (!view.outside) {
    if (m.watch != nullptr) follow(b, o, w, step, reads);
    return;
  }
  fail(m, 461, o,
       describe(m, o) + " by warp " + std::to_string(w) + " of block " + triple(b.at) + " in kernel '" + m.name +
           "' reads 16 bytes at " + hex(*view.outside) + ", outside the " + std::to_string(m.shared_bytes) +
           " bytes of the block's shared memory",
       "check start, leading and stride of the matrix descriptor, and the size of the tile");
}

/// The part of `w` that waits at `pc` as a whole warp.
inline warp_part* waiting_warp(block& b, std::uint32_t w, std::uint32_t pc) {
  for (warp_part& p : b.warps[w].parts)
    if (p.pc == pc && p.waits == wait_reason::members && p.lanes == 0xffffffff) return &p;
  return nullptr;
}

/// Takes the step for the four warps from `first` on if all are here. Returns: true when it did.
inline bool meet_group(block& b, const operation& o, std::uint32_t first, const std::array<std::uint32_t, 32>& lanes,
                       bool& freed_others) {
  std::array<warp_part*, 4> waiting{};
  for (std::uint32_t k = 0; k < 4; ++k) {
    if (lanes[first + k] == 0xffffffff) continue;
    waiting[k] = waiting_warp(b, first + k, b.group.pc);
    if (waiting[k] == nullptr) return false;
  }
  take(b, o, first);
  for (warp_part* p : waiting) {
    if (p == nullptr) continue;
    p->waits = wait_reason::none;
    ++p->pc;
    freed_others = true;
  }
  return true;
}

/// Takes the step for those who are complete; `waits` says which lanes of each warp must wait for others.
/// Returns: true when it freed lanes that are not of the group.
/// Errors: TG460 for a part of a warp that the rest can no longer join.
inline bool meet(block& b, const operation& o, std::array<std::uint32_t, most_warps>& waits) {
  const machine& m = b.the_machine();
  const matrix_step& step = *m.image.matrices[o.detail];
  std::array<std::uint32_t, 32> lanes{};
  for (std::uint32_t w = 0; w < m.warps; ++w) {
    if (b.group.lanes[w] == 0) continue;
    lanes[w] = whole_or_waiting(b, o, w);
    if (step.is_for_group() || lanes[w] == 0) continue;
    if (lanes[w] == 0xffffffff) take(b, o, w);
    else waits[w] = lanes[w];
  }
  bool freed_others = false;
  for (std::uint32_t first = 0; step.is_for_group() && first < m.warps; first += 4) {
    const std::uint32_t last = std::min(first + 4, m.warps);
    std::uint32_t any = 0;
    for (std::uint32_t w = first; w < last; ++w) any |= lanes[w];
    if (any == 0) continue;
    for (std::uint32_t w = first; w < first + 4; ++w)
      if (w >= m.warps || b.warps[w].live == 0) fail_part_of_warp(b, o, first, any);
    if (meet_group(b, o, first, lanes, freed_others)) continue;
    for (std::uint32_t w = first; w < last; ++w) waits[w] = lanes[w];
  }
  return freed_others;
}

}  // namespace tg::emulator::detail
