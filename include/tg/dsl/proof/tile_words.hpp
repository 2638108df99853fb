// Numbers that one thread leaves in a tile for all threads of its block.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>

#include <tg/base/dynamic_array.hpp>
#include <tg/dsl/proof/standing.hpp>
#include <tg/dsl/proof/use.hpp>

namespace tg::proof {

/// What is left by uses, each of which a thread makes at most once.
class tile_words {
 public:
  /// Use number `id` leaves a number, the same whichever thread makes it.
  void leave(std::size_t id, form number) { left_.emplace(id, std::move(number)); }

  /// The number that the last use finds: left by the only one that writes there, behind a barrier that all threads have met.
  std::optional<form> found(const dynamic_array<use>& uses, const standing& now) const {
    const use& b = uses.back();
    if (!b.where.is_shared || !b.offset.is_number()) return std::nullopt;
    std::optional<std::uint32_t> only;
    for (std::uint32_t n = 0; n < uses.size(); ++n) {
      if (uses[n].where != b.where || !uses[n].writes || is_elsewhere(uses[n], b)) continue;
      if (only) return std::nullopt;
      only = n;
    }
    if (!only || uses[*only].offset != b.offset || uses[*only].bytes != b.bytes) return std::nullopt;
    const auto at = left_.find(*only);
    const bool is_met = std::none_of(now.uses.begin(), now.uses.end(), [&](const live_use& l) { return l.use == *only; });
    return at != left_.end() && is_met ? std::optional(at->second) : std::nullopt;
  }

 private:
  static bool is_elsewhere(const use& a, const use& b) {
    return a.offset.is_number() && (a.offset.base + a.bytes <= b.offset.base || b.offset.base + b.bytes <= a.offset.base);
  }

  std::map<std::size_t, form> left_;
};

}  // namespace tg::proof
