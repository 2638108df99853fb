// cp.async: copies that a thread begins, groups and waits for. What is copied is seen after the wait, or earlier where
// a seed says so.
#pragma once

#include <tg/emulator/async/lanes_of_use.hpp>

namespace tg::emulator::detail {

/// How many bytes one lane's copy reads; the rest of what it writes is zeros.
inline std::uint32_t read_bytes_of(const async_lane& lane) {
  const async_use& use = lane.use;
  if (use.has_ignore && (lane.value(0) != 0) != use.is_ignore_negated) return 0;
  return use.has_size ? std::min(use.bytes, static_cast<std::uint32_t>(lane.value(0))) : use.bytes;
}

/// Counts what the copies of each warp cost: sectors where they read, wavefronts where they write.
inline void count_copies(block& b, const operation& o, memory_unit& memory) {
  const machine& m = b.the_machine();
  const async_use& use = m.image.async_uses[o.detail];
  instruction_count& c = memory.counts_of(o);
  for (std::uint32_t w = 0; w < m.warps; ++w) {
    const std::uint32_t active = b.active(o, w);
    if (active == 0) continue;
    // Aligned, a source lies in one sector, however much of it is read.
    analysis::request read{{}, 0, static_cast<int>(use.bytes)}, written{{}, active, static_cast<int>(use.bytes)};
    std::uint64_t bytes = 0;
    for (std::uint32_t left = active; left != 0; left &= left - 1) {
      const auto l = static_cast<std::uint32_t>(std::countr_zero(left));
      const async_lane lane{b, o, use, memory, w, l};
      written.address_bytes[l] = static_cast<std::int64_t>(lane.address(0));
      read.address_bytes[l] = static_cast<std::int64_t>(lane.address(1));
      if (const std::uint32_t own = read_bytes_of(lane); own != 0) bytes += own, read.active |= 1u << l;
    }
    const std::uint64_t copied = static_cast<std::uint64_t>(std::popcount(active)) * use.bytes;
    const bool is_full = active == m.lanes_of(w) && bytes == copied;
    ++c.requests;
    c.full_requests += is_full;
    c.bytes += bytes;
    c.copied_bytes += copied;
    c.space = ptx::token::global;
    if (read.active != 0) count_request(c, read, ptx::token::global, is_full);
    count_request(c, written, ptx::token::shared, is_full);
  }
}

/// Values: size to read, predicate to ignore the source. Addresses: shared, global.
inline void begin_copy(const async_lane& lane) {
  const async_use& use = lane.use;
  pending_work& work = lane.b.pending;
  const std::uint32_t thread = lane.thread();
  pending_copy made{work.copy_groups[thread], ++work.order, &lane.o, nullptr, nullptr, use.bytes, read_bytes_of(lane)};
  made.to = lane.place(0, use.bytes, use.bytes);
  if (made.read_bytes != 0) {
    if (lane.address(1) % use.bytes != 0) lane.place(1, use.bytes, use.bytes);
    made.from = lane.place(1, made.read_bytes, 1);
  }
  work.copies_of(thread).push_back(made);
  if (check::watch* const watch = lane.b.the_machine().watch; watch != nullptr) {
    const check::async_work work = watch->begin(lane.b, thread, check::engine::copies, made.group + 1);
    const bool is_whole = made.read_bytes == made.bytes;
    watch->access(lane.b, lane.o, work, made.to, made.bytes, check::access_kind::write, is_whole ? made.from : nullptr);
    watch->access(lane.b, lane.o, work, made.from, made.read_bytes, check::access_kind::read);
    if (made.read_bytes != 0) watch->reads(lane.b, lane.o, ptx::token::global, thread, lane.address(1), made.read_bytes);
  }
  if (work.is_early())
    mbarrier_place::finish_copies(lane.b, thread, [&](const pending_copy& c) { return c.order == made.order; });
}

/// All copies but those of the last `use.number` groups are done.
inline void wait_for_copies(const async_lane& lane) {
  pending_work& work = lane.b.pending;
  const std::uint32_t thread = lane.thread(), now = work.copy_groups[thread], open = lane.use.number;
  mbarrier_place::finish_copies(lane.b, thread,
                                [&](const pending_copy& c) { return c.group + open < now + (lane.use.waits_for_all ? 1 : 0); });
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
