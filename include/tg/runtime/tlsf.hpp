// Two-level segregated fit over addresses that only a device can reach: what is free and what is used is kept on the
// host. Every free range belongs to a lane, whose work it waits for no longer; ranges of one lane that touch are one
// range.
//   absent | used | free of lane 1 | used | free of lane 2 | absent        ranges in the order of their addresses
// Units: sizes are multiples of 256 bytes.
// Source: Masmano, Ripoll, Crespo, Real, "TLSF: A New Dynamic Memory Allocator for Real-Time Systems", ECRTS 2004.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <tg/runtime/size_classes.hpp>

namespace tg::runtime {

/// Addresses from `begin` on.
struct address_range {
  std::uint64_t begin = 0;
  std::size_t bytes = 0;
  std::uint64_t end() const { return begin + bytes; }
  bool operator==(const address_range&) const = default;
};

/// Allocates in constant time whatever the number of ranges.
class tlsf {
 public:
  using block = size_classes::block;
  using lane = std::uint32_t;
  static constexpr block none = size_classes::none;
  static constexpr std::size_t quantum_bytes = size_classes::quantum_bytes;

  static constexpr std::size_t round_up(std::size_t bytes) {
    return (bytes + quantum_bytes - 1) / quantum_bytes * quantum_bytes;
  }

  /// Makes addresses known that have no memory yet.
  /// Requires: multiples of the quantum; no address is known already.
  void reserve(address_range range);
  /// Forgets addresses, none of which has memory.
  void forget(address_range range);
  /// Memory came to addresses that had none; it is free in `lane`.
  void provide(address_range range, lane to);
  /// Takes free memory away from its addresses.
  void withdraw(address_range range);

  /// A used range of at least `bytes`, cut from a free one of `from`; `none` when no range is large enough.
  /// Requires: bytes > 0.
  block allocate(std::size_t bytes, lane from);
  /// Makes a used range free in `to`.
  void free(block used, lane to);
  /// Gives every free range of one lane to another.
  void hand_over(lane from, lane to);

  std::uint64_t begin_of(block b) const { return nodes_[b].begin; }
  std::size_t bytes_of(block b) const { return nodes_[b].bytes; }
  std::size_t free_bytes() const;
  std::size_t free_bytes(lane of) const { return of < lanes_.size() ? lanes_[of].bytes : 0; }
  /// The largest free range of a lane.
  std::size_t largest_free(lane of) const;
  std::size_t largest_free() const;
  /// How much memory an allocation in `of` lacks at the end of the last range with memory: less when that range is
  /// free.
  std::size_t missing_bytes(std::size_t bytes, address_range within, lane of) const;
  /// Free ranges in the order of their addresses; neighbours of different lanes are one.
  std::vector<address_range> free_ranges() const;
  lane lanes() const { return static_cast<lane>(lanes_.size()); }

 private:
  enum class state : std::uint8_t { unused, free, used, absent };
  struct node {
    std::uint64_t begin;
    std::size_t bytes;
    block before, after;             // neighbours by address
    block previous_free, next_free;  // of the same size class
    lane of;
    tlsf::state state;
  };

  static constexpr int most_tried = 16;

  struct lists {
    size_classes classes;
    std::size_t bytes = 0;
  };

  block make(node n);
  void link(block b);
  void unlink(block b);
  block find_fit(const lists& of, std::size_t bytes) const;
  block split(block b, std::size_t bytes);
  void absorb_next(block b);
  block merge(block b);
  block node_at(address_range range) const;
  block isolate(address_range range);

