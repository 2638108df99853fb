// One access to memory as the proof sees it: where, by whom, under which conditions, ordered with what.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>

#include <tg/base/dynamic_array.hpp>
#include <tg/dsl/proof/overlap.hpp>
#include <tg/dsl/proof/path.hpp>

namespace tg::proof {

/// A tile, or the buffer of a view.
struct object {
  bool is_shared = false;
  std::uint32_t id = 0;  // variable of the module, or parameter of the function
  friend bool operator==(const object&, const object&) = default;
};

/// The threads that may make a use, and where each begins in the part without symbols.
struct layout_of_threads {
  dynamic_array<std::uint32_t> who;
  dynamic_array<place> places;       // by start
  form::column starts;               // of the places, from the lowest on, each once
  dynamic_array<byte_range> ranges;  // the bytes of all threads; empty if there is no thread or no byte
  row_and_rest low = {}, high = {};  // of rows and places in a row, each by itself
};

/// What an instruction does to memory.
struct use {
  std::uint32_t instruction = 0;
  object where;
  form offset = {};  // bytes from where the object begins
  number bytes = 0;
  bool has_rows = false;  // the distance of rows has been multiplied into the offset
  number row_unit = 0;    // bytes of one element of a matrix; 0: the object has no rows
  bool reads = false;
  bool writes = false;
  bool is_atomic = false;        // cannot race with others that are, in the same block
  bool is_block_atomic = false;  // nor with those in other blocks, unless this holds
  bool is_of_warp = false;       // made for other lanes of the warp too: a thread's own uses are not in order with it
  bool has_more = false;         // bytes than the instruction touches: no example can be made of them
  path way = {};

  std::shared_ptr<const layout_of_threads> laid = {};  // by `lay_out`, when all else is known
  std::shared_ptr<const use> expanded = {};            // laid out too; none: `offset` has nothing to expand

  // Whether it keeps to a segment (segments.hpp), found once for an offset, as each use is compared with many.
  struct in_segment {
    form offset, begin, size;
    bool keeps = false;
  };
  mutable dynamic_array<in_segment> segments = {};
  // Whether the conditions on the way say that a number is 1 at least.
  struct sign {
    form of;
    bool is_positive = false;
  };
  mutable dynamic_array<sign> signs = {};
  // The use without what a segment adds to its offset.
  struct rest_of_use {
    form begin;
    std::shared_ptr<const use> rest;
  };
  mutable dynamic_array<rest_of_use> rests = {};
};

/// Who makes the use and where, found once as each use is compared with many. Afterwards `offset` changes in its symbols
/// only, and `way` not at all.
inline void lay_out(use& u) {
  const auto out = std::make_shared<layout_of_threads>();
  const number row_bytes = row_elements * u.row_unit;
  out->who.reserve(u.way.may.count());
  out->places.reserve(out->who.capacity());
  for (std::uint32_t t = 0; t < u.way.may.size(); ++t) {
    if (!u.way.may[t]) continue;
    const number at = u.offset.at(t);
    const row_and_rest own = split(at, row_bytes);
    if (out->who.empty()) out->low = out->high = own;
    out->low = {std::min(out->low.row, own.row), std::min(out->low.rest, own.rest)};
    out->high = {std::max(out->high.row, own.row), std::max(out->high.rest, own.rest)};
    out->who.push_back(t);
    out->places.push_back({at, t});
  }
  sort_places(out->places);
  for (const place& p : out->places) {
    const number start = p.start - out->places.front().start;
    if (out->starts.empty() || out->starts.back() != start) out->starts.push_back(start);
  }
  if (u.bytes > 0) out->ranges = ranges_of(out->places, u.bytes);
  u.laid = out;
}

/// Lays out a use, and once more with the offset in which symbols are replaced by the sums that they equal. Where the object
/// has rows, factors are split into rows and places in a row, each compared by itself: that is sound for a sum whose parts lie
/// in their rows, and not for `x - 2^32 * q`, whose parts may be as far apart as rows are. So nothing is replaced by a sum
/// with such factors.
inline void lay_out(use& u, const symbols& s) {
  lay_out(u);
  form other = s.expanded(u.offset);
  if (other == u.offset || other.is_broken) return;
  if (u.row_unit != 0 && std::any_of(other.terms.begin(), other.terms.end(), [&](const term& t) {
        const bool is_old = std::find(u.offset.terms.begin(), u.offset.terms.end(), t) != u.offset.terms.end();
        return !is_old && split(t.factor, row_elements * u.row_unit).row != 0;
      }))
    return;
  use out = u;
  out.offset = std::move(other);
  lay_out(out);
  u.expanded = std::make_shared<const use>(std::move(out));
}

/// Threads that have waited for each other.
struct meeting {
  threads who;
  bool is_warp = false;                                            // only those of the same warp
  std::shared_ptr<const dynamic_array<literal>> whole_warps = {};  // the way on which warps come whole, if they do

