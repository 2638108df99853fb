// The heap from which kernels take memory with malloc.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <mutex>

#include <tg/base/dynamic_array.hpp>

namespace tg::emulator {

/// Memory that a kernel asked for; freed blocks stay on record until their bytes are needed again.
struct heap_block {
  std::uint64_t address = 0;
  std::size_t size_bytes = 0;
  bool is_live = false;

  std::uint64_t end() const { return address + size_bytes; }
};

/// Calls may come from several threads.
class device_heap {
 public:
  device_heap(std::uint64_t begin, std::size_t bytes) : begin_(begin), end_(begin + bytes), next_(begin + gap_bytes) {}

  /// Returns: a 16-aligned address; 0 where there is no room.
  std::uint64_t allocate(std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    bytes = std::max<std::size_t>(bytes, 1);
    if (bytes > end_ - begin_) return 0;
    const std::size_t span = (bytes + 15) / 16 * 16 + gap_bytes;
    const std::uint64_t at = place(span);
    if (at != 0) blocks_[at] = {at, bytes, true};
    return at;
  }

  /// False where no live block begins at `address`.
  bool release(std::uint64_t address) {
    const std::lock_guard lock(mutex_);
    const auto found = blocks_.find(address);
    if (found == blocks_.end() || !found->second.is_live) return false;
    found->second.is_live = false;
    ++generation_;
    return true;
  }

  bool holds(std::uint64_t address) const { return address - begin_ < end_ - begin_; }

  /// The live block that holds `address`; all zero when there is none.
  heap_block find(std::uint64_t address) const {
    const heap_block near = nearest(address);
    return near.is_live && address >= near.address && address < near.end() ? near : heap_block{};
  }

  /// The block, live or freed, whose bytes are the least away from `address`; all zero when there is none.
  heap_block nearest(std::uint64_t address) const {
    const std::lock_guard lock(mutex_);
    auto after = blocks_.upper_bound(address);
    if (after == blocks_.begin()) return after == blocks_.end() ? heap_block{} : after->second;
    const heap_block below = std::prev(after)->second;
    if (after == blocks_.end() || address < below.end() || address - below.end() <= after->first - address) return below;
    return after->second;
  }

  /// What kernels took and did not give back.
  dynamic_array<heap_block> live() const {
    const std::lock_guard lock(mutex_);
    dynamic_array<heap_block> out;
    for (const auto& [address, block] : blocks_)
      if (block.is_live) out.push_back(block);
    return out;
  }

  /// Changes whenever a block is freed.
  std::uint64_t generation() const { return generation_.load(std::memory_order_relaxed); }

 private:
  static constexpr std::size_t gap_bytes = 32;  // so that an access past the end of a block meets no other

  /// Behind all blocks, and when the end is reached in the first hole that freed ones leave.
  std::uint64_t place(std::size_t span) {
    if (span <= end_ - next_) {
      next_ += span;
      return next_ - span;
    }
    std::erase_if(blocks_, [](const auto& entry) { return !entry.second.is_live; });
    std::uint64_t hole = begin_ + gap_bytes;
    for (const auto& [address, block] : blocks_) {
      if (address - hole >= span) return hole;
      hole = address + (block.size_bytes + 15) / 16 * 16 + gap_bytes;
    }
    return hole <= end_ && end_ - hole >= span ? hole : 0;
  }

  std::uint64_t begin_;
  std::uint64_t end_;
  std::uint64_t next_;
  std::map<std::uint64_t, heap_block> blocks_;
  std::atomic<std::uint64_t> generation_ = 0;
  mutable std::mutex mutex_;
};

}  // namespace tg::emulator
