// Reads of bytes that nothing wrote: in global memory since it was allocated, in shared and local memory since the
// block began. A byte is written by a copy or memset of the host, by a store, or by an atomic.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <unordered_map>

#include <tg/emulator/block/cluster.hpp>
#include <tg/emulator/check/even_addresses.hpp>
#include <tg/emulator/check/report.hpp>
#include <tg/emulator/launch/findings.hpp>
#include <tg/emulator/memory/memory.hpp>
#include <tg/ptx/ir/token_name.hpp>

namespace tg::emulator::check {

class initialization {
 public:
  initialization(const machine& m, byte_set global, findings& found) : m_(m), global_(global), found_(found) {}

  void start(std::uint64_t block) {
    block_bytes& made = blocks_[block];
    made.shared.reset(zeros(m_.shared_bytes));
    if (m_.local_bytes != 0) made.local.reset(zeros(m_.local_bytes * m_.warps * 32));
  }
  void finish(std::uint64_t block) {
    blocks_.erase(block);
    known_ = nullptr;
  }

  /// An access of one thread of `b`, where shared memory is that of `owner`; `address` counts from 0 in shared memory,
  /// from the thread's first byte in local memory.
  void access(const block& b, const block& owner, const operation& o, ptx::token space, std::uint32_t thread,
              std::uint64_t address, std::uint32_t bytes, bool reads, bool writes) {
    if (space == ptx::token::global && !m_.device.owns(address)) return;
    std::uint64_t first = address;
    byte_set set = set_of(owner, space, thread, first);
    if (reads && !set.holds(first, bytes)) read_unwritten(b, o, space, thread, address, set, first, bytes);
    if (writes) set.insert(first, bytes);
  }

  /// Whether everything was written that a range of threads of `b` reads; addresses count as of `access`.
  bool holds(const block& b, ptx::token space, const even_addresses& at, std::uint32_t first, std::uint32_t count) {
    bool all = true;
    if (space == ptx::token::local) {
      for (std::uint32_t t = first; t < first + count && all; ++t) {
        std::uint64_t place = at.of(t);
        all = set_of(b, space, t, place).holds(place, at.bytes());
      }
      return all;
    }
    at.each_row(first, count, [&](std::uint64_t begin, std::uint32_t, std::uint32_t threads) {
      if (!all) return;
      const auto [low, bytes] = extent_of(at, begin, threads);
      if (space == ptx::token::global && !m_.device.owns(low)) return;
      const byte_set set = set_of(b, space, 0, begin);
      all = set.holds(low, bytes);
      if (all || std::abs(at.step()) <= at.bytes()) return;
      all = true;
      for (std::uint32_t k = 0; k < threads && all; ++k)
        all = set.holds(begin + static_cast<std::uint64_t>(k * at.step()), at.bytes());
    });
    return all;
  }

  /// A range of threads of `b` writes.
  void insert(const block& b, ptx::token space, const even_addresses& at, std::uint32_t first, std::uint32_t count) {
    if (space == ptx::token::local) {
      for (std::uint32_t t = first; t < first + count; ++t) {
        std::uint64_t place = at.of(t);
        set_of(b, space, t, place).insert(place, at.bytes());
      }
      return;
    }
    at.each_row(first, count, [&](std::uint64_t begin, std::uint32_t, std::uint32_t threads) {
      if (space == ptx::token::global && !m_.device.owns(begin)) return;
      byte_set set = set_of(b, space, 0, begin);
      if (std::abs(at.step()) <= at.bytes()) {
        const auto [low, bytes] = extent_of(at, begin, threads);
        return set.insert(low, bytes);
      }
      for (std::uint32_t k = 0; k < threads; ++k) set.insert(begin + static_cast<std::uint64_t>(k * at.step()), at.bytes());
    });
  }

  /// The emulator itself wrote to a thread's memory.
  void written(const block& b, ptx::token space, std::uint32_t thread, std::uint64_t address, std::uint64_t bytes) {
    if (space == ptx::token::global && !m_.device.owns(address)) return;
    byte_set set = set_of(b, space, thread, address);
    set.insert(address, bytes);
  }

