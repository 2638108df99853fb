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

  const std::vector<finding>& found() const { return found_.list(); }

  void start(const block& b) {
    if (initialization_) initialization_->start(b.number);
    if (races_) races_->start(b.number);
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
    for (std::uint32_t left = active; left != 0;) {
      const auto i = static_cast<std::uint32_t>(std::countr_zero(left));
      const target at = target_of(b, a.space, address[i], a.is_cluster);
      std::uint32_t same = 1u << i;
      if ((!a.is_write || a.is_atomic) && at.space != ptx::token::local)
        for (std::uint32_t rest = left; rest != 0; rest &= rest - 1)
          if (address[std::countr_zero(rest)] == address[i]) same |= rest & (0u - rest);
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

  /// The emulator itself wrote to memory on behalf of a thread, such as the arguments of a call.
  void written(const block& b, ptx::token space, std::uint32_t thread, std::uint64_t address, std::uint64_t bytes) {
    const target at = target_of(b, space, address, false);
    if (initialization_ && at.is_followed()) initialization_->written(*at.owner, at.space, thread, at.address, bytes);
  }

  /// One side of a copy that a thread started (cp.async) and that it has waited for after `finish_copies` of a ticket
  /// as high as this one. Tickets start at 1 and grow.
  void copy(const block& b, const operation& o, ptx::token space, std::uint32_t thread, std::uint64_t address,
            std::uint32_t bytes, bool writes, std::uint32_t ticket) {
    const target at = target_of(b, space, address, false);
    if (initialization_ && at.is_followed() && !writes)
      initialization_->access(b, *at.owner, o, at.space, thread, at.address, bytes, true, false);
    if (races_ && at.is_raced())
      races_->copy(b, *at.owner, o, at.is_shared(), thread / 32, thread % 32, at.address, bytes, writes, ticket);
  }
  void finish_copies(const block& b, std::uint32_t thread, std::uint32_t ticket) {
    if (races_) races_->order(b).finish_copies(thread / 32, thread % 32, ticket);
  }
  /// All of a warp have waited for what thread `from` started.
  void finish_copies(const block& b, std::uint32_t warp, std::uint32_t from, std::uint32_t ticket) {
    if (!races_) return;
    for (std::uint32_t lane = 0; lane < 32; ++lane)
      races_->order(b).finish_copies(warp, lane, from / 32, from % 32, ticket);
  }

  /// A thread of `b` releases to, or acquires from, an mbarrier in the shared memory of `owner`.
  void release(const block& b, const block& owner, std::uint32_t thread, std::uint64_t offset) {
    if (races_) races_->meet_at(b, races_->published(owner, offset), thread, {.is_strong = true, .releases = true});
  }
  void acquire(const block& b, const block& owner, std::uint32_t thread, std::uint64_t offset) {
    if (races_) races_->meet_at(b, races_->published(owner, offset), thread, {.is_strong = true, .acquires = true});
  }
  /// The same for the copies of a thread up to a ticket, of cp.async.mbarrier.arrive.
  void release_copies(const block& b, const block& owner, std::uint32_t thread, std::uint64_t offset,
                      std::uint32_t ticket) {
    if (races_) races_->order(b).publish_copies(races_->published(owner, offset), thread / 32, thread % 32, ticket);
  }
  /// The barrier of a cluster, which is no place in memory.
  static constexpr std::uint64_t cluster_barrier = ~std::uint64_t{0};

  /// Bytes were moved for block `b`, from somewhere or from nowhere; both are the host's view.
  void moved(const block& b, const std::byte* to, const std::byte* from, std::uint64_t bytes) {
    if (initialization_) initialization_->moved(b, to, from, bytes);
  }

  void fence(const block& b, const operation& o) {
    if (!races_) return;
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
    for (std::uint32_t w = 0; w < m_.warps; ++w)
      if (b.group.lanes[w] != 0) arrives(b, 0, w, b.group.lanes[w]);
    for (std::uint32_t w = 0; w < m_.warps; ++w)
      if (b.group.lanes[w] != 0) passes(b, o, 0, w, b.group.lanes[w]);
    opened(b);
  }

  /// Lanes of one warp order their accesses, of bar.warp.sync.
  void meets(const block& b, std::uint32_t warp, std::uint32_t lanes) {
    if (races_) races_->order(b).meet(warp, lanes);
  }
  void exits(const block& b, const operation& o, std::uint32_t warp, std::uint32_t lanes) {
    if (convergence_ && lanes != 0) convergence_->exits(b, o, warp, lanes);
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
    const std::byte* const cell = at.is_shared() ? at.owner->shared + at.address
                                                 : reinterpret_cast<const std::byte*>(m_.host_offset + at.address);
    return std::memcmp(cell, b.slot(o, 1, warp) + std::size_t{lane} * o.slot_bytes[1], a.element_bytes) != 0;
  }

  static void take_value(const block& b, const operation& o, const memory_access& a, std::uint32_t warp,
                         std::uint32_t lane, std::byte* to) {
    for (std::size_t k = 0; k < a.elements; ++k)
      std::memcpy(to + k * a.element_bytes, b.slot(o, k, warp) + std::size_t{lane} * o.slot_bytes[k], a.element_bytes);
  }

  const machine& m_;
  findings found_;
  std::vector<memory_order> orders_;  // per operation
  std::optional<initialization> initialization_;
  std::optional<races> races_;
  std::optional<convergence> convergence_;
  clock_pointer learned_;  // at the barrier that opens now
};

}  // namespace tg::emulator::check
