// Operations on mbarriers: where one is, what changes it, who is woken.
#pragma once

#include <tg/base/config.hpp>
#include <tg/emulator/async/transfer.hpp>
#include <tg/emulator/block/cluster.hpp>
#include <tg/emulator/check/report.hpp>
#include <tg/emulator/image/mbarrier.hpp>

namespace tg::emulator::detail {

/// An mbarrier in the shared memory of a block of the cluster, as one thread's instruction names it.
class mbarrier_place {
 public:
  mbarrier_place(block& user, const operation& o, std::uint32_t thread, const std::byte* where)
      : mbarrier_place(user, o, thread, *user.cluster->owner(where), where) {}
  mbarrier_place(block& user, const operation& o, std::uint32_t thread, block& owner, const std::byte* where)
      : user_(user), o_(o), thread_(thread), owner_(owner), offset_(static_cast<std::uint32_t>(where - owner.shared)) {}

  block& owner() const { return owner_; }
  std::uint32_t offset() const { return offset_; }

  /// Where one is already there, it begins anew; the checker `sync` reports TG451.
  /// Errors: TG453 for a count that is too large or 0.
  void init(std::uint32_t count) const {
    if (count == 0 || count > mbarrier::max_count)
      fail(453, "gives it " + std::to_string(count) + " arrivals", "a phase has 1 to 1048575 arrivals");
    if (owner_.pending.find(offset_) == nullptr) owner_.pending.mbarriers.emplace_back(offset_, 0);
    else if (check::watch* const watch = owner_.the_machine().watch; watch != nullptr)
      watch->second_init(user_, o_, thread_, offset_);
    put(mbarrier::of(count));
  }

  void invalidate() const {
    get();
    tg::erase_if(owner_.pending.mbarriers, [&](const auto& known) { return known.first == offset_; });
  }

  /// Errors: TG450 where none is initialised, TG454 where something else wrote to it.
  mbarrier get() const {
    const std::uint64_t* const known = owner_.pending.find(offset_);
    if (known == nullptr)
      fail(450, "finds no mbarrier there", "run mbarrier.init first, and a barrier or fence before others use it");
    std::uint64_t bits;
    std::memcpy(&bits, owner_.shared + offset_, 8);
    if (bits != *known) fail(454, "finds it overwritten", "keep ordinary stores away from the 8 bytes of an mbarrier");
    return mbarrier::unpack(bits);
  }

  /// Errors: TG452 when more arrive than the phase needs.
  void arrive(std::uint32_t count, bool may_complete, bool drops) const {
    mbarrier m = get();
    if (count == 0 || count > m.pending)
      fail(452,
           "arrives " + std::to_string(count) + " times where " + std::to_string(m.pending) + " of " +
               std::to_string(m.expected) + " arrivals are missing",
           "give mbarrier.init the number of threads that arrive in each phase");
    if (!may_complete && count == m.pending)
      fail(452, "completes the phase in spite of .noComplete", "use it only where other arrivals follow");
    m.pending -= count;
    if (drops) m.expected -= count;
    settle(m);
  }

  /// cp.async.mbarrier.arrive without .noinc: one more arrival is needed before its own comes.
  void expect_arrival() const {
    mbarrier m = get();
    if (m.pending == mbarrier::max_count) fail(453, "needs too many arrivals", "use fewer");
    ++m.pending;
    put(m);
  }

  /// Errors: TG453 when the count leaves its range.
  void transact(std::int64_t bytes) const {
    mbarrier m = get();
    m.transactions += bytes;
    if (m.transactions > mbarrier::max_transactions || m.transactions < -mbarrier::max_transactions)
      fail(453, "brings its transactions to " + std::to_string(m.transactions) + " bytes",
           "a phase counts up to 1048575 bytes");
    settle(m);
  }

  /// Does what comes to this mbarrier and has been waiting for somebody to look.
  void deliver() const {
    pending_work& work = owner_.pending;
    for (std::size_t k = 0; k < work.loads.size();) {
      if (work.loads[k].mbarrier != offset_) {
        ++k;
        continue;
      }
      const pending_load load = std::move(work.loads[k]);
      work.loads.erase(work.loads.begin() + static_cast<std::ptrdiff_t>(k));
      load.move();
      mbarrier_place(user_, *load.by, load.thread, owner_, owner_.shared + offset_).transact(-std::int64_t{load.bytes});
    }
    for (std::size_t k = 0; k < work.arrivals.size();) {
      if (work.arrivals[k].mbarrier != offset_) {
        ++k;
        continue;
      }
      const pending_arrival arrival = work.arrivals[k];
      work.arrivals.erase(work.arrivals.begin() + static_cast<std::ptrdiff_t>(k));
      finish_copies(owner_, arrival.thread, [&](const pending_copy& c) { return c.order < arrival.order; });
      const mbarrier_place where(owner_, *arrival.by, arrival.thread, owner_, owner_.shared + offset_);
      if (check::watch* const watch = owner_.the_machine().watch; watch != nullptr)
        watch->release_copies(owner_, owner_, arrival.thread, check::watch::phase_of(offset_, where.get().phase),
                              arrival.ticket);
      where.arrive(1, true, false);
    }
  }

  /// Runs the copies of a thread for which `is_due` holds, in the order in which they began.
  template <class IsDue> static void finish_copies(block& b, std::uint32_t thread, IsDue is_due) {
    tg::erase_if(b.pending.copies_of(thread), [&](const pending_copy& c) {
      if (!is_due(c)) return false;
      static constexpr std::byte zero{};
      transfer(b, *c.by, c.to, c.from, c.read_bytes);
      transfer_fill(b, *c.by, c.to + c.read_bytes, &zero, 1, c.bytes - c.read_bytes);
      return true;
    });
  }

 private:
  void put(const mbarrier& m) const {
    const std::uint64_t bits = m.pack();
    *owner_.pending.find(offset_) = bits;
    std::memcpy(owner_.shared + offset_, &bits, 8);
  }

  void settle(mbarrier m) const {
    const bool is_over = m.advance();
    put(m);
    if (!is_over) return;
    if (check::watch* const watch = owner_.the_machine().watch; watch != nullptr) watch->end_phase(owner_, offset_);
    owner_.cluster->made_progress();
    owner_.wake(wait_reason::mbarrier);
  }

  [[noreturn]] TG_COLD void fail(int number, const std::string& what, std::string_view fix) const {
    const std::string whose = &owner_ == &user_ ? "" : " of block " + triple(owner_.at);
    emulator::fail(user_.the_machine(), number, o_,
                   describe(user_.the_machine(), o_) + " " + by_thread(user_, thread_ / 32, thread_ % 32) +
                       " on the mbarrier at shared address " + hex(offset_) + whose + " " + what,
                   fix);
  }

  block& user_;
  const operation& o_;
  std::uint32_t thread_;
  block& owner_;
  std::uint32_t offset_;
};

}  // namespace tg::emulator::detail
