// Races in shared and global memory: two accesses to one byte, one of them a write, that nothing orders. What orders
// them is followed by vector clocks, so a race is found whatever order the threads really ran in. Source: PTX ISA 9.0,
// 8 (memory consistency model); CUDA C++ programming guide, memory fence functions.
#pragma once

#include <algorithm>
#include <map>
#include <unordered_map>

#include <tg/emulator/block/even_access.hpp>
#include <tg/emulator/check/access_history.hpp>
#include <tg/emulator/check/report.hpp>
#include <tg/emulator/check/thread_order.hpp>
#include <tg/emulator/launch/findings.hpp>

namespace tg::emulator::check {

/// What an asynchronous operation of a thread does to memory until somebody has waited for it.
struct async_work {
  warp_name by;
  std::uint32_t lane = 0;
  std::uint32_t epoch = 0;
  bool is_async_proxy = false;
  clock_pointer known;  // when it began
};

class races {
 public:
  races(const machine& m, findings& found) : m_(m), found_(found), global_(m.options.check.strict) {}

  void start(const block& b) { blocks_.try_emplace(b.number, m_, b); }
  void finish(std::uint64_t block) {
    blocks_.erase(block);
    known_ = nullptr;
  }

  thread_order& order(const block& b) { return of(b).order; }

  /// An access of the lanes of one warp of `b`, all to `address`. A shared address counts from 0 and is one of `owner`.
  void access(const block& b, const block& owner, const operation& o, bool is_shared, std::uint32_t warp, std::uint32_t lanes,
              std::uint64_t address, std::uint32_t bytes, access_kind kind, scope s, const std::byte* value) {
    thread_order& order = of(b).order;
    const bool is_united = order.is_united();
    while (lanes != 0) {
      const auto first = static_cast<std::uint32_t>(std::countr_zero(lanes));
      const vector_clock* const known = is_united && is_shared && forgets_ ? nullptr : order.known(warp, first).get();
      std::uint32_t same = is_united ? lanes : 0;
      for (std::uint32_t left = is_united ? 0 : lanes; left != 0; left &= left - 1) {
        const auto i = static_cast<std::uint32_t>(std::countr_zero(left));
        if (order.known(warp, i).get() == known && order.epoch(warp, i) == order.epoch(warp, first)) same |= 1u << i;
      }
      if (kind == access_kind::write) same = 1u << first;
      lanes &= ~same;
      add(owner, o, is_shared, address, bytes, {order.name(warp), same, order.epoch(warp, first), 0, 0, kind, s}, known, value);
    }
  }

  /// A plain access of a range of threads of `b`, at the same places of its own shared memory or of global memory.
  /// `value(thread, to)` fetches what a thread writes. Requires: that writes are apart, and can_take().
  template <class Value>
  void access(const block& b, const operation& o, bool is_shared, const even_addresses& at, std::uint32_t first,
              std::uint32_t count, access_kind kind, std::uint64_t serial, Value value) {
    block_state& state = of(b);
    thread_order& order = state.order;
    access_history& history = is_shared ? state.shared : global_;
    const auto which = static_cast<std::uint32_t>(&o - m_.image.code.data());
    even_record made{at, first, count, b.number, 0, which, kind, order.is_united(), serial, nullptr};
    const auto add = [&](std::uint32_t warp, std::uint32_t lane) {
      made.epoch = order.epoch(warp, lane);
      if (!made.is_united || !is_shared || !forgets_) made.known = order.known(warp, lane);
      history.add(made, value, [&](const access_record& now, const access_record& earlier, conflict c, std::uint64_t where) {
        report(now, earlier, c, is_shared, where, at.bytes());
      });
    };
    if (made.is_united) return add(first / 32, first % 32);
    const std::uint32_t end = first + count;
    for (std::uint32_t w = first / 32; w * 32 < end; ++w) {
      made.first = std::max(first, w * 32);
      made.count = std::min(end, w * 32 + 32) - made.first;
      add(w, made.first % 32);
    }
  }

  /// Whether in each warp all lanes of the ranges have come to the same moment.
  bool can_take(const block& b, const lane_ranges& ranges) {
    const thread_order& order = of(b).order;
    if (order.is_united()) return true;
    for (const lane_range& r : ranges)
      for (std::uint32_t at = r.first; at < r.first + r.count; at = at / 32 * 32 + 32) {
        const std::uint32_t end = std::min(r.first + r.count, at / 32 * 32 + 32);
        if (!order.is_united(at / 32, (0xffffffffu >> (32 - (end - at))) << at % 32)) return false;
      }
    return true;
  }

  /// Every thread of `b` passes a barrier together with all others.
  void pass_united(const block& b) {
    block_state& state = of(b);
    state.order.pass_united();
    if (forgets_) state.shared.forget();
  }
  /// After every thread of `b` has passed a barrier one by one.
  void unite(const block& b) {
    block_state& state = of(b);
    state.order.unite();
    if (forgets_) state.shared.forget();
  }

