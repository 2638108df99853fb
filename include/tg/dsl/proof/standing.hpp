// What later instructions of a kernel may meet: the uses since the last barrier and those before it, along one way or where two
// ways have come together.
#pragma once

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <unordered_set>

#include <tg/base/dynamic_array.hpp>
#include <tg/dsl/proof/use.hpp>

namespace tg::proof {

/// What later instructions may meet.
struct standing {
  dynamic_array<live_use> uses;    // since the last barrier
  dynamic_array<live_use> behind;  // before it, since the one before
  std::uint32_t barrier = 0;       // the last one
};

/// What two ways leave behind together. `since`: what holds where only the second was taken.
inline dynamic_array<live_use> joined(dynamic_array<live_use> a, const dynamic_array<live_use>& b,
                                      const literal* first_only = nullptr, const literal* second_only = nullptr) {
  std::unordered_set<std::uint32_t> in_b;
  if (first_only != nullptr)
    for (const live_use& l : b) in_b.insert(l.use);
  std::unordered_map<std::uint32_t, std::size_t> in_a;
  for (std::size_t n = 0; n < a.size(); ++n) {
    in_a.emplace(a[n].use, n);
    if (first_only != nullptr && !in_b.contains(a[n].use)) a[n].since.push_back(*first_only);
  }
  for (const live_use& l : b) {
    if (const auto at = in_a.find(l.use); at != in_a.end()) {
      live_use& own = a[at->second];
      tg::erase_if(own.meetings,
                   [&](const meeting& m) { return std::find(l.meetings.begin(), l.meetings.end(), m) == l.meetings.end(); });
      own.is_pending = own.is_pending || l.is_pending;
      own.is_committed = own.is_committed && l.is_committed;
      own.newer = std::min(own.newer, l.newer);
      own.is_behind = own.is_behind && l.is_behind;
      own.maybe_over |= l.maybe_over;
      own.is_ahead = own.is_ahead || l.is_ahead;
      own.is_maybe_ordered = own.is_maybe_ordered || l.is_maybe_ordered;
      continue;
    }
    a.push_back(l);
    if (second_only != nullptr) a.back().since.push_back(*second_only);
  }
  return a;
}

/// What stands for those that leave a loop, where `done` holds.
inline standing with_exit(standing s, const literal& done) {
  for (live_use& l : s.uses) l.since.push_back(done);
  return s;
}

}  // namespace tg::proof
