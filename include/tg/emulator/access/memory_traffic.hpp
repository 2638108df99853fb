// What passes between a GPU's last cache and its memory, as a launch with `options::cache_bytes` counts it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>

#include <tg/analysis/global.hpp>
#include <tg/base/dynamic_array.hpp>

namespace tg::emulator {

/// A cache of whole sectors between all blocks and memory. When it is full, the sector that was touched longest ago leaves it.
/// A load that finds its sector reads nothing from memory. A store reads nothing; its sector is written to memory when it
/// leaves the cache, or at the end.
class memory_traffic {
 public:
  /// Requires: cache_bytes != 0. Fewer than 32 bytes are a cache of one sector.
  explicit memory_traffic(std::size_t cache_bytes)
      : most_sectors_(cache_bytes < sector_bytes ? 1 : cache_bytes / sector_bytes) {}

  void load(std::uint64_t address, std::uint64_t bytes) { touch(address, bytes, true, false); }
  void store(std::uint64_t address, std::uint64_t bytes) { touch(address, bytes, false, true); }
  /// Reads and writes.
  void update(std::uint64_t address, std::uint64_t bytes) { touch(address, bytes, true, true); }

  /// Writes what stores have left in the cache to memory.
  void finish() {
    for (entry& e : entries_) written_sectors_ += e.is_changed, e.is_changed = false;
  }

  /// What a cache that loses nothing would leave: each sector that is read before it is written once, and each that is written.
  std::uint64_t least_bytes() const { return least_sectors_ * sector_bytes; }
  /// From memory.
  std::uint64_t read_bytes() const { return read_sectors_ * sector_bytes; }
  /// To memory, whole sectors.
  std::uint64_t written_bytes() const { return written_sectors_ * sector_bytes; }

 private:
  static constexpr std::uint64_t sector_bytes = analysis::sector_bytes;

  /// A sector in the cache, between the one that was touched after it and the one that was touched before it.
  struct entry {
    std::uint64_t sector = 0;
    std::uint32_t newer = 0, older = 0;
    bool is_changed = false;
  };

  /// What has happened to a sector.
  struct history { bool is_touched = false, is_written = false; };

  void touch(std::uint64_t address, std::uint64_t bytes, bool reads, bool writes) {
    for (std::uint64_t s = address / sector_bytes; s * sector_bytes < address + bytes; ++s) touch(s, reads, writes);
  }

  void touch(std::uint64_t sector, bool reads, bool writes) {
    history& own = histories_[sector];
    least_sectors_ += (reads && !own.is_touched) + (writes && !own.is_written);
    own.is_touched = true;
    own.is_written |= writes;
    if (entries_.empty() || entries_[newest_].sector != sector) {
      const auto known = places_.find(sector);
      if (known == places_.end()) read_sectors_ += reads;
      make_newest(known == places_.end() ? make(sector) : take_out(known->second));
    }
    entries_[newest_].is_changed |= writes;
  }

  /// A place for a sector that is not in the cache.
  std::uint32_t make(std::uint64_t sector) {
    std::uint32_t at = static_cast<std::uint32_t>(entries_.size());
    if (entries_.size() < most_sectors_) {
      entries_.emplace_back();
    } else {
      at = take_out(oldest_);
      written_sectors_ += entries_[at].is_changed;
      places_.erase(entries_[at].sector);
    }
    entries_[at] = {sector, at, at, false};
    places_.emplace(sector, at);
    return at;
  }

  /// Closes the gap in the order. The ends of the order name themselves.
  std::uint32_t take_out(std::uint32_t at) {
    const entry& e = entries_[at];
    const bool is_newest = at == newest_, is_oldest = at == oldest_;
    if (is_newest) newest_ = e.older;
    else entries_[e.newer].older = is_oldest ? e.newer : e.older;
    if (is_oldest) oldest_ = e.newer;
    else entries_[e.older].newer = is_newest ? e.older : e.newer;
    return at;
  }

  void make_newest(std::uint32_t at) {
    entries_[at].newer = at;
    entries_[at].older = places_.size() == 1 ? at : newest_;
    if (places_.size() == 1) oldest_ = at;
    else entries_[newest_].newer = at;
    newest_ = at;
  }

  std::uint64_t most_sectors_;
  dynamic_array<entry> entries_;
  std::unordered_map<std::uint64_t, std::uint32_t> places_;  // by sector
  std::uint32_t newest_ = 0, oldest_ = 0;
  std::unordered_map<std::uint64_t, history> histories_;  // by sector
  std::uint64_t read_sectors_ = 0, written_sectors_ = 0, least_sectors_ = 0;
};

}  // namespace tg::emulator
