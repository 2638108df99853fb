// The device's global memory: one address space of allocations with unmapped gaps between them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

namespace tg::emulator {

/// A range of device addresses that was handed out; freed ranges stay on record so that late accesses can be named.
struct allocation {
  std::uint64_t address = 0;
  std::size_t size_bytes = 0;
  bool is_live = true;
  bool is_constant = false;  // .const module variables

  std::uint64_t end() const { return address + size_bytes; }
  bool holds(std::uint64_t at, std::size_t bytes) const {
    return at >= address && at + bytes <= end() && at + bytes >= at;
  }
};

/// Every range known at one moment, sorted by address; what a launch checks its accesses against.
using allocation_table = std::vector<allocation>;

/// Memory of one emulated device. Calls may come from several threads. Fresh memory is zero.
class memory {
 public:
  static constexpr std::size_t default_capacity_bytes = std::size_t{16} << 30;
  /// The lowest device address; everything below is null, shared, local or parameter space.
  static constexpr std::uint64_t first_address = std::uint64_t{1} << 36;

  explicit memory(std::size_t capacity_bytes = default_capacity_bytes);
  ~memory();
  memory(const memory&) = delete;
  memory& operator=(const memory&) = delete;

  /// Returns: a 256-aligned address; 0 bytes are rounded up to 1.
  /// Errors: TG440 when the capacity is used up.
  std::uint64_t allocate(std::size_t bytes, bool is_constant = false);

  /// Errors: TG441 when `address` is not the start of a live allocation. 0 is ignored.
  void release(std::uint64_t address);

  /// The host's view of `[address, address + bytes)`.
  /// Errors: TG442 when the range is not inside one live allocation.
  std::byte* at(std::uint64_t address, std::size_t bytes);
  const std::byte* at(std::uint64_t address, std::size_t bytes) const;

  /// The live allocation that holds `address`; all zero when there is none.
  allocation find(std::uint64_t address) const;
  /// Bytes of the live allocation that holds `address`; 0 when there is none.
  std::size_t size_of(std::uint64_t address) const { return find(address).size_bytes; }

  std::size_t live_bytes() const;
  std::size_t live_count() const;
  std::size_t capacity_bytes() const { return capacity_bytes_; }

  /// The ranges as they are now; unchanged by later calls.
  std::shared_ptr<const allocation_table> table() const;
  /// Host address of device address 0: `host_offset() + address` for any address inside an allocation.
  std::byte* host_offset() const { return base_ - first_address; }

 private:
  static constexpr std::size_t gap_bytes = 4096;
  static constexpr std::size_t page_bytes = 4096;

  std::size_t index_of(std::uint64_t address) const;  // of the live range that holds it, or the table's size
  std::size_t place(std::size_t span_bytes);          // frees old ranges when the address space is used up
  allocation_table& edit();

  std::size_t capacity_bytes_;
  std::size_t reserved_bytes_ = 0;
  std::byte* base_ = nullptr;
  std::uint64_t next_ = first_address + gap_bytes;
  std::size_t live_bytes_ = 0;
  std::size_t live_count_ = 0;
  std::shared_ptr<allocation_table> table_ = std::make_shared<allocation_table>();
  mutable std::mutex mutex_;
};

}  // namespace tg::emulator

#include <sys/mman.h>

#include <algorithm>
#include <string>

#include <tg/base/error.hpp>

