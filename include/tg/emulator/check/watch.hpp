// What the checkers of one launch follow: accesses, barriers, exchanges, exits. Runs on one host thread.
// Other parts of the emulator call it wherever they touch shared, global or local memory, or order threads.
#pragma once

#include <optional>

#include <tg/emulator/check/convergence.hpp>
#include <tg/emulator/check/initialization.hpp>
#include <tg/emulator/check/races.hpp>

namespace tg::emulator::check {

class watch {
 public:
  explicit watch(const machine& m) : m_(m) {
    const checkers& on = m.options.check;
    if (on.init) initialization_.emplace(m, m.device.written(), found_);
    if (on.race) races_.emplace(m, found_);
    if (on.sync) convergence_.emplace(m, found_);
    for (const operation& o : m.image.code) {
      const bool is_access = o.act == action::load || o.act == action::store || o.act == action::atomic;
      orders_.push_back(is_access || o.act == action::fence ? order_of(instruction_of(m, o)) : memory_order{});
    }
  }

  const dynamic_array<finding>& found() const { return found_.list(); }

  /// What the launch did to global memory; nothing where races are not looked for.
  void collect(touched_bytes& to) const {
    if (races_) races_->collect(to);
  }

  /// False when nobody here asks who accesses what.
  bool follows_accesses() const { return initialization_ || races_; }

  void start(const block& b) {
    if (initialization_) initialization_->start(b.number);
    if (races_) races_->start(b);
  }
  void finish(const block& b) {
    if (initialization_) initialization_->finish(b.number);
    if (races_) races_->finish(b.number);
    if (convergence_) convergence_->finish(b.number);
  }

  /// A load, store or atomic of a warp, inside memory that exists; generic addresses may be of several spaces.
  void access(const block& b, const operation& o, const memory_access& a, std::uint32_t warp, std::uint32_t active,
              const std::uint64_t* address) {
    const memory_order order = order_of(o);
    const bool reads = !a.is_write || (a.is_atomic && a.how != combine::exchange);
    std::array<std::byte, 64> value;
    std::array<std::uint32_t, 32> alike;
    const bool joins = !a.is_write || a.is_atomic;
    if (joins) find_alike(active, address, alike);
    for (std::uint32_t left = active; left != 0;) {
      const auto i = static_cast<std::uint32_t>(std::countr_zero(left));
      const target at = target_of(b, a.space, address[i], a.is_cluster);
      std::uint32_t same = joins && at.space != ptx::token::local ? alike[i] : 1u << i;
      left &= ~same;
      if (initialization_ && at.is_followed())
        initialization_->access(b, *at.owner, o, at.space, warp * 32 + i, at.address, a.bytes(), reads, a.is_write);
      if (!races_ || !at.is_raced()) continue;
      const bool writes = a.is_write && !fails(b, o, a, warp, i, at);
      const access_kind kind = order.is_strong ? (writes ? access_kind::strong_write : access_kind::strong_read)
                                               : (writes ? access_kind::write : access_kind::read);
      if (kind == access_kind::write) take_value(b, o, a, warp, i, value.data());
      races_->access(b, *at.owner, o, at.is_shared(), warp, same, at.address, a.bytes(), kind, order.scope,
                     kind == access_kind::write ? value.data() : nullptr);
      if (order.is_strong)
        for (; same != 0; same &= same - 1)
          races_->synchronize(b, *at.owner, at.is_shared(), warp, static_cast<std::uint32_t>(std::countr_zero(same)),
                              at.address, order, !a.is_write || a.is_atomic, writes);
    }
  }

