// The device's global memory: one address space of allocations with unmapped gaps between them. A device address is the
// host address of the same byte, so what host and device share has one pointer.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>

#include <tg/base/dynamic_array.hpp>
#include <tg/emulator/memory/byte_set.hpp>
#include <tg/emulator/memory/device_heap.hpp>

namespace tg::emulator {

/// A range of device addresses that was handed out; freed ranges stay on record so that late accesses can be named.
struct allocation {
  std::uint64_t address = 0;
  std::size_t size_bytes = 0;
  bool is_live = true;
  bool is_constant = false;                   // .const module variables
  bool is_shared = false;                     // the host reads and writes it too: managed, pinned and adopted memory
  bool is_heap = false;                       // what kernels divide with malloc
  bool is_tracked = false;                    // which of its bytes were written is known
  std::uint32_t devices = ~std::uint32_t{0};  // bit d: device d may use it

  std::uint64_t end() const { return address + size_bytes; }
  bool holds(std::uint64_t at, std::size_t bytes) const { return at >= address && at + bytes <= end() && at + bytes >= at; }
};

/// Every range known at one moment, sorted by address; what a launch checks its accesses against.
using allocation_table = dynamic_array<allocation>;

/// The last range that begins at or before an address; null where none does. The address may lie behind its end.
inline const allocation* last_range_from(const allocation_table& table, std::uint64_t address) {
  const auto after = std::upper_bound(table.begin(), table.end(), address,
                                      [](std::uint64_t key, const allocation& a) { return key < a.address; });
  return after == table.begin() ? nullptr : &*(after - 1);
}

/// The host's view of a device address, unchecked.
inline std::byte* byte_at(std::uint64_t address) { return reinterpret_cast<std::byte*>(address); }

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

  /// The host's view of `[address, address + bytes)`. What is not const counts as written.
  /// Errors: TG442 when the range is not inside one live allocation.
  std::byte* at(std::uint64_t address, std::size_t bytes);
  const std::byte* at(std::uint64_t address, std::size_t bytes) const;

  /// Marks a live allocation as one that the host uses through the same address.
  /// Errors: TG441 as of `release`.
  void share(std::uint64_t address);

  /// Says which devices may use a live allocation, a bit for each. Errors: TG441 as of `release`.
  void permit(std::uint64_t address, std::uint32_t devices);

  /// Takes memory of the host as an allocation until `forget`; it counts for no capacity.
  /// Errors: TG442 when the range overlaps a live allocation or lies below `first_address`.
  void adopt(std::uint64_t address, std::size_t bytes, std::uint32_t devices = ~std::uint32_t{0});
  /// Ends an adoption.
  /// Errors: TG441 when `address` is not the start of adopted memory.
  void forget(std::uint64_t address);

  /// Whether allocations from now on keep a record of the bytes that were written; they do at first.
  void track_writes(bool on) { tracks_ = on; }
  /// The record; bytes of allocations that are not tracked may be missing in it.
  check::byte_set written() const { return check::byte_set(bits_, base_); }
  /// From now on all allocations that exist count as written: a kernel ran whose stores nobody followed.
  void trust_contents();
  /// Bytes were copied: those at `to` count as written where those at `from` do, or come from elsewhere.
  void note_copy(std::uint64_t to, std::uint64_t from, std::size_t bytes);

  /// The live allocation that holds `address`; all zero when there is none.
  allocation find(std::uint64_t address) const;
  /// Bytes of the live allocation that holds `address`; 0 when there is none.
  std::size_t size_of(std::uint64_t address) const { return find(address).size_bytes; }

  /// The heap of kernels; `bytes` count for the call that makes it. Errors: TG440.
  device_heap& heap(std::size_t bytes);
  /// Null where no kernel needed one.
  device_heap* heap() const { return heap_.get(); }

  std::size_t live_bytes() const;
  std::size_t live_count() const;
  std::size_t capacity_bytes() const { return capacity_bytes_; }

  /// Whether the address is in the device's own part of the address space, used or not.
  bool owns(std::uint64_t address) const { return address - base_ < reserved_bytes_; }
  /// Whether accesses of `bytes` bytes at addresses from `lowest` to `highest` are all in the device's own part.
  bool owns(std::uint64_t lowest, std::uint64_t highest, std::size_t bytes) const {
    return lowest >= base_ && highest - base_ <= reserved_bytes_ - bytes;
  }

  /// The ranges as they are now; unchanged by later calls.
  std::shared_ptr<const allocation_table> table() const;

