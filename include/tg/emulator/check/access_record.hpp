// One access to memory as the race checker remembers it, and whether two of them conflict.
#pragma once

#include <algorithm>
#include <cstdint>

#include <tg/emulator/check/even_addresses.hpp>
#include <tg/emulator/check/memory_order.hpp>
#include <tg/emulator/check/vector_clock.hpp>

namespace tg::emulator::check {

/// What an access does; strong ones are relaxed, volatile or atomic.
enum class access_kind : std::uint8_t { read, write, strong_read, strong_write };

/// Whether the access writes.
constexpr bool is_write(access_kind k) { return k == access_kind::write || k == access_kind::strong_write; }
/// Whether the access is relaxed, volatile or atomic.
constexpr bool is_strong(access_kind k) { return k >= access_kind::strong_read; }

/// An access of kind `now` races with all that one of kind `k` races with.
constexpr bool stands_for(access_kind now, access_kind k) {
  return now == access_kind::write || now == k || k == access_kind::strong_read;
}

/// Lanes of one warp that made one access to one word at one epoch.
struct access_record {
  warp_name warp;
  std::uint32_t lanes = 0;  // 0: no record
  std::uint32_t epoch = 0;
  std::uint32_t operation = 0;
  std::uint32_t value = 0;  // of a plain write: writes of the same value do not race
  access_kind kind = access_kind::read;
  check::scope scope = scope::all;
  engine proxy = engine::none;    // the async proxy through which it goes
  std::uint8_t atomic_bytes = 0;  // that an atomic reads and writes; 0: it is none
  bool is_spread = false;         // lanes were added after later records had come
};

/// Neighbouring threads of one block that made one access at one epoch, each aligned to its size. Writes are to bytes
/// that no two threads share.
struct even_record {
  even_addresses at;
  std::uint32_t first = 0, count = 0;  // threads
  std::uint64_t block = 0;
  std::uint32_t epoch = 0;
  std::uint32_t operation = 0;
  access_kind kind = access_kind::read;  // read or write
  bool is_united = false;                // all threads of the block were at this epoch: thread_order::is_united
  std::uint64_t serial = 0;              // the records of one instruction have one number, from 1 on
  clock_pointer known;

  /// The lanes of a warp that take part.
  std::uint32_t lanes(std::uint32_t warp) const {
    const std::uint32_t begin = std::max(first, warp * 32), end = std::min(first + count, warp * 32 + 32);
    return begin >= end ? 0 : (0xffffffffu >> (32 - (end - begin))) << begin % 32;
  }
};

/// Two accesses to one byte, at least one a write, not ordered, and not both strong enough for each other; or a write
/// that comes first and that the proxy of the read does not see.
enum class conflict : std::uint8_t { none, race, narrow_scope, other_proxy };

/// Plain writes of one value leave that value whichever comes last: they race only where that is asked for.
inline conflict conflict_of(const access_record& a, const access_record& b, bool is_strict = false) {
  if (!is_write(a.kind) && !is_write(b.kind)) return conflict::none;
  if (is_strong(a.kind) && is_strong(b.kind))
    return a.warp.block != b.warp.block && (a.scope == scope::block || b.scope == scope::block) ? conflict::narrow_scope
                                                                                                : conflict::none;
  const bool are_plain_writes = a.kind == access_kind::write && b.kind == access_kind::write;
  if (!is_strict && are_plain_writes && a.value == b.value) return conflict::none;
  return conflict::race;
}

}  // namespace tg::emulator::check