  /// Ranges of threads make an access at the addresses `v` + the instruction's offset, all inside memory that exists.
  /// `space` is where they all lie. Requires: that `b` is one block.
  /// Returns: false, with nothing done, where each warp must be shown by itself.
  bool access(const block& b, const operation& o, const memory_access& a, ptx::token space, const even_values& v,
              const lane_ranges& ranges) {
    if (order_of(o).is_strong) return false;
    std::int64_t base = v.base[0] + a.offset;
    if (a.space == ptx::token::generic && space == ptx::token::shared) base -= static_cast<std::int64_t>(shared_window);
    if (space == ptx::token::local) base -= static_cast<std::int64_t>(local_window);
    const even_addresses at(base, v.dx, v.dy, v.dz, a.bytes(), m_.shape.block);
    if (space == ptx::token::const_) return true;
    const bool is_raced = races_ && space != ptx::token::local;
    if (is_raced && a.is_write && !at.is_apart()) return false;
    if (initialization_ && !a.is_write)
      for (const lane_range& r : ranges)
        if (!initialization_->holds(b, space, at, r.first, r.count)) return false;
    if (is_raced && !races_->can_take(b, ranges)) return false;
    if (is_raced) {
      ++serial_;
      const auto value = [&](std::uint32_t thread, std::byte* to) { take_value(b, o, a, thread / 32, thread % 32, to); };
      for (const lane_range& r : ranges)
        races_->access(b, o, space == ptx::token::shared, at, r.first, r.count,
                       a.is_write ? access_kind::write : access_kind::read, serial_, value);
    }
    if (initialization_ && a.is_write)
      for (const lane_range& r : ranges) initialization_->insert(b, space, at, r.first, r.count);
    return true;
  }

  /// A plain access of one thread by any other instruction; the address is one of `space`, or generic.
  void touch(const block& b, const operation& o, ptx::token space, std::uint32_t thread, std::uint64_t address,
             std::uint32_t bytes, bool writes) {
    const target at = target_of(b, space, address, false);
    if (initialization_ && at.is_followed())
      initialization_->access(b, *at.owner, o, at.space, thread, at.address, bytes, !writes, writes);
    if (races_ && at.is_raced())
      races_->access(b, *at.owner, o, at.is_shared(), thread / 32, 1u << thread % 32, at.address, bytes,
                     writes ? access_kind::write : access_kind::read, scope::all, nullptr);
  }

  /// Bytes that asynchronous work reads: something must have written them.
  void reads(const block& b, const operation& o, ptx::token space, std::uint32_t thread, std::uint64_t address,
             std::uint32_t bytes) {
    const target at = target_of(b, space, address, false);
    if (initialization_ && at.is_followed())
      initialization_->access(b, *at.owner, o, at.space, thread, at.address, bytes, true, false);
  }

  /// The emulator itself wrote to memory on behalf of a thread, such as the arguments of a call.
  void written(const block& b, ptx::token space, std::uint32_t thread, std::uint64_t address, std::uint64_t bytes) {
    const target at = target_of(b, space, address, false);
    if (initialization_ && at.is_followed()) initialization_->written(*at.owner, at.space, thread, at.address, bytes);
  }

  /// A thread starts work that ends when `ticket` of the engine has been waited for, or with the phase that an mbarrier
  /// in the shared memory of `owner` is in. Tickets start at 1 and grow.
  async_work begin(const block& b, std::uint32_t thread, engine e, std::uint32_t ticket) {
    return races_ ? races_->begin(b, thread, e, ticket) : async_work{};
  }
  async_work begin(const block& b, std::uint32_t thread, const block& owner, std::uint32_t mbarrier) {
    return races_ ? races_->begin(b, thread, owner, mbarrier) : async_work{};
  }
  /// What the work reads or writes; `place` is the host's view of shared or global memory. `value`: what a plain write leaves
  /// there; null: zeros.
  void access(const block& b, const operation& o, const async_work& w, const std::byte* place, std::uint32_t bytes,
              access_kind kind, const std::byte* value = nullptr) {
    if (!races_ || bytes == 0) return;
    const block* const owner = b.cluster->owner(place);
    if (owner == nullptr) races_->access(w, b, o, false, reinterpret_cast<std::uint64_t>(place), bytes, kind, value);
    else if (!owner->has_ended)
      races_->access(w, *owner, o, true, static_cast<std::uint64_t>(place - owner->shared), bytes, kind, value);
  }
  /// Lanes of a warp have waited for what thread `from` started.
  void end(const block& b, std::uint32_t warp, std::uint32_t lanes, std::uint32_t from, engine e, std::uint32_t ticket) {
    if (!races_) return;
    thread_order& order = races_->order(b);
    const warp_name by = order.name(from / 32).beside(e);
    for (; lanes != 0; lanes &= lanes - 1)
      order.learn(warp, static_cast<std::uint32_t>(std::countr_zero(lanes)), by, 1u << from % 32, ticket);
  }

