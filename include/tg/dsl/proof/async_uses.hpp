// Uses of memory that go on behind their instruction: copies of threads and products of warpgroups, counted in groups, and
// copies of the async proxy, which an mbarrier or a group of bulk copies ends.
//
// A copy that an mbarrier counts has landed for the threads that wait for its phase. It is known which phase that is where one
// thread makes all arrivals, each of which ends a phase (mbarriers.hpp). Of any other wait it is said that it may have ordered
// the copy, so that what comes next is unknown, neither proved nor refuted.
#pragma once

#include <algorithm>
#include <cstdint>

#include <tg/base/dynamic_array.hpp>
#include <tg/dsl/proof/use.hpp>

namespace tg::proof {

/// Whether whoever comes by `way` has met the conditions `asked` before all others.
inline bool begins_with(const path& way, const dynamic_array<literal>& asked) {
  const auto& met = *way.literals;
  return asked.size() <= met.size() &&
         std::equal(asked.begin(), asked.end(), met.begin(),
                    [](const literal& a, const literal& b) { return a.condition == b.condition && a.holds == b.holds; });
}

/// Whether `way` asks for nothing that the use had not met as well.
inline bool asks_no_more(const use& made_by, const path& way) { return begins_with(made_by.way, *way.literals); }

/// Whether each thread that made the use comes by `way` later, of the ways that are followed one by one.
inline bool comes_too(const use& made_by, const path& way) {
  return (made_by.way.may & ~way.must).none() || asks_no_more(made_by, way);
}

/// What a group counts: copies by cp.async, bulk copies, or products of a warpgroup.
enum class group_of : std::uint8_t { copies, bulk_copies, products };

/// Whether a group of that kind counts the use.
inline bool is_in_group(const live_use& l, group_of what) {
  if (!l.is_pending) return false;
  switch (what) {
    case group_of::copies: return l.ends_by == completion::copy_group;
    case group_of::bulk_copies: return l.ends_by == completion::bulk_read || l.ends_by == completion::bulk_write;
    case group_of::products: return l.ends_by == completion::products;
  }
  return false;
}

/// The threads of a way make one more group of their copies. If only some of those that copied come, nothing can be said for
/// all of them any more.
inline void commit_group(dynamic_array<live_use>& live, const dynamic_array<use>& uses, const path& way, group_of what) {
  for (live_use& l : live) {
    if (!is_in_group(l, what)) continue;
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
  group_of what = group_of::copies;
  bool only_reads = false;
};

/// The threads of a way wait for groups. Returns: the uses that are over.
inline dynamic_array<std::uint32_t> wait_for_groups(dynamic_array<live_use>& live, const dynamic_array<use>& uses,
                                                    const path& way, const group_wait& w) {
  dynamic_array<std::uint32_t> over;
  for (live_use& l : live) {
    if (!is_in_group(l, w.what) || (w.only_reads && l.ends_by == completion::bulk_write)) continue;
    if (!comes_too(uses[l.use], way)) {
      l.maybe_over |= way.may;
    } else if (w.all || (l.is_committed && l.newer >= w.left)) {
      l.is_pending = false, l.is_behind = false;
      over.push_back(l.use);
    }
  }
  return over;
}

/// The threads of a way have waited for phase `phase` of an mbarrier, -1: one that is not known; `at` of no variable: of one
/// that is not known.
inline void land(dynamic_array<live_use>& live, const dynamic_array<use>& uses, const path& way, const mbarrier_phase_at& at) {
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
/// that others have waited for. It ends no bulk copy and no product whose own threads have not waited for its group, nor does
/// an mbarrier order its own initialisation with threads that use it too early.
inline void doubt(dynamic_array<live_use>& live, const dynamic_array<use>& uses, std::uint32_t own_variable) {
  for (live_use& l : live) {
    const bool is_of_group = is_in_group(l, group_of::bulk_copies) || is_in_group(l, group_of::products);
    const bool is_own = l.is_setup && uses[l.use].where.id == own_variable;
    if (!is_of_group && !is_own) l.is_maybe_ordered = true;
  }
}

}  // namespace tg::proof