  /// Work of a thread that ends when `ticket` of the engine has been waited for.
  async_work begin(const block& b, std::uint32_t thread, engine e, std::uint32_t ticket) {
    const thread_order& order = of(b).order;
    return {order.name(thread / 32).beside(e), thread % 32, ticket, e != engine::copies,
            order.until_now(thread / 32, thread % 32)};
  }
  /// Work that ends with the phase that an mbarrier in the shared memory of `owner` is in.
  async_work begin(const block& b, std::uint32_t thread, const block& owner, std::uint32_t mbarrier) {
    async_work out = begin(b, thread, engine::mbarriers, 0);
    auto& numbers = of(b).mbarrier_numbers;
    const auto number = numbers.try_emplace({owner.number, mbarrier}, static_cast<std::uint32_t>(numbers.size()));
    out.by = out.by.beside(engine::mbarriers, number.first->second);
    mbarrier_state& state = of(owner).mbarriers[mbarrier];
    if (std::ranges::find(state.engines, out.by) == state.engines.end()) state.engines.push_back(out.by);
    out.epoch = state.phases + 1;
    return out;
  }
  void end_phase(const block& owner, std::uint32_t mbarrier) { ++of(owner).mbarriers[mbarrier].phases; }
  /// A thread of `b` has seen that all phases of an mbarrier are over but the one it is in.
  void learn_phases(const block& b, std::uint32_t thread, const block& owner, std::uint32_t mbarrier) {
    const mbarrier_state& state = of(owner).mbarriers[mbarrier];
    for (const warp_name& each : state.engines) of(b).order.learn(thread / 32, thread % 32, each, ~0u, state.phases);
  }

  void access(const async_work& w, const block& owner, const operation& o, bool is_shared, std::uint64_t address,
              std::uint32_t bytes, access_kind kind, const std::byte* value) {
    const engine proxy = !w.is_async_proxy ? engine::none : is_shared ? engine::proxy_of_shared : engine::proxy_of_global;
    add(owner, o, is_shared, address, bytes, {w.by, 1u << w.lane, w.epoch, 0, 0, kind, scope::all, proxy}, w.known.get(),
        value);
  }

  /// What a strong access synchronises with, after `access`.
  void synchronize(const block& b, const block& owner, bool is_shared, std::uint32_t warp, std::uint32_t lane,
                   std::uint64_t address, memory_order o, bool reads, bool writes) {
    publications& all = is_shared ? of(owner).published : published_;
    thread_order& order = of(b).order;
    acquires_ = acquires_ || o.acquires;
    releases_ = releases_ || o.releases;
    if (!o.acquires && !o.releases && !order.has_released(warp, lane) && (all.empty() || !all.contains(address))) return;
    publication& p = all[address];
    if (reads) order.read(p, warp, lane, o);
    if (writes) order.write(p, warp, lane, o, reads);
  }

  /// A thread ran a fence, which makes relaxed accesses around it acquire and release.
  void note_fence() { acquires_ = releases_ = true; }
  /// What the launch did to global memory.
  void collect(touched_bytes& to) const {
    global_.collect(to);
    to.acquires = acquires_;
    to.releases = releases_;
  }

  /// What was released to an object in the shared memory of a block.
  publication& published(const block& owner, std::uint64_t offset) { return of(owner).published[offset]; }
  void meet_at(const block& b, publication& p, std::uint32_t thread, memory_order o, bool writes) {
    thread_order& order = of(b).order;
    order.read(p, thread / 32, thread % 32, o);
    if (writes) order.write(p, thread / 32, thread % 32, o, true);
  }

 private:
  using publications = std::unordered_map<std::uint64_t, publication>;
  struct mbarrier_state {
    std::uint32_t phases = 0;  // that are over
    dynamic_array<warp_name> engines;
  };
  struct block_state {
    block_state(const machine& m, const block& b)
        : order(b.number, m.warps, m.threads), shared(m.options.check.strict, reinterpret_cast<std::uint64_t>(b.shared)) {}
    thread_order order;
    access_history shared;
    publications published;
    std::map<std::uint32_t, mbarrier_state> mbarriers;                                  // in its shared memory
    std::map<std::pair<std::uint64_t, std::uint32_t>, std::uint32_t> mbarrier_numbers;  // that its threads use
  };

  block_state& of(const block& b) {
    if (known_ == nullptr || known_block_ != b.number) known_ = &blocks_.at(known_block_ = b.number);
    return *known_;
  }

  void add(const block& owner, const operation& o, bool is_shared, std::uint64_t address, std::uint32_t bytes,
           access_record now, const vector_clock* known, const std::byte* value) {
    now.operation = static_cast<std::uint32_t>(&o - m_.image.code.data());
    now.atomic_bytes = o.act == action::atomic ? static_cast<std::uint8_t>(bytes) : 0;
    (is_shared ? of(owner).shared : global_)
        .add(address, bytes, now, known, value, [&](const access_record& earlier, conflict c, std::uint64_t at) {
          report(now, earlier, c, is_shared, at, bytes);
        });
  }

