// Bulk copies and reductions: cp.async.bulk, cp.reduce.async.bulk, st.async, red.async. What comes to shared memory is
// seen once somebody waits for its mbarrier, what goes to global memory once its thread waits for its group; with a
// seed sometimes earlier.
#pragma once

#include <array>

#include <tg/emulator/async/lanes_of_use.hpp>
#include <tg/emulator/async/reduce.hpp>

namespace tg::emulator::detail {

/// Moves `bytes` bytes from one run of bytes to another, as the operation says.
inline void move_bulk(block& b, const operation& o, std::byte* to, const std::byte* from, std::uint32_t bytes) {
  const async_use& use = b.the_machine().image.async_uses[o.detail];
  if (use.reduces) reduce(b.the_machine(), use.how, use.type, to, from, bytes);
  else transfer(b, o, to, from, bytes);
}

/// Shows the checkers what one piece of work moves; `from` is null for what comes from nowhere.
inline void follow(const async_lane& lane, const check::async_work& reads, const check::async_work& writes, const std::byte* to,
                   const std::byte* from, std::uint32_t bytes) {
  check::watch* const watch = lane.b.the_machine().watch;
  if (watch == nullptr) return;
  if (from != nullptr) watch->access(lane.b, lane.o, reads, from, bytes, check::access_kind::read);
  const auto kind = lane.use.reduces ? check::access_kind::strong_write : check::access_kind::write;
  watch->access(lane.b, lane.o, writes, to, bytes, kind, kind == check::access_kind::write ? from : nullptr);
}

/// Work that ends with the phase of an mbarrier.
inline check::async_work work_until(const async_lane& lane, const mbarrier_place& where) {
  check::watch* const watch = lane.b.the_machine().watch;
  if (watch == nullptr) return {};
  return watch->begin(lane.b, lane.thread(), where.owner(), where.offset());
}

/// Work that ends with the group of bulk operations that is open.
inline check::async_work work_of_group(const async_lane& lane, check::engine e) {
  check::watch* const watch = lane.b.the_machine().watch;
  if (watch == nullptr) return {};
  return watch->begin(lane.b, lane.thread(), e, lane.b.pending.store_groups[lane.thread()] + 1);
}

/// `move` brings `bytes` bytes to shared memory and counts them at `where`.
template <class Move> void begin_load(const async_lane& lane, const mbarrier_place& where, std::uint32_t bytes, Move move) {
  where.get();
  pending_load made;
  made.thread = lane.thread();
  made.mbarrier = where.offset();
  made.bytes = bytes;
  made.by = &lane.o;
  made.move = move;
  where.owner().pending.loads.push_back(std::move(made));
  if (lane.b.pending.is_early()) where.deliver();
}

/// `move` takes bytes from shared memory; it completes with the thread's group.
template <class Move> void begin_store(const async_lane& lane, Move move) {
  pending_work& work = lane.b.pending;
  if (work.is_early()) return move();
  work.stores.push_back({lane.thread(), work.store_groups[lane.thread()], &lane.o, move});
}

/// All bulk operations but those of the last `use.number` groups are done.
inline void wait_for_stores(const async_lane& lane) {
  auto& stores = lane.b.pending.stores;
  const std::uint32_t thread = lane.thread(), now = lane.b.pending.store_groups[thread];
  const auto is_due = [&](const pending_store& s) { return s.thread == thread && s.group + lane.use.number < now; };
  for (const pending_store& s : stores)
    if (is_due(s)) s.move();
  tg::erase_if(stores, is_due);
  check::watch* const watch = lane.b.the_machine().watch;
  if (watch == nullptr || now <= lane.use.number) return;
  const std::uint32_t ticket = now - lane.use.number, bit = 1u << lane.lane;
  watch->end(lane.b, lane.warp, bit, thread, check::engine::bulk_reads, ticket);
  if (!lane.use.only_reads) watch->end(lane.b, lane.warp, bit, thread, check::engine::bulk_writes, ticket);
}

/// The blocks that a multicast goes to, or the one that holds `to`.
inline dynamic_array<block*> receivers(const async_lane& lane, std::size_t mask_slot, const std::byte* to) {
  const block_cluster& cluster = *lane.b.cluster;
  if (!lane.use.is_multicast) return {cluster.owner(to)};
  dynamic_array<block*> out;
  for (std::uint32_t left = static_cast<std::uint32_t>(lane.value(mask_slot)) & 0xffff; left != 0; left &= left - 1) {
    const auto rank = static_cast<std::uint32_t>(std::countr_zero(left));
    block* const b = cluster.find(rank);
    if (b == nullptr || b->has_ended)
      lane.refuse(456, "sends to block " + std::to_string(rank) + ", which is not in its cluster or has ended",
                  "name blocks of the cluster in the mask, and keep them until the copy is done");
    out.push_back(b);
  }
  return out;
}

/// Where `place`, in the shared memory of `of`, is in that of `b`.
inline std::byte* same_place(const block& b, const block& of, const std::byte* place) { return b.shared + (place - of.shared); }

inline std::uint32_t bulk_bytes(const async_lane& lane) {
  const auto bytes = static_cast<std::uint32_t>(lane.value(0));
  if (bytes % 16 != 0) lane.refuse(455, "copies " + std::to_string(bytes) + " bytes", "a bulk copy has a multiple of 16 bytes");
  return bytes;
}

/// The mbarrier has to lie beside what it counts.
inline void check_same_block(const async_lane& lane, const block& of_data, const block& of_mbarrier) {
  if (&of_data != &of_mbarrier)
    lane.refuse(455, "completes on an mbarrier of another block than the one its bytes go to",
                "use the mbarrier of the block that receives");
}

/// Slots: size, mask. Addresses: to, from, mbarrier.
inline void begin_bulk_load(const async_lane& lane) {
  const std::uint32_t bytes = bulk_bytes(lane);
  if (bytes == 0) return;
  std::byte* const to = lane.place(0, bytes, 16);
  const std::byte* const from = lane.place(1, bytes, 16);
  std::byte* const bar = lane.place(2, 8, 8);
  const block &of_data = *lane.b.cluster->owner(to), &of_bar = *lane.b.cluster->owner(bar);
  if (!lane.use.is_multicast) check_same_block(lane, of_data, of_bar);
  for (block* const receiver : receivers(lane, 1, to)) {
    const mbarrier_place where(lane.b, lane.o, lane.thread(), *receiver, same_place(*receiver, of_bar, bar));
    std::byte* const there = same_place(*receiver, of_data, to);
    const check::async_work work = work_until(lane, where);
    follow(lane, work, work, there, from, bytes);
    begin_load(lane, where, bytes, [&b = lane.b, &o = lane.o, there, from, bytes] { move_bulk(b, o, there, from, bytes); });
  }
}

/// Slots: size. Addresses: to, from.
inline void begin_bulk_store(const async_lane& lane) {
  const std::uint32_t bytes = bulk_bytes(lane);
  if (bytes == 0) return;
  std::byte* const to = lane.place(0, bytes, 16);
  const std::byte* const from = lane.place(1, bytes, 16);
  follow(lane, work_of_group(lane, check::engine::bulk_reads), work_of_group(lane, check::engine::bulk_writes), to, from,
         bytes);
  begin_store(lane, [&b = lane.b, &o = lane.o, to, from, bytes] { move_bulk(b, o, to, from, bytes); });
}

/// st.async and red.async. Slots: the elements. Addresses: to, mbarrier.
inline void begin_remote_store(const async_lane& lane) {
  const async_use& use = lane.use;
  const std::uint32_t bytes = use.bytes * use.elements;
  std::byte* const to = lane.place(0, bytes, bytes);
  std::byte* const bar = lane.place(1, 8, 8);
  block& receiver = *lane.b.cluster->owner(to);
  check_same_block(lane, receiver, *lane.b.cluster->owner(bar));
  std::array<std::byte, 16> values;
  for (std::uint32_t k = 0; k < use.elements; ++k) {
    const std::uint64_t bits = lane.value(k);
    std::memcpy(values.data() + k * use.bytes, &bits, use.bytes);
  }
  const mbarrier_place where(lane.b, lane.o, lane.thread(), receiver, bar);
  const check::async_work work = work_until(lane, where);
  follow(lane, work, work, to, nullptr, bytes);
  begin_load(lane, where, bytes, [&b = lane.b, &o = lane.o, to, values, bytes] { move_bulk(b, o, to, values.data(), bytes); });
}

}  // namespace tg::emulator::detail
