// What each thread of one block knows of the others: its vector clock, moved on by barriers, fences and atomics.
// A fence after a strong read acquires what that read saw, a fence before a strong write releases what came before it.
// Source: PTX ISA 9.0, 8.9 (ordering of memory operations: synchronises-with, release and acquire patterns).
#pragma once

#include <map>
#include <utility>

#include <tg/emulator/check/memory_order.hpp>
#include <tg/emulator/check/vector_clock.hpp>

namespace tg::emulator::check {

/// What one strong write to a location published. Readers of other blocks get only what was released for all.
struct publication {
  clock_pointer for_all;
  clock_pointer for_block;
  std::uint64_t block = 0;   // of for_block
  std::uint64_t writer = 0;  // thread of the grid
};

class thread_order {
 public:
  thread_order(std::uint64_t block, std::uint32_t warps) : block_(block), warps_(warps) {
    for (warp_state& w : warps_) w.epoch.fill(1);
  }

  std::uint32_t epoch(std::uint32_t warp, std::uint32_t lane) const { return warps_[warp].epoch[lane]; }
  const clock_pointer& known(std::uint32_t warp, std::uint32_t lane) const { return warps_[warp].lanes[lane].known; }
  warp_name name(std::uint32_t warp) const { return {block_, warp}; }

  /// All of these lanes learn what each of them did; of bar.warp.sync.
  void meet(std::uint32_t warp, std::uint32_t lanes) {
    meeting m;
    arrive(m, warp, lanes);
    leave(m.joined(), warp, lanes);
  }

  /// Lanes arrive at a barrier; what they do from now on is later.
  void arrive(std::uint32_t barrier, std::uint32_t warp, std::uint32_t lanes) {
    arrive(meetings_[barrier], warp, lanes);
    step(warp, lanes);
  }
  /// What the lanes that pass the barrier learn; it is empty again.
  clock_pointer open(std::uint32_t barrier) { return std::exchange(meetings_[barrier], {}).joined(); }
  /// Lanes that arrived go on.
  void leave(const clock_pointer& learned, std::uint32_t warp, std::uint32_t lanes) {
    for (std::uint32_t left = lanes; left != 0; left &= left - 1) lane(warp, left).known = learned;
    step(warp, lanes);
  }

  void fence(std::uint32_t warp, std::uint32_t lanes, memory_order o) {
    for (std::uint32_t left = lanes; left != 0; left &= left - 1) {
      lane_state& l = lane(warp, left);
      if (o.acquires) acquire_seen(l, o.scope);
      if (o.joins_proxies) l.known = seen_by_proxies(warp, index(left));
      if (o.releases) l.released = {l.known, epoch(warp, index(left)), o.scope, nullptr};
    }
    if (o.releases || o.joins_proxies) step(warp, lanes);
  }

  /// A strong read, or the read of an atomic, sees what was published.
  void read(const publication& p, std::uint32_t warp, std::uint32_t lane_index, memory_order o) {
    lane_state& l = warps_[warp].lanes[lane_index];
    l.seen_in_block = join(l.seen_in_block, p.block == block_ ? p.for_block : nullptr);
    if (o.scope == scope::all)
      l.seen = join(l.seen, p.for_all);
    else if (p.writer / threads_most == block_)
      l.seen_in_block = join(l.seen_in_block, p.for_all);
    if (o.acquires) acquire_seen(l, o.scope);
  }

  /// A strong write publishes what the thread released; the write of an atomic adds to what it read.
  void write(publication& p, std::uint32_t warp, std::uint32_t lane_index, memory_order o, bool is_atomic) {
    lane_state& l = warps_[warp].lanes[lane_index];
    if (o.releases) l.released = {l.known, epoch(warp, lane_index), o.scope, nullptr};
    if (!is_atomic) p = {};
    p.writer = block_ * threads_most + warp * 32 + lane_index;
    if (l.released.epoch != 0) {
      const clock_pointer made = snapshot(l.released, warp, lane_index);
      if (o.scope == scope::all && l.released.scope == scope::all) {
        p.for_all = join(p.for_all, made);
      } else {
        p.for_block = p.block == block_ ? join(p.for_block, made) : made;
        p.block = block_;
      }
    }
    if (o.releases) step(warp, std::uint32_t{1} << lane_index);
  }