  std::vector<node> nodes_;
  std::vector<lists> lanes_;
  block unused_ = none;  // nodes to be used again
};

inline tlsf::block tlsf::make(node n) {
  if (unused_ == none) {
    nodes_.push_back(n);
    return static_cast<block>(nodes_.size() - 1);
  }
  const block b = unused_;
  unused_ = nodes_[b].next_free;
  nodes_[b] = n;
  return b;
}

inline void tlsf::link(block b) {
  node& n = nodes_[b];
  if (n.of >= lanes_.size()) lanes_.resize(n.of + 1);
  lists& to = lanes_[n.of];
  const auto place = size_classes::place_of(n.bytes);
  n.state = state::free;
  n.previous_free = none;
  n.next_free = to.classes.head(place);
  if (n.next_free != none) nodes_[n.next_free].previous_free = b;
  to.classes.set_head(place, b);
  to.bytes += n.bytes;
}

inline void tlsf::unlink(block b) {
  const node& n = nodes_[b];
  lists& from = lanes_[n.of];
  from.bytes -= n.bytes;
  if (n.next_free != none) nodes_[n.next_free].previous_free = n.previous_free;
  if (n.previous_free != none) nodes_[n.previous_free].next_free = n.next_free;
  else from.classes.set_head(size_classes::place_of(n.bytes), n.next_free);
}

/// The smallest that fits of the first few of the same class, else any of the next larger class that has one.
inline tlsf::block tlsf::find_fit(const lists& of, std::size_t bytes) const {
  const auto place = size_classes::place_of(bytes);
  block best = none;
  int tried = 0;
  for (block b = of.classes.head(place); b != none && tried < most_tried; b = nodes_[b].next_free, ++tried) {
    if (nodes_[b].bytes == bytes) return b;
    if (nodes_[b].bytes > bytes && (best == none || nodes_[b].bytes < nodes_[best].bytes)) best = b;
  }
  return best != none ? best : of.classes.next_head(place);
}

/// Cuts a range in two and returns the second.
inline tlsf::block tlsf::split(block b, std::size_t bytes) {
  const node n = nodes_[b];
  const block rest = make({n.begin + bytes, n.bytes - bytes, b, n.after, none, none, n.of, n.state});
  nodes_[b].bytes = bytes;
  nodes_[b].after = rest;
  if (n.after != none) nodes_[n.after].before = rest;
  return rest;
}

inline void tlsf::absorb_next(block b) {
  const block gone = nodes_[b].after;
  nodes_[b].bytes += nodes_[gone].bytes;
  nodes_[b].after = nodes_[gone].after;
  if (nodes_[b].after != none) nodes_[nodes_[b].after].before = b;
  nodes_[gone].state = state::unused;
  nodes_[gone].next_free = unused_;
  unused_ = gone;
}

/// Makes one range of an unlinked one and its neighbours of the same kind.
inline tlsf::block tlsf::merge(block b) {
  const auto is_same = [&](block other) {
    return other != none && nodes_[other].state == nodes_[b].state &&
           (nodes_[b].state == state::absent || nodes_[other].of == nodes_[b].of);
  };
  const bool is_linked = nodes_[b].state == state::free;
  if (const block after = nodes_[b].after; is_same(after)) {
    if (is_linked) unlink(after);
    absorb_next(b);
  }
  if (const block before = nodes_[b].before; is_same(before)) {
    if (is_linked) unlink(before);
    b = before;
    absorb_next(b);
  }
  return b;
}

inline tlsf::block tlsf::allocate(std::size_t bytes, lane from) {
  bytes = round_up(bytes);
  if (from >= lanes_.size() || bytes > lanes_[from].bytes) return none;
  const block b = find_fit(lanes_[from], bytes);
  if (b == none) return none;
  unlink(b);
  if (nodes_[b].bytes > bytes) link(split(b, bytes));
  nodes_[b].state = state::used;
  return b;
}

inline void tlsf::free(block used, lane to) {
  nodes_[used].of = to;
  nodes_[used].state = state::free;
  link(merge(used));
}

inline void tlsf::hand_over(lane from, lane to) {
  if (from >= lanes_.size() || from == to) return;
  for (block b; (b = lanes_[from].classes.last_head()) != none;) {
    unlink(b);
    free(b, to);
  }
}

inline void tlsf::reserve(address_range range) { make({range.begin, range.bytes, none, none, none, none, 0, state::absent}); }

inline void tlsf::forget(address_range range) {
  const block b = isolate(range);
  if (nodes_[b].before != none) nodes_[nodes_[b].before].after = nodes_[b].after;
  if (nodes_[b].after != none) nodes_[nodes_[b].after].before = nodes_[b].before;
  nodes_[b].state = state::unused;
  nodes_[b].next_free = unused_;
  unused_ = b;
}

inline tlsf::block tlsf::node_at(address_range range) const {
  const auto holds = [&](const node& n) {
    return n.state != state::unused && n.begin <= range.begin && range.end() <= n.begin + n.bytes;
  };
  return static_cast<block>(std::find_if(nodes_.begin(), nodes_.end(), holds) - nodes_.begin());
}

/// A node of exactly this range, cut from the one that holds it and not linked.
inline tlsf::block tlsf::isolate(address_range range) {
  block b = node_at(range);
  const bool is_free = nodes_[b].state == state::free;
  if (is_free) unlink(b);
  if (nodes_[b].begin < range.begin) {
    const block front = b;
    b = split(b, range.begin - nodes_[b].begin);
    if (is_free) link(front);
  }
  if (nodes_[b].bytes > range.bytes) {
    const block rest = split(b, range.bytes);
    if (is_free) link(rest);
  }
  return b;
}

inline void tlsf::provide(address_range range, lane to) { free(isolate(range), to); }

inline void tlsf::withdraw(address_range range) {
  const block b = isolate(range);
  nodes_[b].state = state::absent;
  merge(b);
}

inline std::size_t tlsf::free_bytes() const {
  std::size_t out = 0;
  for (const lists& l : lanes_) out += l.bytes;
  return out;
}

inline std::size_t tlsf::largest_free(lane of) const {
  if (of >= lanes_.size()) return 0;
  std::size_t out = 0;
  for (block b = lanes_[of].classes.last_head(); b != none; b = nodes_[b].next_free) out = std::max(out, nodes_[b].bytes);
  return out;
}

inline std::size_t tlsf::largest_free() const {
  std::size_t out = 0;
  for (lane of = 0; of < lanes(); ++of) out = std::max(out, largest_free(of));
  return out;
}

inline std::size_t tlsf::missing_bytes(std::size_t bytes, address_range within, lane of) const {
  bytes = round_up(bytes);
  const node* last = nullptr;
  for (const node& n : nodes_)
    if ((n.state == state::free || n.state == state::used) && within.begin <= n.begin && n.begin < within.end() &&
        (last == nullptr || last->begin < n.begin))
      last = &n;
  const bool is_ours = last != nullptr && last->state == state::free && last->of == of;
  return is_ours ? bytes - std::min(bytes, last->bytes) : bytes;
}

inline std::vector<address_range> tlsf::free_ranges() const {
  std::vector<address_range> out;
  for (const node& n : nodes_)
    if (n.state == state::free) out.push_back({n.begin, n.bytes});
  std::sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return a.begin < b.begin; });
  std::size_t kept = 0;
  for (std::size_t i = 1; i < out.size(); ++i)
    if (out[kept].end() == out[i].begin) out[kept].bytes += out[i].bytes;
    else out[++kept] = out[i];
  if (!out.empty()) out.resize(kept + 1);
  return out;
}

}  // namespace tg::runtime