 private:
  static constexpr std::size_t gap_bytes = 4096;
  static constexpr std::size_t page_bytes = 4096;
  static constexpr std::size_t large_bytes = std::size_t{4} << 20;  // worth large pages

  std::size_t index_of(std::uint64_t address) const;        // of the live range that holds it, or the table's size
  std::size_t index_of_start(std::uint64_t address) const;  // of the live range that begins there
  std::size_t place(std::size_t span_bytes);                // frees old ranges when the address space is used up
  void insert(const allocation& made);
  allocation_table& edit();

  std::size_t capacity_bytes_;
  std::size_t reserved_bytes_ = 0;
  std::uint64_t base_ = 0;
  std::uint64_t next_ = 0;
  std::size_t live_bytes_ = 0;
  std::size_t live_count_ = 0;
  std::shared_ptr<allocation_table> table_ = std::make_shared<allocation_table>();
  std::unique_ptr<device_heap> heap_;
  std::uint8_t* bits_ = nullptr;  // one per byte that was written
  bool tracks_ = true;
  bool has_tracked_ = false;
  mutable std::mutex mutex_;
};

}  // namespace tg::emulator

#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include <tg/base/error.hpp>

inline tg::emulator::memory::memory(std::size_t capacity_bytes) : capacity_bytes_(capacity_bytes) {
  // The more address space there is beyond the capacity, the later a freed address is used again.
  for (const std::size_t times : {4, 2, 1}) {
    reserved_bytes_ = times * capacity_bytes + (std::size_t{1} << 24);
    void* const range = ::mmap(reinterpret_cast<void*>(first_address), reserved_bytes_, PROT_READ | PROT_WRITE,
                               MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (range == MAP_FAILED) continue;
    base_ = reinterpret_cast<std::uint64_t>(range);
    next_ = base_ + gap_bytes;
    void* const bits = ::mmap(nullptr, check::byte_set::storage_bytes(reserved_bytes_), PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (bits == MAP_FAILED) break;
    bits_ = static_cast<std::uint8_t*>(bits);
    return;
  }
  throw error(code{440}, "no address space for " + std::to_string(capacity_bytes) + " bytes of device memory",
              "make the emulated device smaller");
}

inline tg::emulator::memory::~memory() {
  ::munmap(bits_, check::byte_set::storage_bytes(reserved_bytes_));
  ::munmap(reinterpret_cast<void*>(base_), reserved_bytes_);
}

inline std::uint64_t tg::emulator::memory::allocate(std::size_t bytes, bool is_constant) {
  const std::lock_guard lock(mutex_);
  bytes = std::max<std::size_t>(bytes, 1);
  if (bytes > capacity_bytes_ - live_bytes_)
    throw error(code{440},
                "out of device memory: " + std::to_string(bytes) + " bytes asked for, " +
                    std::to_string(capacity_bytes_ - live_bytes_) + " of " + std::to_string(capacity_bytes_) + " free",
                "release buffers, or give the emulated device more memory");
  const std::size_t span = (bytes + page_bytes - 1) / page_bytes * page_bytes + gap_bytes;
  const allocation made{place(span), bytes, true, is_constant, false, false, tracks_};
  insert(made);
  has_tracked_ = has_tracked_ || tracks_;
  live_bytes_ += bytes;
  ++live_count_;
  if (bytes >= large_bytes) ::madvise(byte_at(made.address), bytes / page_bytes * page_bytes, MADV_HUGEPAGE);
  return made.address;
}

inline void tg::emulator::memory::release(std::uint64_t address) {
  if (address == 0) return;
  const std::lock_guard lock(mutex_);
  allocation& freed = edit()[index_of_start(address)];
  freed.is_live = false;
  if (freed.is_tracked) written().erase(address, freed.size_bytes);
  live_bytes_ -= freed.size_bytes;
  --live_count_;
  ::madvise(byte_at(address), (freed.size_bytes + page_bytes - 1) / page_bytes * page_bytes, MADV_DONTNEED);
}

inline void tg::emulator::memory::share(std::uint64_t address) {
  const std::lock_guard lock(mutex_);
  edit()[index_of_start(address)].is_shared = true;
}

inline void tg::emulator::memory::permit(std::uint64_t address, std::uint32_t devices) {
  const std::lock_guard lock(mutex_);
  const std::size_t at = index_of_start(address);
  if ((*table_)[at].devices != devices) edit()[at].devices = devices;
}

inline void tg::emulator::memory::adopt(std::uint64_t address, std::size_t bytes, std::uint32_t devices) {
  const std::lock_guard lock(mutex_);
  const bool overlaps = std::ranges::any_of(
      *table_, [&](const allocation& a) { return a.is_live && a.address < address + bytes && address < a.end(); });
  if (address < first_address || bytes == 0 || overlaps)
    throw error(code{442},
                std::to_string(bytes) + " bytes of host memory at " + std::to_string(address) + " cannot be used by the device",
                "register memory once, and outside the first 64 GB of the address space");
  tg::erase_if(edit(), [&](const allocation& a) { return a.address < address + bytes && address < a.end(); });
  insert({address, bytes, true, false, true, false, false, devices});
  ++live_count_;
}

inline void tg::emulator::memory::forget(std::uint64_t address) {
  const std::lock_guard lock(mutex_);
  const std::size_t at = index_of_start(address);
  if (owns(address)) throw error(code{441}, "memory at " + std::to_string(address) + " belongs to the device", "release it");
  allocation_table& table = edit();
  table.erase(table.begin() + static_cast<std::ptrdiff_t>(at));
  --live_count_;
}

inline const std::byte* tg::emulator::memory::at(std::uint64_t address, std::size_t bytes) const {
  const std::lock_guard lock(mutex_);
  const std::size_t i = index_of(address);
  if (i == table_->size() || !(*table_)[i].holds(address, bytes))
    throw error(
        code{442},
        std::to_string(bytes) + " bytes at device address " + std::to_string(address) + " are not inside one live allocation",
        "check the address and the size of the copy");
  return byte_at(address);
}

inline std::byte* tg::emulator::memory::at(std::uint64_t address, std::size_t bytes) {
  const std::byte* const view = static_cast<const memory*>(this)->at(address, bytes);
  if (find(address).is_tracked) written().insert(address, bytes);
  return const_cast<std::byte*>(view);
}

inline void tg::emulator::memory::trust_contents() {
  const std::lock_guard lock(mutex_);
  if (!std::exchange(has_tracked_, false)) return;
  for (allocation& a : edit()) {
    if (a.is_tracked && a.is_live) written().erase(a.address, a.size_bytes);
    a.is_tracked = false;
  }
}

inline void tg::emulator::memory::note_copy(std::uint64_t to, std::uint64_t from, std::size_t bytes) {
  if (!find(to).is_tracked) return;
  // What the host wrote to memory that it shares is not known.
  if (const allocation source = find(from); source.is_tracked && !source.is_shared) written().copy(to, from, bytes);
  else written().insert(to, bytes);
}

inline tg::emulator::allocation tg::emulator::memory::find(std::uint64_t address) const {
  const std::lock_guard lock(mutex_);
  const std::size_t i = index_of(address);
  return i == table_->size() ? allocation{0, 0, false, false, false, false, false} : (*table_)[i];
}

inline tg::emulator::device_heap& tg::emulator::memory::heap(std::size_t bytes) {
  if (heap_ == nullptr) {
    const std::uint64_t begin = allocate(bytes);
    const std::lock_guard lock(mutex_);
    edit()[index_of_start(begin)].is_heap = true;
    heap_ = std::make_unique<device_heap>(begin, std::max<std::size_t>(bytes, 1));
  }
  return *heap_;
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
  const allocation* const at = last_range_from(*table_, address);
  return at != nullptr && at->is_live && address < at->end() ? static_cast<std::size_t>(at - table_->data()) : table_->size();
}

inline std::size_t tg::emulator::memory::index_of_start(std::uint64_t address) const {
  const std::size_t at = index_of(address);
  if (at == table_->size() || (*table_)[at].address != address)
    throw error(code{441}, "release of " + std::to_string(address) + ", which is not the start of a live allocation",
                "release each allocation once, by the address that allocate returned");
  return at;
}

inline void tg::emulator::memory::insert(const allocation& made) {
  allocation_table& table = edit();
  table.insert(std::upper_bound(table.begin(), table.end(), made,
                                [](const allocation& a, const allocation& b) { return a.address < b.address; }),
               made);
}

inline std::size_t tg::emulator::memory::place(std::size_t span_bytes) {
  const std::uint64_t limit = base_ + reserved_bytes_;
  if (span_bytes <= limit - next_) {
    next_ += span_bytes;
    return next_ - span_bytes;
  }
  // The end of the address space: forget the freed ranges and take the first hole.
  allocation_table& table = edit();
  tg::erase_if(table, [](const allocation& a) { return !a.is_live; });
  std::uint64_t hole = base_ + gap_bytes;
  for (const allocation& a : table) {
    if (!owns(a.address)) continue;
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
