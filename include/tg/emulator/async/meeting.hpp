// Operations on mbarriers and on the barrier of the cluster, lane by lane, and the waits of a group of lanes.
#pragma once

#include <tg/emulator/async/lanes_of_use.hpp>

namespace tg::emulator::detail {

/// Slots: state, count or bytes. The arrival is what the state was before it.
inline void arrive_at_mbarrier(const async_lane& lane) {
  const mbarrier_place where = lane.mbarrier_at(0);
  const std::size_t first = lane.use.has_state ? 1 : 0;
  const std::uint64_t before = where.get().pack();
  const auto operand = static_cast<std::uint32_t>(lane.use.has_count ? lane.value(first) : 1);
  if (lane.b.the_machine().watch != nullptr)
    lane.b.the_machine().watch->release(lane.b, where.owner(), lane.thread(),
                                        check::watch::phase_of(where.offset(), where.get().phase), lane.use.is_relaxed);
  if (lane.use.expects) where.transact(operand);
  where.arrive(lane.use.expects ? 1 : operand, lane.use.may_complete, lane.use.drops);
  if (lane.use.has_state) lane.set(0, before);
}

/// A wait finds out. Slots: result, state or parity.
inline bool test_mbarrier(const async_lane& lane) {
  const mbarrier_place where = lane.mbarrier_at(0);
  const std::uint64_t given = lane.value(1);
  const bool parity = lane.use.is_parity ? (given & 1) != 0 : mbarrier::unpack(given).phase;
  if (!where.get().has_completed(parity)) where.deliver();
  const bool is_over = where.get().has_completed(parity);
  if (is_over && lane.b.the_machine().watch != nullptr)
    lane.b.the_machine().watch->acquire_phase(lane.b, where.owner(), lane.thread(), where.offset(), parity,
                                              lane.use.is_relaxed);
  lane.set(0, is_over ? ~std::uint64_t{0} : 0);
  return is_over;
}

/// What a lane publishes to, or learns from, at the barrier of its cluster.
inline std::uint64_t phase_of_cluster(const async_lane& lane) {
  return check::watch::phase_of_cluster((lane.b.pending.cluster_turn[lane.warp] >> lane.lane & 1) != 0);
}

inline void arrive_at_cluster(const async_lane& lane) {
  const std::uint32_t bit = 1u << lane.lane;
  pending_work& work = lane.b.pending;
  if ((work.cluster_owed[lane.warp] & bit) != 0)
    lane.refuse(459, "arrives again before it has waited", "follow each barrier.cluster.arrive by one barrier.cluster.wait");
  if (lane.b.the_machine().watch != nullptr)
    lane.b.the_machine().watch->release(lane.b, *lane.b.cluster->find(0), lane.thread(), phase_of_cluster(lane),
                                        lane.use.is_relaxed);
  work.cluster_owed[lane.warp] |= bit;
  work.cluster_arrived[lane.warp] |= bit;
}

/// Returns: true where the barrier has opened since the lane arrived.
inline bool test_cluster(const async_lane& lane) {
  const std::uint32_t bit = 1u << lane.lane;
  pending_work& work = lane.b.pending;
  if ((work.cluster_owed[lane.warp] & bit) == 0)
    lane.refuse(459, "waits without having arrived", "run barrier.cluster.arrive first");
  const bool is_open = (work.cluster_arrived[lane.warp] & bit) == 0;
  if (is_open && lane.b.the_machine().watch != nullptr)
    lane.b.the_machine().watch->acquire(lane.b, *lane.b.cluster->find(0), lane.thread(), phase_of_cluster(lane));
  return is_open;
}

/// The group waits: a warp goes on when all its active lanes may, or at an mbarrier when its time is up.
/// Returns: true when all go on together.
template <class Test> bool wait_in_group(block& b, const operation& o, memory_unit& memory, wait_reason why, Test test) {
  std::uint32_t waits = 0;
  each_async_lane(b, o, memory, [&](const async_lane& lane) {
    if (!test(lane)) waits |= 1u << lane.warp;
  });
  if (waits == 0) return true;
  for (std::uint32_t w = 0; w < b.the_machine().warps; ++w) {
    if (b.group.lanes[w] == 0) continue;
    warp_part& part = b.warps[w].parts[b.group.part[w]];
    const bool is_over = why == wait_reason::mbarrier && part.barrier == timed_out;
    const bool stays = ((waits >> w) & 1) != 0 && !is_over;
    part.barrier = 0;
    part.pc = b.group.pc + (stays ? 0 : 1);
    if (stays) part.waits = why;
  }
  return false;
}

inline bool wait_for_mbarrier(block& b, const operation& o, memory_unit& memory) {
  return wait_in_group(b, o, memory, wait_reason::mbarrier, test_mbarrier);
}

/// A lane that goes on has waited; those of a warp that stays will look again.
inline bool wait_for_cluster(block& b, const operation& o, memory_unit& memory) {
  const bool together = wait_in_group(b, o, memory, wait_reason::cluster, test_cluster);
  each_async_lane(b, o, memory, [&](const async_lane& lane) {
    const bool stays = !together && b.warps[lane.warp].parts[b.group.part[lane.warp]].waits == wait_reason::cluster;
    if (stays) return;
    b.pending.cluster_owed[lane.warp] &= ~(1u << lane.lane);
    b.pending.cluster_turn[lane.warp] ^= 1u << lane.lane;
  });
  return together;
}

}  // namespace tg::emulator::detail