  /// What happened before now, the thread's own past included.
  clock_pointer until_now(std::uint32_t warp, std::uint32_t lane_index) const {
    const clock_pointer& known = warps_[warp].lanes[lane_index].known;
    auto out = known == nullptr ? std::make_shared<vector_clock>() : std::make_shared<vector_clock>(*known);
    out->raise(name(warp), std::uint32_t{1} << lane_index, warps_[warp].epoch);
    return out;
  }

  /// What lanes of an engine did up to `epoch` is done, for a thread.
  void learn(std::uint32_t warp, std::uint32_t lane_index, warp_name engine, std::uint32_t lanes, std::uint32_t epoch) {
    clock_pointer& known = warps_[warp].lanes[lane_index].known;
    known = raised(known, engine, lanes, epoch);
  }
  /// The same for all who see a publication.
  static void publish(publication& p, warp_name engine, std::uint32_t lanes, std::uint32_t epoch) {
    p.for_all = raised(p.for_all, engine, lanes, epoch);
  }

  static constexpr std::uint64_t threads_most = 1024;

 private:
  struct release_point {
    clock_pointer known;
    std::uint32_t epoch = 0;  // 0: nothing released yet
    check::scope scope = scope::all;
    clock_pointer made;
  };
  struct lane_state {
    clock_pointer known;          // happened before what the thread does now; but for itself
    clock_pointer seen;           // by strong reads, acquired by the next fence
    clock_pointer seen_in_block;  // the same, acquired by a fence of any scope
    release_point released;       // by the last fence or release
  };
  struct warp_state {
    std::array<lane_state, 32> lanes;
    std::array<std::uint32_t, 32> epoch{};
  };
  struct meeting {
    clock_pointer known;
    std::map<std::uint32_t, std::pair<std::uint32_t, std::array<std::uint32_t, 32>>> arrived;  // lanes and epochs
    std::uint64_t block = 0;

    clock_pointer joined() const {
      auto out = known == nullptr ? std::make_shared<vector_clock>() : std::make_shared<vector_clock>(*known);
      for (const auto& [warp, who] : arrived) out->raise({block, warp}, who.first, who.second);
      return out;
    }
  };

  static std::uint32_t index(std::uint32_t lanes) { return static_cast<std::uint32_t>(std::countr_zero(lanes)); }
  lane_state& lane(std::uint32_t warp, std::uint32_t lanes) { return warps_[warp].lanes[index(lanes)]; }

  void step(std::uint32_t warp, std::uint32_t lanes) {
    for (; lanes != 0; lanes &= lanes - 1) ++warps_[warp].epoch[index(lanes)];
  }

  void arrive(meeting& m, std::uint32_t warp, std::uint32_t lanes) {
    m.block = block_;
    auto& [who, epochs] = m.arrived[warp];
    who |= lanes;
    const vector_clock* last = nullptr;
    for (; lanes != 0; lanes &= lanes - 1) {
      epochs[index(lanes)] = epoch(warp, index(lanes));
      const clock_pointer& own = lane(warp, lanes).known;
      if (own.get() != last) m.known = join(m.known, own);
      last = own.get();
    }
  }

  static void acquire_seen(lane_state& l, scope s) {
    l.known = join(l.known, l.seen_in_block);
    l.seen_in_block = nullptr;
    if (s != scope::all) return;
    l.known = join(l.known, l.seen);
    l.seen = nullptr;
  }

  clock_pointer snapshot(release_point& r, std::uint32_t warp, std::uint32_t lane_index) const {
    if (r.made != nullptr) return r.made;
    auto out = r.known == nullptr ? std::make_shared<vector_clock>() : std::make_shared<vector_clock>(*r.known);
    std::array<std::uint32_t, 32> epochs{};
    epochs[lane_index] = r.epoch;
    out->raise(name(warp), std::uint32_t{1} << lane_index, epochs);
    return r.made = out;
  }

  static clock_pointer raised(const clock_pointer& known, warp_name who, std::uint32_t lanes, std::uint32_t epoch) {
    auto out = known == nullptr ? std::make_shared<vector_clock>() : std::make_shared<vector_clock>(*known);
    std::array<std::uint32_t, 32> epochs;
    epochs.fill(epoch);
    out->raise(who, lanes, epochs);
    return out;
  }

  clock_pointer seen_by_proxies(std::uint32_t warp, std::uint32_t lane_index) const {
    auto out = std::make_shared<vector_clock>(*until_now(warp, lane_index));
    out->raise_proxies();
    return out;
  }

  std::uint64_t block_;
  std::vector<warp_state> warps_;
  std::array<meeting, 16> meetings_;
};

}  // namespace tg::emulator::check
