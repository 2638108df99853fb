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

  /// Maps the memory for another device too, or no longer. Errors: those of the driver.
  void set_user(driver::device_id device, bool may);

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
  std::vector<driver::memory_access_description> access() const;
  void try_to_reserve();
  std::uint64_t find_room(std::size_t bytes) const;
  driver::result map(std::size_t bytes, address_range& out);

  std::shared_ptr<context> context_;
  address_range reserved_;
  std::size_t unit_bytes_ = std::size_t{2} << 20;
  std::size_t bytes_ = 0;
  std::map<std::uint64_t, piece> pieces_;
  std::vector<driver::device_id> users_;  // beside the owner
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

}  // namespace tg::runtime
