// Races between pieces of work on streams: two kernels, copies or fills that touch one byte, one of them writing, with nothing
// that orders them. What orders them is followed by vector clocks over streams, so a race is found whatever order they really
// ran in. Source: CUDA Programming Guide 13.0, streams and events; CUDA Driver API 13.0, 3, stream synchronization behavior.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include <tg/emulator/check/stream_clock.hpp>
#include <tg/emulator/check/touched_bytes.hpp>

namespace tg::emulator::check {

/// One piece of work of a stream, and what it touched.
struct stream_piece {
  stream_name stream;
  std::uint64_t epoch = 0;
  stream_clock known;  // what happened before it, and itself
  std::string text;    // "kernel 'scale' on stream 0x2"
  touched_bytes touched;

  bool is_before(const stream_clock& c) const { return c.at(stream.number) >= epoch; }
};

class stream_races {
 public:
  static constexpr std::size_t most_pieces = 512;      // that are remembered
  static constexpr std::size_t most_ranges = 1 << 20;  // of all of them

  /// Two pieces that nothing orders.
  struct conflict {
    std::string text;  // of the one that ended before
    stream_name stream;
    access_kinds kinds;
    touched_range where;  // with the kinds of the one that ended now
  };

  /// What the host knows now.
  host_clock host() const { return host_; }

  /// Work of a stream begins; `known` is what the host knew when it submitted it. Pieces of one stream begin in its order.
  stream_piece begin(const stream_name& s, const host_clock& known) {
    stream_clock& own = streams_.try_emplace(s.number, state{s, {}}).first->second.known;
    if (known != nullptr) own.join(*known);
    for (const auto& [number, other] : streams_) {
      const bool waits = other.name.context == s.context && number != s.number &&
                         ((s.kind == stream_kind::legacy && other.name.kind == stream_kind::blocking) ||
                          (s.kind == stream_kind::blocking && other.name.kind == stream_kind::legacy));
      if (waits) own.join(other.known);
    }
    own.raise(s.number, ++last_epoch_);
    return {s, last_epoch_, own, {}, {}};
  }

  /// All later work of the stream follows what `c` has.
  void learn(const stream_name& s, const stream_clock& c) {
    streams_.try_emplace(s.number, state{s, {}}).first->second.known.join(c);
  }

  /// The piece follows all that wrote to some bytes, such as a wait for a number in memory.
  void follow_writers(stream_piece& piece, std::uint64_t address, std::uint64_t bytes) {
    touched_bytes read;
    read.add(address, bytes, bit_of(access_kind::read));
    for (const stream_piece& p : pieces_)
      if (read.first_conflict(p.touched)) {
        piece.known.join(p.known);
        learn(piece.stream, p.known);
      }
  }

  /// The piece follows what all streams were given so far, and all that they are given from now on follows it.
  void follow_all(stream_piece& piece) {
    for (const auto& [number, s] : streams_) piece.known.join(s.known);
    for (auto& [number, s] : streams_) s.known.join(piece.known);
    host_learns(piece.known);
  }

  /// Work that is submitted from now on follows what `c` has.
  void host_learns(const stream_clock& c) {
    auto now = std::make_shared<stream_clock>(*host_);
    now->join(c);
    host_ = std::move(now);
  }
  /// The host has waited for a stream; for the legacy stream of a context with what that waits for.
  void host_waits(const stream_name& s) {
    for (const auto& [number, other] : streams_) {
      const bool is_awaited = number == s.number || (s.kind == stream_kind::legacy && other.name.context == s.context &&
                                                     other.name.kind == stream_kind::blocking);
      if (is_awaited) host_learns(other.known);
    }
  }
  /// The host has waited for all that was submitted: nothing so far can race with later work.
  void host_waits_for_all() {
    for (const auto& [number, other] : streams_) host_learns(other.known);
    forget_ended();
  }

  /// Keeps a piece that has ended. Returns: a piece that it races with, the earliest.
  std::optional<conflict> end(stream_piece piece) {
    piece.touched.settle();
    for (const stream_piece& p : pieces_)
      if (piece.touched.acquires && p.touched.releases && !p.is_before(piece.known) && hands_over(p, piece)) {
        piece.known.join(p.known);
        learn(piece.stream, p.known);
      }
    std::optional<conflict> found;
    for (const stream_piece& p : pieces_) {
      if (p.is_before(piece.known)) continue;
      const auto where = piece.touched.first_conflict(p.touched);
      if (!where) continue;
      found = conflict{p.text, p.stream, 0, *where};
      p.touched.each_common(piece.touched, [&](const touched_range& both, access_kinds kinds, access_kinds) {
        found->kinds = kinds;
        return both.begin == where->begin;
      });
      break;
    }
    keep(std::move(piece));
    return found;
  }

  /// Memory was given back; what touched it races with nobody any more.
  void forget(std::uint64_t address, std::uint64_t bytes) {
    for (stream_piece& p : pieces_) p.touched.erase(address, bytes);
  }

  /// Forgets everything.
  void clear() {
    pieces_.clear();
    streams_.clear();
    ranges_ = 0;
    host_ = std::make_shared<const stream_clock>();
  }
  bool is_empty() const { return pieces_.empty() && streams_.empty(); }
  std::size_t size() const { return pieces_.size(); }

 private:
  struct state {
    stream_name name;
    stream_clock known;
  };

  /// The later piece reads with a strong access what the earlier wrote with one.
  static bool hands_over(const stream_piece& earlier, const stream_piece& later) {
    bool out = false;
    earlier.touched.each_common(later.touched, [&](const touched_range&, access_kinds a, access_kinds b) {
      return out = (a & bit_of(access_kind::strong_write)) != 0 && (b & bit_of(access_kind::strong_read)) != 0;
    });
    return out;
  }

  void keep(stream_piece piece) {
    if (piece.touched.ranges().empty()) return;
    ranges_ += piece.touched.ranges().size();
    pieces_.push_back(std::move(piece));
    while (pieces_.size() > most_pieces || (ranges_ > most_ranges && pieces_.size() > 1)) {
      ranges_ -= std::min(ranges_, pieces_.front().touched.ranges().size());
      pieces_.pop_front();
    }
  }

  /// Requires: that no work is pending, whose host knew less.
  void forget_ended() {
    std::erase_if(pieces_, [&](const stream_piece& p) { return p.is_before(*host_); });
    ranges_ = 0;
    std::set<std::uint64_t> needed;
    for (const stream_piece& p : pieces_) {
      ranges_ += p.touched.ranges().size();
      needed.insert(p.stream.number);
    }
    const auto is_needed = [&](std::uint64_t stream) { return needed.contains(stream); };
    for (auto& [number, s] : streams_) s.known.keep(is_needed);
    std::erase_if(streams_, [&](const auto& s) { return !is_needed(s.first); });
    auto now = std::make_shared<stream_clock>(*host_);
    now->keep(is_needed);
    host_ = std::move(now);
  }

  std::map<std::uint64_t, state> streams_;
  std::deque<stream_piece> pieces_;  // that have ended, in that order
  std::size_t ranges_ = 0;
  std::uint64_t last_epoch_ = 0;  // of all streams, so that no clock of an event can name a later piece
  host_clock host_ = std::make_shared<const stream_clock>();
};

}  // namespace tg::emulator::check