  /// A thread of `b` releases to, or acquires from, something in the shared memory of `owner`. `is_relaxed`: only what a
  /// fence before it has released, or what one after it will acquire.
  void release(const block& b, const block& owner, std::uint32_t thread, std::uint64_t where, bool is_relaxed = false) {
    if (races_) races_->meet_at(b, races_->published(owner, where), thread, {.is_strong = true, .releases = !is_relaxed}, true);
  }
  void acquire(const block& b, const block& owner, std::uint32_t thread, std::uint64_t where, bool is_relaxed = false) {
    if (races_)
      races_->meet_at(b, races_->published(owner, where), thread, {.is_strong = true, .acquires = !is_relaxed}, false);
  }
  /// The phases with one parity, of the barrier of a cluster and of an mbarrier: no places in memory. A thread that is late may
  /// wait for one phase when others have arrived for the next.
  static constexpr std::uint64_t phase_of_cluster(bool parity) { return ~std::uint64_t{0} - (parity ? 1u : 0u); }
  static constexpr std::uint64_t phase_of(std::uint32_t mbarrier, bool parity) {
    return std::uint64_t{mbarrier} << 32 | (parity ? 2u : 1u);
  }
  /// cp.async.mbarrier.arrive: the copies of a thread up to a ticket are done for those who acquire.
  void release_copies(const block& b, const block& owner, std::uint32_t thread, std::uint64_t where, std::uint32_t ticket) {
    if (races_)
      thread_order::publish(races_->published(owner, where), races_->order(b).name(thread / 32).beside(engine::copies),
                            1u << thread % 32, ticket);
  }
  void end_phase(const block& owner, std::uint32_t mbarrier) {
    if (races_) races_->end_phase(owner, mbarrier);
  }
  /// A thread has waited for the phase of an mbarrier before the one it is in.
  void acquire_phase(const block& b, const block& owner, std::uint32_t thread, std::uint32_t mbarrier, bool parity,
                     bool is_relaxed) {
    if (!races_) return;
    acquire(b, owner, thread, phase_of(mbarrier, parity), is_relaxed);
    races_->learn_phases(b, thread, owner, mbarrier);
  }

  /// Bytes were moved for block `b`, from somewhere or from nowhere; both are the host's view.
  void moved(const block& b, const std::byte* to, const std::byte* from, std::uint64_t bytes) {
    if (initialization_) initialization_->moved(b, to, from, bytes);
  }

  void fence(const block& b, const operation& o) {
    if (!races_) return;
    races_->note_fence();
    for (std::uint32_t w = 0; w < m_.warps; ++w)
      if (const std::uint32_t active = b.active(o, w); active != 0) races_->order(b).fence(w, active, order_of(o));
  }

  /// Lanes come to barrier `id`, those that wait pass it when it opens; then it opens.
  void arrives(const block& b, std::uint32_t id, std::uint32_t warp, std::uint32_t lanes) {
    if (races_) races_->order(b).arrive(id, warp, lanes);
  }
  void passes(const block& b, const operation& o, std::uint32_t id, std::uint32_t warp, std::uint32_t lanes) {
    if (convergence_) convergence_->passes(b, o, warp, lanes);
    if (!races_) return;
    if (learned_ == nullptr) learned_ = races_->order(b).open(id);
    races_->order(b).leave(learned_, warp, lanes);
  }
  void opened(const block& b) {
    if (convergence_) convergence_->opened(b);
    learned_ = nullptr;
  }
  /// All lanes that live pass a barrier together.
  void passes_together(const block& b, const operation& o) {
    if (races_ && b.group.is_full && races_->order(b).is_united()) {
      races_->pass_united(b);
      if (!convergence_) return;
      for (std::uint32_t w = 0; w < m_.warps; ++w) convergence_->passes(b, o, w, b.group.lanes[w]);
      return convergence_->opened(b);
    }
    for (std::uint32_t w = 0; w < m_.warps; ++w)
      if (b.group.lanes[w] != 0) arrives(b, 0, w, b.group.lanes[w]);
    for (std::uint32_t w = 0; w < m_.warps; ++w)
      if (b.group.lanes[w] != 0) passes(b, o, 0, w, b.group.lanes[w]);
    opened(b);
    if (races_ && b.group.is_full) races_->unite(b);
  }

