// A vector clock over the threads of a grid: which of each thread's epochs happened before. Parts that did not change
// are shared between clocks, so that a clock of a thousand threads costs a pointer where they all passed the same
// barrier.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <memory>

#include <tg/base/dynamic_array.hpp>

namespace tg::emulator::check {

/// Epochs of the lanes of one warp.
struct warp_clock {
  std::array<std::uint32_t, 32> lanes{};
  std::uint32_t least = 0;
};

/// What works beside a warp, lane by lane, with epochs of its own.
enum class engine : std::uint32_t {
  none,
  copies,           // cp.async; epochs are groups
  products,         // wgmma, which reads shared memory; groups
  bulk_reads,       // bulk copies until their source is free again; groups
  bulk_writes,      // bulk copies until they are done; groups
  proxy_of_shared,  // accesses nothing: its epochs are those of the warp that the async proxy sees, of shared memory
  proxy_of_global,  // the same, of global memory
  mbarriers,        // one for each mbarrier, from here on: what completes there; phases
};

/// A warp of the grid, or one of its engines.
struct warp_name {
  std::uint64_t block = 0;
  std::uint32_t warp = 0;

  bool is_engine() const { return warp >= 32; }
  warp_name beside(engine e, std::uint32_t number = 0) const {
    return {block, warp % 32 + 32 * (static_cast<std::uint32_t>(e) + number)};
  }
  friend bool operator==(const warp_name&, const warp_name&) = default;
};

class vector_clock {
 public:
  /// The lanes of `lanes` that are not known to be at epoch `epoch` or later.
  std::uint32_t missing(warp_name w, std::uint32_t lanes, std::uint32_t epoch) const {
    const warp_clock* const known = find(w);
    if (known == nullptr) return lanes;
    if (known->least >= epoch) return 0;
    std::uint32_t out = 0;
    for (; lanes != 0; lanes &= lanes - 1)
      if (known->lanes[static_cast<std::size_t>(std::countr_zero(lanes))] < epoch) out |= lanes & (0 - lanes);
    return out;
  }
  /// Every lane of `lanes` is at epoch `epoch` or later.
  bool covers(warp_name w, std::uint32_t lanes, std::uint32_t epoch) const { return missing(w, lanes, epoch) == 0; }

  /// Nothing of `other` is later than here.
  bool covers(const vector_clock& other) const {
    for (const block_part& part : other.blocks_) {
      const block_part* const own = find(part.block);
      if (own != nullptr && own->warps == part.warps) continue;
      for (std::uint32_t w = 0; w < part.warps->size(); ++w) {
        const warp_pointer& theirs = (*part.warps)[w];
        if (theirs == nullptr) continue;
        const warp_clock* const ours = own == nullptr ? nullptr : at(*own, w);
        if (ours == theirs.get()) continue;
        for (std::size_t i = 0; i < 32; ++i)
          if (theirs->lanes[i] > (ours == nullptr ? 0 : ours->lanes[i])) return false;
      }
    }
    return true;
  }

  void join(const vector_clock& other) {
    for (const block_part& part : other.blocks_) {
      block_part& own = open(part.block);
      if (own.warps == nullptr) {
        own.warps = part.warps;
        continue;
      }
      if (own.warps == part.warps) continue;
      warp_list merged = *own.warps;
      if (merged.size() < part.warps->size()) merged.resize(part.warps->size());
      for (std::size_t w = 0; w < part.warps->size(); ++w) merged[w] = later(merged[w], (*part.warps)[w]);
      own.warps = std::make_shared<const warp_list>(std::move(merged));
    }
  }

  /// One of the async proxies sees what is known of warps from now on.
  void raise_proxies(engine proxy) {
    for (block_part& part : blocks_) {
      if (part.warps == nullptr) continue;
      warp_list warps = *part.warps;
      const auto first = warp_name{}.beside(proxy).warp;
      if (warps.size() < first + 32) warps.resize(first + 32);
      for (std::uint32_t w = 0; w < 32; ++w) warps[first + w] = later(warps[first + w], warps[w]);
      part.warps = std::make_shared<const warp_list>(std::move(warps));
    }
  }

