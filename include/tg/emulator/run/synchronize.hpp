// Barriers of a block: arrivals, release, and what goes wrong with them.
#pragma once

#include <tg/emulator/block/cluster.hpp>
#include <tg/emulator/check/report.hpp>
#include <tg/emulator/check/watch.hpp>

namespace tg::emulator::detail {

/// Lets the lanes that wait at barrier `id` of one of the blocks go on.
inline void release(block& b, std::uint32_t which, std::uint32_t id) {
  const machine& m = b.the_machine();
  barrier_state& state = b.barriers[which][id];
  for (std::uint32_t w = which * m.warps; w < (which + 1) * m.warps; ++w) {
    std::uint32_t first_pc = no_slot;
    for (warp_part& p : b.warps[w].parts) {
      if (p.waits != wait_reason::barrier || p.barrier != id) continue;
      const operation& o = m.image.code[p.pc];
      const barrier_use& use = m.image.barriers[o.detail];
      if (use.is_aligned && first_pc != no_slot && first_pc != p.pc)
        fail(m, 420, o,
             "lanes of warp " + std::to_string(w % m.warps) + " of block " + triple(b.at_of(w)) + " in kernel '" + m.name +
                 "' reached barrier " + std::to_string(id) + " at two instructions, " + describe(m, m.image.code[first_pc]) +
                 " and " + describe(m, o),
             "move the barrier out of the divergent branch");
      first_pc = p.pc;
      if (use.has_predicate) {
        const std::uint32_t result = use.how == combine::popc                                          ? state.ones
                                     : (use.how == combine::and_ ? state.zeros == 0 : state.ones != 0) ? ~0u
                                                                                                       : 0u;
        for (std::uint32_t left = p.lanes; left != 0; left &= left - 1) b.words(o, 0, w)[std::countr_zero(left)] = result;
      }
      if (m.watch != nullptr) m.watch->passes(b, o, id, w, p.lanes);
      p.waits = wait_reason::none;
      ++p.pc;
    }
  }
  if (m.watch != nullptr) m.watch->opened(b);
  state = {};
  ++b.completed_barriers;
}

/// Counts warps that have come in full, and opens the barrier when all are there.
inline void check_barrier(block& b, std::uint32_t which, std::uint32_t id) {
  const machine& m = b.the_machine();
  barrier_state& state = b.barriers[which][id];
  if (!state.is_used) return;
  std::uint32_t living = 0;
  for (std::uint32_t w = 0; w < m.warps; ++w) {
    const std::uint32_t live = b.warps[which * m.warps + w].live;
    if (live != 0) living |= 1u << w;
    if (state.arrived[w] == 0 || (live & ~state.arrived[w]) != 0) continue;
    state.arrived[w] = 0;
    state.full_warps |= 1u << w;
    state.count += 32;
  }
  if (state.expected != 0 ? state.count >= state.expected : (living & ~state.full_warps) == 0) release(b, which, id);
}

/// All warps name the same barrier, a legal one.
inline bool is_uniform(const block& b, const operation& o) {
  const std::uint32_t id = b.words(o, 1, 0)[0];
  if (b.patterns.is_agreed(o.slots[1])) return id < 16;
  for (std::uint32_t w = 0; w < b.warp_count; ++w)
    for (std::size_t i = 0; i < 32; ++i)
      if (b.words(o, 1, w)[i] != id) return false;
  return id < 16;
}

/// No block's lanes wait at barrier `id`.
inline bool is_free(const block& b, std::uint32_t id) {
  if (!b.has_barriers) return true;
  for (std::uint32_t c = 0; c < b.abreast; ++c)
    if (b.barriers[c][id].is_used) return false;
  return true;
}

/// The group arrives. Returns: true when it may go on together at once; else every lane has its new place.
inline bool arrive(block& b, const operation& o) {
  const machine& m = b.the_machine();
  const barrier_use& use = m.image.barriers[o.detail];
  if (o.guard == no_slot && !use.has_count && !use.has_predicate && use.waits && b.group.is_whole && is_uniform(b, o) &&
      is_free(b, b.words(o, 1, 0)[0])) {
    b.completed_barriers += b.abreast;
    if (m.watch != nullptr) m.watch->passes_together(b, o);
    return true;
  }
  b.place_warps();
  std::array<std::uint32_t, most_abreast> touched{};  // barriers of each block
  b.has_barriers = true;
  for (std::uint32_t w = 0; w < b.warp_count; ++w) {
    if (b.group.lanes[w] == 0) continue;
    warp_state& warp = b.warps[w];
    warp_part& part = warp.parts[b.group.part[w]];
    const std::uint32_t active = b.active(o, w);
    part.pc = b.group.pc + (active == 0 || !use.waits ? 1 : 0);
    if (active == 0) continue;
    const auto first = static_cast<std::size_t>(std::countr_zero(active));
    const std::uint32_t id = b.words(o, 1, w)[first], count = use.has_count ? b.words(o, 2, w)[first] : 0;
    const auto who = [&] {
      return describe(m, o) + " by warp " + std::to_string(w % m.warps) + " of block " + triple(b.at_of(w)) + " in kernel '" +
             m.name + "'";
    };
    if (id >= 16) fail(m, 423, o, who() + " names barrier " + std::to_string(id), "a block has barriers 0 to 15");
    if (use.has_count && (count == 0 || count % 32 != 0 || count > m.warps * 32))
      fail(m, 423, o, who() + " waits for " + std::to_string(count) + " threads",
           "the count is a multiple of 32, up to the size of the block");
    barrier_state& state = b.barriers[b.block_of(w)][id];
    if (state.is_used && state.expected != count)
      fail(m, 422, o,
           who() + " waits for " + std::to_string(count) + " threads, others at barrier " + std::to_string(id) + " for " +
               std::to_string(state.expected) + " (0: all)",
           "give all threads of a barrier the same count");
    state.is_used = true;
    state.expected = count;
    state.arrived[w % m.warps] |= active;
    if (m.watch != nullptr) m.watch->arrives(b, id, w, active);
    if (use.has_predicate)
      for (std::uint32_t left = active; left != 0; left &= left - 1)
        ++(b.words(o, 3, w)[std::countr_zero(left)] != 0 ? state.ones : state.zeros);
    touched[b.block_of(w)] |= 1u << id;
    if (!use.waits) continue;
    const warp_part rest{part.pc + 1, part.lanes & ~active, wait_reason::none, 0, part.last_turn};
    part.lanes = active;
    part.waits = wait_reason::barrier;
    part.barrier = static_cast<std::uint8_t>(id);
    if (rest.lanes != 0) warp.parts.push_back(rest);
  }
  for (std::uint32_t c = 0; c < b.abreast; ++c)
    for (std::uint32_t left = touched[c]; left != 0; left &= left - 1)
      check_barrier(b, c, static_cast<std::uint32_t>(std::countr_zero(left)));
  return false;
}

/// After lanes left: barriers and exchanges that waited for them look again.
inline void after_exit(block& b) {
  b.cluster->check_barrier();
  for (std::uint32_t c = 0; b.has_barriers && c < b.abreast; ++c)
    for (std::uint32_t id = 0; id < 16; ++id) check_barrier(b, c, id);
  for (warp_state& w : b.warps)
    for (warp_part& p : w.parts)
      if (p.waits == wait_reason::members) p.waits = wait_reason::none;
}

}  // namespace tg::emulator::detail