inline tg::emulator::memory::memory(std::size_t capacity_bytes) : capacity_bytes_(capacity_bytes) {
  // The more address space there is beyond the capacity, the later a freed address is used again.
  for (const std::size_t times : {4, 2, 1}) {
    reserved_bytes_ = times * capacity_bytes + (std::size_t{1} << 24);
    void* const range = ::mmap(nullptr, reserved_bytes_, PROT_READ | PROT_WRITE,
                               MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (range == MAP_FAILED) continue;
    base_ = static_cast<std::byte*>(range);
    return;
  }
  throw error(code{440}, "no address space for " + std::to_string(capacity_bytes) + " bytes of device memory",
              "make the emulated device smaller");
}

inline tg::emulator::memory::~memory() { ::munmap(base_, reserved_bytes_); }

inline std::uint64_t tg::emulator::memory::allocate(std::size_t bytes, bool is_constant) {
  const std::lock_guard lock(mutex_);
  bytes = std::max<std::size_t>(bytes, 1);
  if (bytes > capacity_bytes_ - live_bytes_)
    throw error(code{440},
                "out of device memory: " + std::to_string(bytes) + " bytes asked for, " +
                    std::to_string(capacity_bytes_ - live_bytes_) + " of " + std::to_string(capacity_bytes_) + " free",
                "release buffers, or give the emulated device more memory");
  const std::size_t span = (bytes + page_bytes - 1) / page_bytes * page_bytes + gap_bytes;
  const allocation made{place(span), bytes, true, is_constant};
  allocation_table& table = edit();
  table.insert(std::upper_bound(table.begin(), table.end(), made,
                                [](const allocation& a, const allocation& b) { return a.address < b.address; }),
               made);
  live_bytes_ += bytes;
  ++live_count_;
  return made.address;
}

inline void tg::emulator::memory::release(std::uint64_t address) {
  if (address == 0) return;
  const std::lock_guard lock(mutex_);
  const std::size_t at = index_of(address);
  if (at == table_->size() || (*table_)[at].address != address)
    throw error(code{441}, "release of " + std::to_string(address) + ", which is not the start of a live allocation",
                "release each allocation once, by the address that allocate returned");
  allocation& freed = edit()[at];
  freed.is_live = false;
  live_bytes_ -= freed.size_bytes;
  --live_count_;
  ::madvise(host_offset() + address, (freed.size_bytes + page_bytes - 1) / page_bytes * page_bytes, MADV_DONTNEED);
}

inline std::byte* tg::emulator::memory::at(std::uint64_t address, std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  const std::size_t i = index_of(address);
  if (i == table_->size() || !(*table_)[i].holds(address, bytes))
    throw error(code{442},
                std::to_string(bytes) + " bytes at device address " + std::to_string(address) +
                    " are not inside one live allocation",
                "check the address and the size of the copy");
  return host_offset() + address;
}

inline const std::byte* tg::emulator::memory::at(std::uint64_t address, std::size_t bytes) const {
  return const_cast<memory*>(this)->at(address, bytes);
}

inline tg::emulator::allocation tg::emulator::memory::find(std::uint64_t address) const {
  const std::lock_guard lock(mutex_);
  const std::size_t i = index_of(address);
  return i == table_->size() ? allocation{0, 0, false, false} : (*table_)[i];
}

inline std::size_t tg::emulator::memory::live_bytes() const {
  const std::lock_guard lock(mutex_);
  return live_bytes_;
}

inline std::size_t tg::emulator::memory::live_count() const {
  const std::lock_guard lock(mutex_);
  return live_count_;
}

inline std::shared_ptr<const tg::emulator::allocation_table> tg::emulator::memory::table() const {
  const std::lock_guard lock(mutex_);
  return table_;
}

inline std::size_t tg::emulator::memory::index_of(std::uint64_t address) const {
  const auto after = std::upper_bound(table_->begin(), table_->end(), address,
                                      [](std::uint64_t key, const allocation& a) { return key < a.address; });
  if (after == table_->begin()) return table_->size();
  const auto at = after - 1;
  return at->is_live && address < at->end() ? static_cast<std::size_t>(at - table_->begin()) : table_->size();
}

inline std::size_t tg::emulator::memory::place(std::size_t span_bytes) {
  const std::uint64_t limit = first_address + reserved_bytes_;
  if (span_bytes <= limit - next_) {
    next_ += span_bytes;
    return next_ - span_bytes;
  }
  // The end of the address space: forget the freed ranges and take the first hole.
  allocation_table& table = edit();
  std::erase_if(table, [](const allocation& a) { return !a.is_live; });
  std::uint64_t hole = first_address + gap_bytes;
  for (const allocation& a : table) {
    if (a.address - hole >= span_bytes) return hole;
    hole = (a.end() + page_bytes - 1) / page_bytes * page_bytes + gap_bytes;
  }
  if (hole > limit || limit - hole < span_bytes)
    throw error(code{440}, "device memory is too fragmented for " + std::to_string(span_bytes) + " bytes",
                "release buffers, or give the emulated device more memory");
  return hole;
}

inline tg::emulator::allocation_table& tg::emulator::memory::edit() {
  if (table_.use_count() > 1) table_ = std::make_shared<allocation_table>(*table_);
  return *table_;
}
