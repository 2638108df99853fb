// Uses of memory that go on behind their instruction: copies of threads, counted in groups, and copies of the async proxy,
// which an mbarrier or a group of bulk copies ends.
//
// A copy that an mbarrier counts has landed for the threads that wait for its phase. It is known which phase that is where one
// thread makes all arrivals, each of which ends a phase (mbarriers.hpp). Of any other wait it is said that it may have ordered
// the copy, so that what comes next is unknown, neither proved nor refuted.
//
// What a thread writes is seen by the async proxy behind a fence.proxy.async of that thread. Source: PTX ISA 9.0, "Async
// proxy".
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include <tg/dsl/proof/use.hpp>

namespace tg::proof {

/// Whether `way` asks for nothing that the use had not met as well.
inline bool asks_no_more(const use& made_by, const path& way) {
  const auto &asked = *way.literals, &met = *made_by.way.literals;
  return asked.size() <= met.size() &&
         std::equal(asked.begin(), asked.end(), met.begin(),
                    [](const literal& a, const literal& b) { return a.condition == b.condition && a.holds == b.holds; });
}

/// Whether each thread that made the use comes by `way` later, of the ways that are followed one by one.
inline bool comes_too(const use& made_by, const path& way) {
  return (made_by.way.may & ~way.must).none() || asks_no_more(made_by, way);
}

/// Whether a group counts the use: one of bulk copies or one of cp.async.
inline bool is_in_group(const live_use& l, bool is_bulk) {
  const bool is_of_bulk = l.ends_by == completion::bulk_read || l.ends_by == completion::bulk_write;
  return l.is_pending && (is_bulk ? is_of_bulk : l.ends_by == completion::copy_group);
}

/// The threads of a way make one more group of their copies. If only some of those that copied come, nothing can be said for
/// all of them any more.
inline void commit_group(std::vector<live_use>& live, const std::vector<use>& uses, const path& way, bool is_bulk) {
  for (live_use& l : live) {
    if (!is_in_group(l, is_bulk)) continue;
    if (!comes_too(uses[l.use], way)) {
      l.is_maybe_ordered = true;
      continue;
    }
    if (l.is_committed) ++l.newer;
    l.is_committed = true;
  }
}

/// What a wait for groups waits for: all but the last `left` groups; with `all`, copies of no group too; with `only_reads`,
/// until what they read has been read.
struct group_wait {
  std::uint32_t left = 0;
  bool all = false;
  bool is_bulk = false;
  bool only_reads = false;
};

/// The threads of a way wait for groups of their copies.
inline void wait_for_groups(std::vector<live_use>& live, const std::vector<use>& uses, const path& way, const group_wait& w) {
  for (live_use& l : live) {
    if (!is_in_group(l, w.is_bulk) || (w.only_reads && l.ends_by == completion::bulk_write)) continue;
    if (!comes_too(uses[l.use], way)) l.is_maybe_ordered = true;
    else if (w.all || (l.is_committed && l.newer >= w.left)) l.is_pending = false, l.is_behind = false;
  }
}

/// The threads of a way have waited for phase `phase` of an mbarrier, -1: one that is not known; `at` of no variable: of one
/// that is not known.
inline void land(std::vector<live_use>& live, const std::vector<use>& uses, const path& way, const mbarrier_phase_at& at) {
  for (live_use& l : live) {
    if (l.ends_by != completion::mbarrier) continue;
    const bool are_known = at.is_known() && l.ends_at.is_known();
    if (are_known && !l.ends_at.is_same_barrier(at)) continue;
    if (!are_known || at.phase < 0 || l.ends_at.phase < 0) {
      l.is_maybe_ordered = true;
      continue;
    }
    if (l.ends_at.phase > at.phase) continue;
    const threads& made = uses[l.use].way.may;
    if (l.is_pending && (made & ~way.must).any()) {
      l.is_maybe_ordered = true;
      continue;
    }
    if (l.is_pending) l.is_pending = l.is_behind = false;
    l.meetings.push_back({way.must | made});
  }
}

/// Something has happened that may order what came before with what comes: what threads did before they went on, and copies
/// that others have waited for. It ends no bulk copy whose own thread has not waited for its group, nor does an mbarrier order
/// its own initialisation with threads that use it too early.
inline void doubt(std::vector<live_use>& live, const std::vector<use>& uses, std::uint32_t own_variable) {
  for (live_use& l : live) {
    const bool is_of_group = l.is_pending && (l.ends_by == completion::bulk_read || l.ends_by == completion::bulk_write);
    const bool is_own = l.is_setup && uses[l.use].where.id == own_variable;
    if (!is_of_group && !is_own) l.is_maybe_ordered = true;
  }
}

/// What a thread wrote to a tile: the async proxy sees it once the thread has passed a fence, for what others begin once they
/// have met the thread behind it.
struct proxy_write {
  std::uint32_t use = 0;
  bool is_fenced = false;
  bool is_maybe_met = false;
  std::vector<meeting> meetings = {};  // behind the fence

  bool is_ordered(std::size_t s, std::size_t t) const {
    return is_fenced &&
           (s == t || std::any_of(meetings.begin(), meetings.end(), [&](const meeting& m) { return m.orders(s, t); }));
  }
};

/// All that threads wrote to tiles and that the async proxy does not see for sure.
class proxy_writes {
 public:
  void add(std::uint32_t use) { all_.push_back({.use = use}); }
  /// fence.proxy.async by the threads of a way.
  void fence(const std::vector<use>& uses, const path& way) {
    for (proxy_write& w : all_) {
      const bool come_all = way.is_sure && (uses[w.use].way.may & ~way.must).none();
      w.is_fenced = w.is_fenced || come_all || asks_no_more(uses[w.use], way);
    }
  }
  /// All threads of the block have met.
  void meet_all() {
    std::erase_if(all_, [](const proxy_write& w) { return w.is_fenced; });
  }
  /// Some have, or may have.
  void meet(const meeting& m, bool is_certain) {
    for (proxy_write& w : all_) {
      if (!w.is_fenced) continue;
      if (is_certain) w.meetings.push_back(m);
      else w.is_maybe_met = true;
    }
  }
  void doubt() {
    for (proxy_write& w : all_) w.is_maybe_met = w.is_maybe_met || w.is_fenced;
  }

  const std::vector<proxy_write>& all() const { return all_; }

 private:
  std::vector<proxy_write> all_;
};

}  // namespace tg::proof
