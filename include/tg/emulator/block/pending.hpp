// What a block has under way: copies that nobody has waited for yet, and the mbarriers that live in its shared memory.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>

#include <tg/base/dynamic_array.hpp>

namespace tg::emulator {

struct operation;

/// One thread's cp.async.
struct pending_copy {
  std::uint32_t group = 0;
  std::uint64_t order = 0;
  const operation* by = nullptr;
  const std::byte* from = nullptr;  // null: nothing is read
  std::byte* to = nullptr;
  std::uint32_t bytes = 0;
  std::uint32_t read_bytes = 0;  // the rest is filled with zero
};

/// A bulk operation that completes with a group of its thread.
struct pending_store {
  std::uint32_t thread = 0;
  std::uint32_t group = 0;
  const operation* by = nullptr;
  std::function<void()> move;
};

/// Bytes that come to an mbarrier of the block.
struct pending_load {
  std::uint32_t thread = 0;    // that issued it
  std::uint32_t mbarrier = 0;  // offset in shared memory
  std::uint32_t bytes = 0;
  const operation* by = nullptr;
  std::function<void()> move;
};

/// cp.async.mbarrier.arrive: an arrival once the copies that the thread began before are done.
struct pending_arrival {
  std::uint32_t thread = 0;
  std::uint64_t order = 0;
  std::uint32_t mbarrier = 0;
  std::uint32_t ticket = 0;  // of the copies, for the checkers
  const operation* by = nullptr;
};

/// Work under way in one block.
struct pending_work {
  dynamic_array<dynamic_array<pending_copy>> copies;  // per thread, in the order in which they began; empty before the first
  dynamic_array<pending_store> stores;
  dynamic_array<pending_load> loads;
  dynamic_array<pending_arrival> arrivals;
  dynamic_array<std::uint32_t> copy_groups;                          // per thread: groups committed
  dynamic_array<std::uint32_t> store_groups;                         // per thread
  dynamic_array<std::pair<std::uint32_t, std::uint64_t>> mbarriers;  // offset and what stood there last
  dynamic_array<std::uint32_t> product_groups;                       // per warp: groups of wgmma committed
  dynamic_array<dynamic_array<std::uint32_t>> register_counts;       // per warp: what each setmaxnreg said
  dynamic_array<std::uint32_t> cluster_arrived;  // per warp: lanes that the barrier of the cluster has counted
  dynamic_array<std::uint32_t> cluster_owed;     // per warp: lanes that have arrived and not waited
  dynamic_array<std::uint32_t> cluster_turn;     // per warp: lanes that have waited an odd number of times
  std::uint64_t order = 0;
  std::uint64_t random = 0;

  void clear(std::uint32_t warps, std::uint64_t seed) {
    for (auto& own : copies) own.clear();
    stores.clear();
    loads.clear();
    arrivals.clear();
    mbarriers.clear();
    copy_groups.assign(warps * 32, 0);
    store_groups.assign(warps * 32, 0);
    product_groups.assign(warps, 0);
    register_counts.assign(warps, {});
    cluster_arrived.assign(warps, 0);
    cluster_owed.assign(warps, 0);
    cluster_turn.assign(warps, 0);
    random = seed;
  }

  /// The copies of a thread of this block.
  dynamic_array<pending_copy>& copies_of(std::uint32_t thread) {
    if (copies.size() < copy_groups.size()) copies.resize(copy_groups.size());
    return copies[thread];
  }

  /// What stood last at an mbarrier; null where there is none.
  const std::uint64_t* find(std::uint32_t offset) const {
    for (const auto& [at, bits] : mbarriers)
      if (at == offset) return &bits;
    return nullptr;
  }
  std::uint64_t* find(std::uint32_t offset) { return const_cast<std::uint64_t*>(std::as_const(*this).find(offset)); }

  /// True where the seed wants what begins now to be done at once; never without a seed.
  bool is_early() {
    if (random == 0) return false;
    random = random * 6364136223846793005u + 1442695040888963407u;
    return ((random >> 60) & 3) == 0;
  }
};

}  // namespace tg::emulator