  /// After a barrier of a whole block no later access races with an earlier one in its shared memory: nobody else
  /// reaches it, neither other blocks nor the hardware's engines.
  static bool has_shared_to_itself(const machine& m) {
    return m.cluster.count() == 1 && std::ranges::none_of(m.image.code, [&](const operation& o) {
             return o.act == action::asynchronous || (o.act == action::matrix && instruction_of(m, o).op == ptx::opcode::wgmma);
           });
  }

  std::string kind_name(const access_record& r) const {
    if (m_.image.code[r.operation].act == action::atomic) return "Atomic";
    if (r.warp.is_engine()) return is_write(r.kind) ? "Async Write" : "Async Read";
    return is_write(r.kind) ? "Write" : "Read";
  }

  site site_of(const access_record& r, std::uint32_t lane) const {
    return emulator::site_of(m_, m_.image.code[r.operation], r.warp.block, r.warp.warp % 32 * 32 + lane);
  }

  /// The lanes of `earlier` whose access the thread of `now` does not know of; all of them where it knows of each.
  std::uint32_t unordered_lanes(const access_record& now, const access_record& earlier) const {
    const auto b = blocks_.find(now.warp.block);
    if (now.warp.is_engine() || b == blocks_.end()) return earlier.lanes;
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(now.lanes));
    const clock_pointer& known = b->second.order.known(now.warp.warp, lane);
    const std::uint32_t out = known == nullptr ? 0 : known->missing(earlier.warp, earlier.lanes, earlier.epoch);
    return out == 0 ? earlier.lanes : out;
  }

  void report(const access_record& now, const access_record& earlier, conflict c, bool is_shared, std::uint64_t address,
              std::uint32_t bytes) {
    const int number = c == conflict::narrow_scope ? 418 : is_shared ? 416 : 417;
    const auto [low, high] = std::minmax(now.operation, earlier.operation);
    found_.add({number, low, high}, [&] {
      const std::uint32_t others = unordered_lanes(now, earlier);
      std::uint32_t lane = static_cast<std::uint32_t>(std::countr_zero(now.lanes)),
                    other = static_cast<std::uint32_t>(std::countr_zero(others));
      if (now.warp == earlier.warp && lane == other) {
        if (!std::has_single_bit(others)) other = static_cast<std::uint32_t>(std::countr_zero(others & (others - 1)));
        else if (!std::has_single_bit(now.lanes))
          lane = static_cast<std::uint32_t>(std::countr_zero(now.lanes & (now.lanes - 1)));
      }
      finding f = start_finding(m_, checker::race, number, site_of(now, lane));
      f.other = site_of(earlier, other);
      f.what = std::string("Race reported between ") + kind_name(now) + " access and " + kind_name(earlier) + " access in __" +
               (is_shared ? "shared" : "global") + "__ memory";
      f.has_address = true;
      f.address = address;
      f.bytes = bytes;
      f.detail = c == conflict::narrow_scope  ? "has a scope of one block, but the threads are in different blocks"
                 : c == conflict::other_proxy ? "goes through the async proxy, which may not see the earlier write"
                                              : "is not ordered with an earlier access";
      if (is_shared) f.detail += variable_at(m_, address);
      f.fix =
          c == conflict::narrow_scope ? "give both atomics the scope .gpu"
          : c == conflict::other_proxy
              ? (is_shared ? "run fence.proxy.async.shared::cta, in tg tg::fence_async_proxy(), after the write and "
                             "before the barrier"
                           : "run fence.proxy.async.global, in tg tg::fence_async_proxy_of_buffers(), after the "
                             "write and before the barrier")
          : now.warp.is_engine() || earlier.warp.is_engine()
              ? "wait for the asynchronous operation, then put a barrier between them"
          : now.operation == earlier.operation && is_write(now.kind) && now.warp.block == earlier.warp.block
              ? "let one thread write, make it atomic, or put a barrier between two rounds of a loop"
          : now.warp == earlier.warp
              ? "put a barrier between them; where both are always of one warp, a __syncwarp is enough, in tg "
                "block.warp().sync()"
          : now.warp.block == earlier.warp.block
              ? "put a barrier between them, or make both atomic"
              : "make both atomic, or order them by an atomic flag with a fence before it, and one behind its read, in front of "
                "any barrier, or use two launches";
      return f;
    });
  }

  const machine& m_;
  findings& found_;
  bool forgets_ = has_shared_to_itself(m_);  // then a united block knows of nothing in the history of shared memory
  access_history global_;
  publications published_;
  std::unordered_map<std::uint64_t, block_state> blocks_;
  bool acquires_ = false, releases_ = false;  // some thread, by a strong access or a fence
  block_state* known_ = nullptr;
  std::uint64_t known_block_ = 0;
};

}  // namespace tg::emulator::check
