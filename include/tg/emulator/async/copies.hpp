// cp.async: copies that a thread begins, groups and waits for. What is copied is seen after the wait, or earlier where
// a seed says so.
#pragma once

#include <tg/emulator/async/lanes_of_use.hpp>

namespace tg::emulator::detail {

/// Values: size to read, predicate to ignore the source. Addresses: shared, global.
inline void begin_copy(const async_lane& lane) {
  const async_use& use = lane.use;
  pending_work& work = lane.b.pending;
  pending_copy made{lane.thread(), work.copy_groups[lane.thread()], ++work.order, &lane.o, nullptr, nullptr, use.bytes,
                    use.bytes};
  if (use.has_size) made.read_bytes = std::min(made.bytes, static_cast<std::uint32_t>(lane.value(0)));
  if (use.has_ignore && (lane.value(0) != 0) != use.is_ignore_negated) made.read_bytes = 0;
  made.to = lane.place(0, use.bytes, use.bytes);
  if (made.read_bytes != 0) {
    if (lane.address(1) % use.bytes != 0) lane.place(1, use.bytes, use.bytes);
    made.from = lane.place(1, made.read_bytes, 1);
  }
  work.copies.push_back(made);
  if (check::watch* const watch = lane.b.the_machine().watch; watch != nullptr) {
    const check::async_work work = watch->begin(lane.b, made.thread, check::engine::copies, made.group + 1);
    watch->access(lane.b, lane.o, work, made.to, made.bytes, check::access_kind::write);
    watch->access(lane.b, lane.o, work, made.from, made.read_bytes, check::access_kind::read);
    if (made.read_bytes != 0)
      watch->reads(lane.b, lane.o, ptx::token::global, made.thread, lane.address(1), made.read_bytes);
  }
  if (work.is_early())
    mbarrier_place::finish_copies(lane.b, [&](const pending_copy& c) { return c.order == made.order; });
}

/// All copies but those of the last `use.number` groups are done.
inline void wait_for_copies(const async_lane& lane) {
  pending_work& work = lane.b.pending;
  const std::uint32_t thread = lane.thread(), now = work.copy_groups[thread], open = lane.use.number;
  mbarrier_place::finish_copies(lane.b, [&](const pending_copy& c) {
    return c.thread == thread && c.group + open < now + (lane.use.waits_for_all ? 1 : 0);
  });
  if (const std::uint32_t done = now + (lane.use.waits_for_all ? 1 : 0); done > open && lane.b.the_machine().watch)
    lane.b.the_machine().watch->end(lane.b, lane.warp, 1u << lane.lane, thread, check::engine::copies, done - open);
}

inline void arrive_after_copies(const async_lane& lane) {
  const mbarrier_place where = lane.mbarrier_at(0);
  if (lane.use.counts_itself) where.expect_arrival();
  where.get();
  where.owner().pending.arrivals.push_back(
      {lane.thread(), ++lane.b.pending.order, where.offset(), lane.b.pending.copy_groups[lane.thread()] + 1, &lane.o});
}

}  // namespace tg::emulator::detail