  /// Lanes of one warp order their accesses, of bar.warp.sync.
  void meets(const block& b, std::uint32_t warp, std::uint32_t lanes) {
    if (races_) races_->order(b).meet(warp, lanes);
  }
  void exits(const block& b, const operation& o, std::uint32_t warp, std::uint32_t lanes) {
    if (convergence_ && lanes != 0) convergence_->exits(b, o, warp, lanes);
  }
  void second_init(const block& b, const operation& o, std::uint32_t thread, std::uint32_t mbarrier) {
    if (convergence_) convergence_->second_init(b, o, thread, mbarrier);
  }
  void absent_lane(const block& b, const operation& o, std::uint32_t warp, std::uint32_t lane, std::uint32_t source) {
    if (convergence_) convergence_->absent_lane(b, o, warp, lane, source);
  }

 private:
  /// Where an access goes; addresses count from 0 in shared and local memory.
  struct target {
    ptx::token space;
    std::uint64_t address;
    const block* owner;  // of shared memory

    bool is_shared() const { return space == ptx::token::shared; }
    bool is_raced() const { return is_shared() || space == ptx::token::global; }
    bool is_followed() const { return is_raced() || space == ptx::token::local; }
  };

  static target target_of(const block& b, ptx::token written, std::uint64_t address, bool is_cluster) {
    if (written == ptx::token::param || written == ptx::token::const_) return {written, address, &b};
    if (written == ptx::token::shared) {
      if (!is_cluster || address < window_bytes) return {written, address, &b};
      address += shared_window;
    }
    if (address - shared_window < window_bytes) return {ptx::token::shared, address - shared_window, &b};
    if (address - local_window < window_bytes) return {ptx::token::local, address - local_window, &b};
    if (address - cluster_window < max_cluster_blocks * window_bytes)
      return {ptx::token::shared, address % window_bytes, b.cluster->find((address - cluster_window) / window_bytes)};
    return {address < memory::first_address ? ptx::token::param : ptx::token::global, address, &b};
  }

  const memory_order& order_of(const operation& o) const {
    return orders_[static_cast<std::size_t>(&o - m_.image.code.data())];
  }
  static memory_order order_of(const ptx::instruction& i) { return check::order_of(i); }

  /// A compare-and-swap that finds another value writes nothing.
  bool fails(const block& b, const operation& o, const memory_access& a, std::uint32_t warp, std::uint32_t lane,
             const target& at) const {
    if (!a.is_atomic || a.how != combine::compare_exchange) return false;
    const std::byte* const cell = at.is_shared() ? at.owner->shared + at.address : byte_at(at.address);
    return std::memcmp(cell, b.slot(o, 1, warp) + std::size_t{lane} * o.slot_bytes[1], a.element_bytes) != 0;
  }

  static void take_value(const block& b, const operation& o, const memory_access& a, std::uint32_t warp, std::uint32_t lane,
                         std::byte* to) {
    for (std::size_t k = 0; k < a.elements; ++k)
      std::memcpy(to + k * a.element_bytes, b.slot(o, k, warp) + std::size_t{lane} * o.slot_bytes[k], a.element_bytes);
  }

  const machine& m_;
  findings found_;
  dynamic_array<memory_order> orders_;  // per operation
  std::optional<initialization> initialization_;
  std::optional<races> races_;
  std::optional<convergence> convergence_;
  std::uint64_t serial_ = 0;  // of the last access of ranges
  clock_pointer learned_;     // at the barrier that opens now
};

}  // namespace tg::emulator::check