  /// Raises the epochs of `lanes` to those given, which are not earlier.
  void raise(warp_name w, std::uint32_t lanes, const std::array<std::uint32_t, 32>& epochs) {
    block_part& own = open(w.block);
    warp_list warps = own.warps == nullptr ? warp_list{} : *own.warps;
    if (warps.size() <= w.warp) warps.resize(w.warp + 1);
    warp_clock raised = warps[w.warp] == nullptr ? warp_clock{} : *warps[w.warp];
    for (; lanes != 0; lanes &= lanes - 1) {
      const auto i = static_cast<std::size_t>(std::countr_zero(lanes));
      raised.lanes[i] = std::max(raised.lanes[i], epochs[i]);
    }
    raised.least = *std::min_element(raised.lanes.begin(), raised.lanes.end());
    warps[w.warp] = std::make_shared<const warp_clock>(raised);
    own.warps = std::make_shared<const warp_list>(std::move(warps));
  }

  /// Raises the epochs of all threads of a block to one that is not earlier; `last` are the lanes of its last warp.
  void raise_block(std::uint64_t block, std::uint32_t warps, std::uint32_t last, std::uint32_t epoch) {
    block_part& own = open(block);
    warp_list raised = own.warps == nullptr ? warp_list{} : *own.warps;
    if (raised.size() < warps) raised.resize(warps);
    warp_clock whole, part;
    whole.lanes.fill(epoch);
    whole.least = epoch;
    for (; last != 0; last &= last - 1) part.lanes[static_cast<std::size_t>(std::countr_zero(last))] = epoch;
    part.least = *std::min_element(part.lanes.begin(), part.lanes.end());
    std::fill_n(raised.begin(), warps - 1, warps == 1 ? nullptr : std::make_shared<const warp_clock>(whole));
    raised[warps - 1] = std::make_shared<const warp_clock>(part);
    own.warps = std::make_shared<const warp_list>(std::move(raised));
  }

 private:
  using warp_pointer = std::shared_ptr<const warp_clock>;
  using warp_list = dynamic_array<warp_pointer>;
  struct block_part {
    std::uint64_t block = 0;
    std::shared_ptr<const warp_list> warps;
  };

  static warp_pointer later(const warp_pointer& a, const warp_pointer& b) {
    if (a == b || b == nullptr) return a;
    if (a == nullptr) return b;
    warp_clock out;
    for (std::size_t i = 0; i < 32; ++i) out.lanes[i] = std::max(a->lanes[i], b->lanes[i]);
    if (out.lanes == a->lanes) return a;
    if (out.lanes == b->lanes) return b;
    out.least = *std::min_element(out.lanes.begin(), out.lanes.end());
    return std::make_shared<const warp_clock>(out);
  }

  static const warp_clock* at(const block_part& part, std::uint32_t warp) {
    return warp < part.warps->size() ? (*part.warps)[warp].get() : nullptr;
  }

  dynamic_array<block_part>::const_iterator place(std::uint64_t block) const {
    return std::lower_bound(blocks_.begin(), blocks_.end(), block,
                            [](const block_part& p, std::uint64_t key) { return p.block < key; });
  }
  const block_part* find(std::uint64_t block) const {
    const auto found = place(block);
    return found == blocks_.end() || found->block != block ? nullptr : &*found;
  }
  const warp_clock* find(warp_name w) const {
    const block_part* const part = find(w.block);
    return part == nullptr ? nullptr : at(*part, w.warp);
  }
  block_part& open(std::uint64_t block) {
    const auto found = blocks_.begin() + (place(block) - blocks_.begin());
    if (found != blocks_.end() && found->block == block) return *found;
    return *blocks_.insert(found, {block, nullptr});
  }

  dynamic_array<block_part> blocks_;  // by number
};

/// A clock that several threads share.
using clock_pointer = std::shared_ptr<const vector_clock>;

/// The join of two clocks, either of which may be none.
inline clock_pointer join(const clock_pointer& a, const clock_pointer& b) {
  if (b == nullptr || a == b) return a;
  if (a == nullptr) return b;
  if (a->covers(*b)) return a;
  if (b->covers(*a)) return b;
  auto out = std::make_shared<vector_clock>(*a);
  out->join(*b);
  return out;
}

}  // namespace tg::emulator::check
