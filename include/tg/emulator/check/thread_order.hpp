// What each thread of one block knows of the others: its vector clock, moved on by barriers, fences and atomics.
// A fence after a strong read acquires what that read saw, a fence before a strong write releases what came before it.
// Source: PTX ISA 9.0, 8.9 (ordering of memory operations: synchronises-with, release and acquire patterns).
#pragma once

#include <map>
#include <utility>

#include <tg/analysis/capability_table.hpp>
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
  /// The last warp may have fewer threads than lanes.
  thread_order(std::uint64_t block, std::uint32_t warps, std::uint32_t threads)
      : block_(block), warp_count_(warps), threads_(threads) {}
  thread_order(std::uint64_t block, std::uint32_t warps) : thread_order(block, warps, warps * 32) {}

  std::uint32_t epoch(std::uint32_t warp, std::uint32_t lane) const { return is_united_ ? epoch_ : warps_[warp].epoch[lane]; }
  const clock_pointer& known(std::uint32_t warp, std::uint32_t lane) const {
    return is_united_ ? common() : warps_[warp].lanes[lane].known;
  }
  warp_name name(std::uint32_t warp) const { return {block_, warp}; }

  /// All threads are at one epoch and know the same: since they began, or since the last barrier that all of them
  /// passed, none has run a fence, an acquire, a release or a barrier of fewer threads.
  bool is_united() const { return is_united_; }
  /// These lanes of a warp are at one epoch and know the same.
  bool is_united(std::uint32_t warp, std::uint32_t lanes) const {
    if (is_united_) return true;
    const warp_state& w = warps_[warp];
    const std::uint32_t first = index(lanes);
    for (; lanes != 0; lanes &= lanes - 1)
      if (w.epoch[index(lanes)] != w.epoch[first] || w.lanes[index(lanes)].known != w.lanes[first].known) return false;
    return true;
  }

  /// Every thread of the block arrives at a barrier and leaves it. Requires: is_united().
  void pass_united() {
    epoch_ += 2;
    is_behind_ = true;
  }
  /// After every thread of the block has passed a barrier.
  void unite() {
    if (is_united_) return;
    for (std::uint32_t w = 0; w < warp_count_; ++w)
      if (!is_united(w, threads_of(w)) || epoch(w, 0) != epoch(0, 0) || known(w, 0) != known(0, 0)) return;
    epoch_ = epoch(0, 0);
    common_ = known(0, 0);
    is_behind_ = false;
    is_united_ = true;
  }

  /// The thread has run a fence or a release, so its strong writes publish what it did before.
  bool has_released(std::uint32_t warp, std::uint32_t lane) const {
    return !warps_.empty() && warps_[warp].lanes[lane].released.epoch != 0;
  }

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
      if (o.joins_proxies()) l.known = seen_by_proxies(warp, index(left), o);
      if (o.releases) l.released = {l.known, epoch(warp, index(left)), o.scope, nullptr};
    }
    if (o.releases || o.joins_proxies()) step(warp, lanes);
  }

  /// A strong read, or the read of an atomic, sees what was published.
  void read(const publication& p, std::uint32_t warp, std::uint32_t lane_index, memory_order o) {
    divide();
    lane_state& l = warps_[warp].lanes[lane_index];
    l.seen_in_block = join(l.seen_in_block, p.block == block_ ? p.for_block : nullptr);
    if (o.scope == scope::all) l.seen = join(l.seen, p.for_all);
    else if (p.writer / threads_most == block_) l.seen_in_block = join(l.seen_in_block, p.for_all);
    if (o.acquires) acquire_seen(l, o.scope);
  }

  /// A strong write publishes what the thread released; the write of an atomic adds to what it read.
  void write(publication& p, std::uint32_t warp, std::uint32_t lane_index, memory_order o, bool is_atomic) {
    divide();
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
    std::array<std::uint32_t, 32> epochs;
    epochs.fill(epoch(warp, lane_index));
    const clock_pointer& before = known(warp, lane_index);
    auto out = before == nullptr ? std::make_shared<vector_clock>() : std::make_shared<vector_clock>(*before);
    out->raise(name(warp), std::uint32_t{1} << lane_index, epochs);
    return out;
  }

  /// What lanes of an engine did up to `epoch` is done, for a thread.
  void learn(std::uint32_t warp, std::uint32_t lane_index, warp_name engine, std::uint32_t lanes, std::uint32_t epoch) {
    divide();
    clock_pointer& known = warps_[warp].lanes[lane_index].known;
    known = raised(known, engine, lanes, epoch);
  }
  /// All who see publication `p` learn that `engine` has come to `epoch`.
  static void publish(publication& p, warp_name engine, std::uint32_t lanes, std::uint32_t epoch) {
    p.for_all = raised(p.for_all, engine, lanes, epoch);
  }

  static constexpr std::uint64_t threads_most = analysis::max_block_threads;

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
    std::array<std::uint32_t, 32> epoch;
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
  std::uint32_t threads_of(std::uint32_t warp) const {
    const std::uint32_t rest = threads_ - warp * 32;
    return rest >= 32 ? 0xffffffffu : (1u << rest) - 1;
  }

  /// What all threads of a united block know.
  const clock_pointer& common() const {
    if (!is_behind_) return common_;
    auto out = common_ == nullptr ? std::make_shared<vector_clock>() : std::make_shared<vector_clock>(*common_);
    out->raise_block(block_, warp_count_, threads_of(warp_count_ - 1), epoch_ - 2);
    common_ = out;
    is_behind_ = false;
    return common_;
  }

  /// From here on each thread has an order of its own.
  void divide() {
    if (!is_united_) return;
    const clock_pointer all = common();
    if (warps_.empty()) {
      warps_.resize(warp_count_);
      for (warp_state& w : warps_) w.epoch.fill(1);
    }
    for (std::uint32_t w = 0; w < warp_count_; ++w)
      for (std::uint32_t left = threads_of(w); left != 0; left &= left - 1) {
        warps_[w].epoch[index(left)] = epoch_;
        warps_[w].lanes[index(left)].known = all;
      }
    is_united_ = false;
  }

  lane_state& lane(std::uint32_t warp, std::uint32_t lanes) {
    divide();
    return warps_[warp].lanes[index(lanes)];
  }

  void step(std::uint32_t warp, std::uint32_t lanes) {
    divide();
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

  clock_pointer seen_by_proxies(std::uint32_t warp, std::uint32_t lane_index, const memory_order& o) const {
    auto out = std::make_shared<vector_clock>(*until_now(warp, lane_index));
    if (o.joins_proxy_of_shared) out->raise_proxies(engine::proxy_of_shared);
    if (o.joins_proxy_of_global) out->raise_proxies(engine::proxy_of_global);
    return out;
  }

  std::uint64_t block_;
  std::uint32_t warp_count_, threads_;
  bool is_united_ = true;
  std::uint32_t epoch_ = 1;          // of a united block
  mutable clock_pointer common_;     // as of some barrier
  mutable bool is_behind_ = false;   // not the last one
  dynamic_array<warp_state> warps_;  // empty: the block has always been united
  std::array<meeting, 16> meetings_;
};

}  // namespace tg::emulator::check