  /// Bytes were moved: those at `to` count as written where those at `from` do, or come from nowhere.
  void moved(const block& b, const std::byte* to, const std::byte* from, std::uint64_t bytes) {
    const place target = place_of(b, to), source = place_of(b, from);
    if (!target.is_known) return;
    byte_set set = target.set;
    for (std::uint64_t i = 0; i < bytes; ++i)
      if (!source.is_known || source.set.holds(source.first + i, 1)) set.insert(target.first + i, 1);
      else set.erase(target.first + i, 1);
  }

 private:
  /// Bytes in shared or global memory, by the host's view of them.
  struct place {
    bool is_known = false;
    byte_set set;
    std::uint64_t first = 0;
  };
  place place_of(const block& b, const std::byte* p) {
    if (const block* const owner = b.cluster->owner(p); owner != nullptr)
      return {true, byte_set(blocks_[owner->number].shared.get()), static_cast<std::uint64_t>(p - owner->shared)};
    const std::uint64_t address = reinterpret_cast<std::uint64_t>(p);
    if (!m_.device.owns(address) || !is_tracked(address)) return {};
    return {true, global_, address};
  }

  struct release {
    void operator()(std::uint8_t* p) const { std::free(p); }
  };
  using bits = std::unique_ptr<std::uint8_t, release>;
  struct block_bytes {
    bits shared;
    bits local;
  };

  /// First byte, and bytes up to the end of the last, of a row of threads.
  static std::pair<std::uint64_t, std::uint64_t> extent_of(const even_addresses& at, std::uint64_t begin,
                                                           std::uint32_t threads) {
    const std::int64_t length = at.step() * (std::int64_t{threads} - 1);
    return {length < 0 ? begin + static_cast<std::uint64_t>(length) : begin,
            static_cast<std::uint64_t>(std::abs(length)) + at.bytes()};
  }

  static std::uint8_t* zeros(std::uint64_t bytes) {
    auto* const out = static_cast<std::uint8_t*>(std::calloc(byte_set::storage_bytes(bytes), 1));
    if (out == nullptr) throw std::bad_alloc();
    return out;
  }

  byte_set set_of(const block& b, ptx::token space, std::uint32_t thread, std::uint64_t& address) {
    if (space == ptx::token::global) return global_;
    if (known_ == nullptr || known_block_ != b.number) known_ = &blocks_[known_block_ = b.number];
    if (space == ptx::token::shared) return byte_set(known_->shared.get());
    address += thread * m_.local_bytes;
    return byte_set(known_->local.get());
  }

  void read_unwritten(const block& b, const operation& o, ptx::token space, std::uint32_t thread, std::uint64_t address,
                      byte_set set, std::uint64_t first, std::uint32_t bytes) {
    if (space == ptx::token::global && !is_tracked(address)) return set.insert(first, bytes);
    const auto which = static_cast<std::uint32_t>(&o - m_.image.code.data());
    found_.add({413, which, 0}, [&] {
      finding f = start_finding(m_, checker::init, 413, site_of(m_, o, b.number, thread));
      f.what =
          "Uninitialized __" + std::string(ptx::name(space)) + "__ memory read of size " + std::to_string(bytes) + " bytes";
      std::uint32_t missing = 0;
      while (set.holds(first + missing, 1)) ++missing;
      f.has_address = true;
      f.address = address;
      f.bytes = bytes;
      f.detail = "reads byte " + std::to_string(missing) + " of the access, which nothing wrote";
      if (space == ptx::token::global) f.detail += ": " + nearest_allocation(m_, address, bytes);
      if (space == ptx::token::shared) f.detail += variable_at(m_, address);
      f.fix = space == ptx::token::global ? "copy or set all of the buffer, or write it by a kernel first"
                                          : "write it first; such memory starts with any contents";
      return f;
    });
  }

  /// Memory that the host shares, or that was there before a launch without this checker, counts as written.
  bool is_tracked(std::uint64_t address) const {
    const allocation* const range = last_range_from(*m_.table, address);
    return range != nullptr && range->is_tracked && !range->is_shared;
  }

  const machine& m_;
  byte_set global_;
  findings& found_;
  std::unordered_map<std::uint64_t, block_bytes> blocks_;
  block_bytes* known_ = nullptr;
  std::uint64_t known_block_ = 0;
};

}  // namespace tg::emulator::check
