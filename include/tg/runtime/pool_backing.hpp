// Where a pool's memory comes from: physical memory mapped into one reserved range, or allocations of their own where
// the driver cannot map.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include <tg/runtime/context.hpp>
#include <tg/runtime/tlsf.hpp>

namespace tg::runtime {

/// Pieces of memory, each of which goes back to the driver whole.
class pool_backing {
 public:
  pool_backing(std::shared_ptr<context> context, bool maps_memory);
  pool_backing(const pool_backing&) = delete;
  pool_backing& operator=(const pool_backing&) = delete;
  ~pool_backing();

  /// Addresses into which memory is mapped; empty where each piece has addresses of its own.
  const address_range& reserved() const { return reserved_; }
  bool is_mapped() const { return reserved_.bytes != 0; }
  /// A multiple of what the driver gives.
  std::size_t round_up(std::size_t bytes) const { return (bytes + unit_bytes_ - 1) / unit_bytes_ * unit_bytes_; }

  /// Adds a piece; a mapped one at the end of the last where there is room. Returns: what the driver said.
  driver::result grow(std::size_t bytes, address_range& out);
  /// Requires: no work uses the piece.
  void release(address_range piece) noexcept;

  std::size_t bytes() const { return bytes_; }
  std::vector<address_range> pieces() const;

 private:
  struct piece {
    std::size_t bytes;
    driver::physical_handle memory;
  };

  driver::allocation_properties properties() const;
  void try_to_reserve();
  std::uint64_t find_room(std::size_t bytes) const;
  driver::result map(std::size_t bytes, address_range& out);

  std::shared_ptr<context> context_;
  address_range reserved_;
  std::size_t unit_bytes_ = std::size_t{2} << 20;
  std::size_t bytes_ = 0;
  std::map<std::uint64_t, piece> pieces_;
};

inline pool_backing::pool_backing(std::shared_ptr<context> context, bool maps_memory) : context_(std::move(context)) {
  if (maps_memory && context_->limits().has_virtual_memory && context_->api().cuMemMap != nullptr) try_to_reserve();
}

inline pool_backing::~pool_backing() {
  const auto& api = context_->api();
  if (!pieces_.empty()) context_->release(api.cuCtxSynchronize);
  while (!pieces_.empty()) release({pieces_.begin()->first, pieces_.begin()->second.bytes});
  if (is_mapped()) context_->release(api.cuMemAddressFree, reserved_.begin, reserved_.bytes);
}

inline driver::allocation_properties pool_backing::properties() const {
  driver::allocation_properties out{};
  out.type = 1;           // CU_MEM_ALLOCATION_TYPE_PINNED
  out.location.type = 1;  // CU_MEM_LOCATION_TYPE_DEVICE
  out.location.id = context_->device();
  return out;
}

/// Twice the device's memory, so that there is room beside ranges that were given back.
inline void pool_backing::try_to_reserve() {
  const auto& api = context_->api();
  const auto p = properties();
  std::size_t unit = 0, total = 0;
  if (context_->attempt(api.cuMemGetAllocationGranularity, &unit, &p, 0) != driver::result::success || unit == 0 ||
      context_->attempt(api.cuDeviceTotalMem, &total, context_->device()) != driver::result::success)
    return;
  const std::size_t bytes = (2 * total + unit - 1) / unit * unit;
  driver::device_address begin = 0;
  if (context_->attempt(api.cuMemAddressReserve, &begin, bytes, std::size_t{0}, driver::device_address{0}, 0ull) !=
      driver::result::success)
    return;
  unit_bytes_ = unit;
  reserved_ = {begin, bytes};
}

inline driver::result pool_backing::grow(std::size_t bytes, address_range& out) {
  bytes = round_up(bytes);
  driver::result r;
  if (is_mapped()) {
    r = map(bytes, out);
  } else {
    out.bytes = bytes;
    r = context_->attempt(context_->api().cuMemAlloc, &out.begin, bytes);
    if (r == driver::result::success) pieces_.emplace(out.begin, piece{bytes, 0});
  }
  if (r == driver::result::success) bytes_ += bytes;
  return r;
}

/// After the last piece; when the addresses there have run out, the first gap that is large enough. 0: there is none.
inline std::uint64_t pool_backing::find_room(std::size_t bytes) const {
  const std::uint64_t last = pieces_.empty() ? reserved_.begin : pieces_.rbegin()->first + pieces_.rbegin()->second.bytes;
  if (bytes <= reserved_.end() - last) return last;
  std::uint64_t at = reserved_.begin;
  for (const auto& [begin, p] : pieces_) {
    if (bytes <= begin - at) return at;
    at = begin + p.bytes;
  }
  return 0;
}

inline driver::result pool_backing::map(std::size_t bytes, address_range& out) {
  const auto& api = context_->api();
  const auto p = properties();
  driver::physical_handle memory = 0;
  out = {find_room(bytes), bytes};
  if (out.begin == 0) return driver::result::out_of_memory;
  driver::result r = context_->attempt(api.cuMemCreate, &memory, bytes, &p, 0ull);
  if (r != driver::result::success) return r;
  r = context_->attempt(api.cuMemMap, out.begin, bytes, std::size_t{0}, memory, 0ull);
  if (r == driver::result::success) {
    const driver::memory_access_description access{p.location, 3};  // CU_MEM_ACCESS_FLAGS_PROT_READWRITE
    r = context_->attempt(api.cuMemSetAccess, out.begin, bytes, &access, std::size_t{1});
    if (r != driver::result::success) context_->release(api.cuMemUnmap, out.begin, bytes);
  }
  if (r == driver::result::success) pieces_.emplace(out.begin, piece{bytes, memory});
  else context_->release(api.cuMemRelease, memory);
  return r;
}

inline void pool_backing::release(address_range range) noexcept {
  const auto& api = context_->api();
  const auto found = pieces_.find(range.begin);
  if (is_mapped()) {
    context_->release(api.cuMemUnmap, range.begin, range.bytes);
    context_->release(api.cuMemRelease, found->second.memory);
  } else {
    context_->release(api.cuMemFree, range.begin);
  }
  pieces_.erase(found);
  bytes_ -= range.bytes;
}

inline std::vector<address_range> pool_backing::pieces() const {
  std::vector<address_range> out;
  std::ranges::transform(pieces_, std::back_inserter(out),
                         [](const auto& p) { return address_range{p.first, p.second.bytes}; });
  return out;
}

}  // namespace tg::runtime
