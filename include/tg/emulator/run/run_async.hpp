// Runs the asynchronous operations of a group of lanes.
#pragma once

#include <tg/emulator/async/copies.hpp>
#include <tg/emulator/async/meeting.hpp>
#include <tg/emulator/async/tensor_copy.hpp>

namespace tg::emulator::detail {

/// What one lane does at once. Errors: TG450 to TG459, and those of loads and stores.
inline void run_async_lane(const async_lane& lane) {
  pending_work& work = lane.b.pending;
  switch (lane.use.act) {
    case async_act::copy: return begin_copy(lane);
    case async_act::commit_group: ++work.copy_groups[lane.thread()]; return;
    case async_act::wait_group: return wait_for_copies(lane);
    case async_act::arrive_after_copies: return arrive_after_copies(lane);
    case async_act::mbarrier_init: return lane.mbarrier_at(0).init(static_cast<std::uint32_t>(lane.value(0)));
    case async_act::mbarrier_inval: return lane.mbarrier_at(0).invalidate();
    case async_act::mbarrier_arrive: return arrive_at_mbarrier(lane);
    case async_act::mbarrier_transactions: {
      const auto bytes = static_cast<std::int64_t>(lane.value(0) & 0xffffffff);
      return lane.mbarrier_at(0).transact(lane.use.expects ? bytes : -bytes);
    }
    case async_act::bulk_load: return begin_bulk_load(lane);
    case async_act::bulk_store: return begin_bulk_store(lane);
    case async_act::bulk_commit_group: ++work.store_groups[lane.thread()]; return;
    case async_act::bulk_wait_group: return wait_for_stores(lane);
    case async_act::tensor_load: return begin_tensor_load(lane);
    case async_act::tensor_store: return begin_tensor_store(lane);
    case async_act::tensor_map_replace: return replace_field(lane);
    case async_act::tensor_map_copy: return copy_map(lane);
    case async_act::remote_store: return begin_remote_store(lane);
    default: return arrive_at_cluster(lane);
  }
}

/// Returns: true when the group goes on together; else every lane has its new place.
inline bool run_async(block& b, const operation& o, memory_unit& memory) {
  const async_act act = b.the_machine().image.async_uses[o.detail].act;
  if (act == async_act::mbarrier_wait) return wait_for_mbarrier(b, o, memory);
  if (act == async_act::cluster_wait) return wait_for_cluster(b, o, memory);
  if (act == async_act::copy && b.the_machine().counts) count_copies(b, o, memory);
  each_async_lane(b, o, memory, run_async_lane);
  if (act == async_act::cluster_arrive) b.cluster->check_barrier();
  return true;
}

/// Errors: TG457 where a block ends while copies still read its shared memory.
inline void check_end(block& b) {
  if (b.pending.stores.empty()) return;
  const pending_store& first = b.pending.stores.front();
  fail(b.the_machine(), 457, *first.by,
       describe(b.the_machine(), *first.by) + " " + by_thread(b, first.thread / 32, first.thread % 32) +
           " still reads shared memory of its block, which has ended",
       "run cp.async.bulk.commit_group and cp.async.bulk.wait_group.read before the thread ends");
}

}  // namespace tg::emulator::detail
