// The blocks of one cluster: resident together, they take turns on one worker and see each other's shared memory.
#pragma once

#include <algorithm>
#include <memory>

#include <tg/base/dynamic_array.hpp>
#include <tg/emulator/block/block.hpp>
#include <tg/emulator/image/cluster_window.hpp>

namespace tg::emulator {

/// One cluster while it runs; a block of a launch without clusters is one of its own, as are blocks that run as one.
class block_cluster {
 public:
  explicit block_cluster(const machine& m) : m_(m) {
    for (std::uint32_t rank = 0; rank < m.cluster.count(); ++rank) {
      blocks_.push_back(std::make_unique<block>(m));
      blocks_.back()->cluster = this;
      blocks_.back()->rank = rank;
    }
  }

  /// Makes it what starts as number `index` of the launch.
  void start(std::uint64_t index) {
    number = index;
    stalls_ = 0;
    const auto &grid = m_.shape.grid, &size = m_.cluster;
    if (m_.abreast != 1) {
      const std::uint64_t x = index % m_.starts_per_row() * m_.abreast, row = index / m_.starts_per_row();
      const std::uint64_t count = std::min<std::uint64_t>(m_.abreast, grid.x - x);
      return blocks_[0]->start(x + grid.x * row, static_cast<std::uint32_t>(count));
    }
    const std::uint64_t wide = grid.x / size.x, high = grid.y / size.y;
    for (std::uint32_t rank = 0; rank < blocks_.size(); ++rank) {
      const std::uint64_t x = index % wide * size.x + rank % size.x, y = index / wide % high * size.y + rank / size.x % size.y,
                          z = index / wide / high * size.z + rank / size.x / size.y;
      blocks_[rank]->start(x + grid.x * (y + grid.y * z));
    }
  }

  const dynamic_array<std::unique_ptr<block>>& blocks() const { return blocks_; }
  block* find(std::uint64_t rank) const { return rank < blocks_.size() ? blocks_[rank].get() : nullptr; }

  /// The block whose shared memory holds a host address, or null.
  block* owner(const std::byte* place) const {
    for (const auto& b : blocks_)
      if (place >= b->shared && place < b->shared + m_.shared_bytes) return b.get();
    return nullptr;
  }

  /// Opens the barrier of the cluster once all lanes that live have come.
  void check_barrier() {
    for (const auto& b : blocks_)
      for (std::uint32_t w = 0; w < m_.warps; ++w)
        if ((b->warps[w].live & ~b->pending.cluster_arrived[w]) != 0) return;
    stalls_ = 0;
    for (const auto& b : blocks_) {
      std::ranges::fill(b->pending.cluster_arrived, 0u);
      b->wake(wait_reason::cluster);
    }
  }

  /// No lane of the cluster can run: those that wait for an mbarrier look again, as their time is up.
  /// Returns: false where none waits so, or all have looked in vain too often.
  bool end_waits() {
    if (++stalls_ > patience) return false;
    bool any = false;
    for (const auto& b : blocks_)
      for (warp_state& w : b->warps)
        for (warp_part& p : w.parts)
          if (p.waits == wait_reason::mbarrier) {
            p.waits = wait_reason::none;
            p.barrier = timed_out;
            any = true;
          }
    return any;
  }
  /// Something that lanes may have waited for has come.
  void made_progress() { stalls_ = 0; }

  std::uint64_t number = 0;

 private:
  static constexpr std::uint32_t patience = 1 << 14;

  const machine& m_;
  dynamic_array<std::unique_ptr<block>> blocks_;
  std::uint32_t stalls_ = 0;
};

}  // namespace tg::emulator
