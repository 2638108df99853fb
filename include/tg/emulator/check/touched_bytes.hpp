// The bytes of memory that one piece of work of a stream touched, and how: ranges in the order of their addresses.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>

#include <tg/base/dynamic_array.hpp>
#include <tg/emulator/check/access_record.hpp>

namespace tg::emulator::check {

/// Kinds of accesses, a bit for each `access_kind`.
using access_kinds = std::uint8_t;

/// The bit of one kind.
constexpr access_kinds bit_of(access_kind k) { return static_cast<access_kinds>(1u << static_cast<unsigned>(k)); }

/// Whether some of the accesses write.
constexpr bool some_write(access_kinds k) {
  return (k & (bit_of(access_kind::write) | bit_of(access_kind::strong_write))) != 0;
}

/// Whether accesses to one byte conflict: one of them writes, and not both are strong.
constexpr bool do_conflict(access_kinds a, access_kinds b) {
  constexpr access_kinds plain = bit_of(access_kind::read) | bit_of(access_kind::write);
  const auto conflicts = [](access_kinds x, access_kinds y) {
    return ((x & bit_of(access_kind::write)) != 0 && y != 0) ||
           ((x & bit_of(access_kind::strong_write)) != 0 && (y & plain) != 0);
  };
  return conflicts(a, b) || conflicts(b, a);
}

/// Bytes that were touched alike.
struct touched_range {
  std::uint64_t begin = 0, end = 0;
  access_kinds kinds = 0;
  friend bool operator==(const touched_range&, const touched_range&) = default;
};

class touched_bytes {
 public:
  bool acquires = false, releases = false;  // the work has fences, or strong accesses that order others

  /// Adds a range, after `settle` again in any order.
  void add(std::uint64_t begin, std::uint64_t bytes, access_kinds kinds) {
    if (bytes == 0) return;
    if (!ranges_.empty() && ranges_.back().end == begin && ranges_.back().kinds == kinds) ranges_.back().end += bytes;
    else ranges_.push_back({begin, begin + bytes, kinds});
  }

  /// Adds bytes from an address on, each with the kinds of its own; 0: it was not touched.
  void add_each(std::uint64_t address, std::span<const access_kinds> kinds) {
    for (std::size_t i = 0, end = 0; i < kinds.size(); i = end) {
      while (end < kinds.size() && kinds[end] == kinds[i]) ++end;
      if (kinds[i] != 0) add(address + i, end - i, kinds[i]);
    }
  }

  /// Sorts what was added; ranges that overlap are divided.
  void settle() {
    std::ranges::sort(ranges_, {}, &touched_range::begin);
    bool is_apart = true;
    for (std::size_t i = 1; i < ranges_.size(); ++i) is_apart = is_apart && ranges_[i - 1].end <= ranges_[i].begin;
    if (!is_apart) divide();
    std::size_t last = 0;
    for (std::size_t i = 1; i < ranges_.size(); ++i)
      if (ranges_[last].end == ranges_[i].begin && ranges_[last].kinds == ranges_[i].kinds) ranges_[last].end = ranges_[i].end;
      else ranges_[++last] = ranges_[i];
    if (!ranges_.empty()) ranges_.resize(last + 1);
  }

  /// Takes bytes out. Requires: `settle`.
  void erase(std::uint64_t begin, std::uint64_t bytes) {
    const std::uint64_t end = begin + bytes;
    dynamic_array<touched_range> kept;
    for (const touched_range& r : ranges_) {
      if (r.begin < begin && begin < r.end) kept.push_back({r.begin, begin, r.kinds});
      if (r.end <= begin || end <= r.begin) kept.push_back(r);
      if (r.begin < end && end < r.end) kept.push_back({end, r.end, r.kinds});
    }
    ranges_ = std::move(kept);
  }

  /// In the order of their addresses. Requires: `settle`.
  const dynamic_array<touched_range>& ranges() const { return ranges_; }

  /// Calls `f(bytes of both, kinds here, kinds there)` for each range that both touch, until it returns true.
  /// Requires: that both are settled.
  template <class F> void each_common(const touched_bytes& other, F f) const {
    auto a = ranges_.begin(), b = other.ranges_.begin();
    while (a != ranges_.end() && b != other.ranges_.end()) {
      const touched_range both{std::max(a->begin, b->begin), std::min(a->end, b->end), 0};
      if (both.begin < both.end && f(both, a->kinds, b->kinds)) return;
      a->end < b->end ? ++a : ++b;
    }
  }

  /// The first range whose accesses conflict with those of `other`; its kinds are those here.
  std::optional<touched_range> first_conflict(const touched_bytes& other) const {
    std::optional<touched_range> out;
    each_common(other, [&](touched_range both, access_kinds own, access_kinds theirs) {
      both.kinds = own;
      if (do_conflict(own, theirs)) out = both;
      return out.has_value();
    });
    return out;
  }

 private:
  void divide() {
    struct edge {
      std::uint64_t at;
      int step;
      access_kinds kinds;
    };
    dynamic_array<edge> edges;
    for (const touched_range& r : ranges_) {
      edges.push_back({r.begin, 1, r.kinds});
      edges.push_back({r.end, -1, r.kinds});
    }
    std::ranges::sort(edges, {}, &edge::at);
    ranges_.clear();
    std::array<int, 4> open{};
    for (std::size_t i = 0; i < edges.size(); ++i) {
      access_kinds now = 0;
      for (unsigned k = 0; k < open.size(); ++k) {
        if ((edges[i].kinds >> k & 1) != 0) open[k] += edges[i].step;
        if (open[k] > 0) now = static_cast<access_kinds>(now | 1u << k);
      }
      if (i + 1 < edges.size() && now != 0 && edges[i].at != edges[i + 1].at)
        ranges_.push_back({edges[i].at, edges[i + 1].at, now});
    }
  }

  dynamic_array<touched_range> ranges_;
};

}  // namespace tg::emulator::check