  friend bool operator==(const meeting& a, const meeting& b) { return a.who == b.who && a.is_warp == b.is_warp; }
  /// All lanes of each warp that comes.
  static meeting of_warps() { return {threads().set(), true}; }
  /// Whether each thread that comes by this way, earlier or later, meets all lanes of its warp here.
  bool is_passed_by(const path& way) const { return whole_warps != nullptr && begins_with(*way.literals, *whole_warps); }
  bool orders(std::size_t s, std::size_t t) const { return who[s] && who[t] && (!is_warp || s / 32 == t / 32); }
};

/// What tells that an asynchronous use is over.
enum class completion : std::uint8_t {
  none,
  copy_group,  // of cp.async
  mbarrier,
  bulk_read,   // a group of bulk copies: what they read has been read
  bulk_write,  // and written
  products,    // a group of products of a warpgroup
};

/// A phase of an mbarrier at a place that is known.
struct mbarrier_phase_at {
  static constexpr std::uint32_t nowhere = ~std::uint32_t{0};

  std::uint32_t variable = nowhere;  // of the module; `nowhere`: not known
  number offset = 0;                 // bytes
  number phase = -1;                 // from 0 on; -1: not known

  bool is_known() const { return variable != nowhere; }
  bool is_same_barrier(const mbarrier_phase_at& other) const { return variable == other.variable && offset == other.offset; }
};

/// A use that later ones may meet.
struct live_use {
  std::uint32_t use = 0;
  dynamic_array<meeting> meetings = {};
  bool is_maybe_ordered = false;  // by something that is not followed: a fence, a lock, a wait
  bool is_ahead = false;          // by threads that have waited for what stands further down
  bool is_pending = false;        // an asynchronous use that nobody has waited for
  completion ends_by = completion::none;
  mbarrier_phase_at ends_at = {};
  threads maybe_over = {};            // have waited for their copies of it, not followed for all that made it
  bool is_setup = false;              // makes an mbarrier, or ends its life
  bool is_behind = false;             // a barrier of the block came after it
  bool is_committed = false;          // to a group of asynchronous copies
  std::uint32_t newer = 0;            // groups committed since, at least
  dynamic_array<literal> since = {};  // what must hold for it to be still unordered

  bool is_ordered(std::size_t s, std::size_t t) const {
    for (const meeting& m : meetings)
      if (m.orders(s, t)) return true;
    return false;
  }
  /// Whether a thread's use is ordered before what another does that comes by this way.
  auto ordered_before(const path& way) const {
    const bool is_met = std::any_of(meetings.begin(), meetings.end(), [&](const meeting& m) { return m.is_passed_by(way); });
    return [this, is_met](std::size_t s, std::size_t t) { return (is_met && s / 32 == t / 32) || is_ordered(s, t); };
  }
};

}  // namespace tg::proof
