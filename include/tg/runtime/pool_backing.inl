// Memory of a pool: reserved addresses, and pieces mapped there.
#pragma once

#include <tg/runtime/pool_backing.hpp>

#include <tg/base/config.hpp>

namespace tg::runtime {

TG_LIBRARY_FUNCTION driver::allocation_properties pool_backing::properties() const {
  driver::allocation_properties out{};
  out.type = 1;           // CU_MEM_ALLOCATION_TYPE_PINNED
  out.location.type = 1;  // CU_MEM_LOCATION_TYPE_DEVICE
  out.location.id = context_->device();
  return out;
}

/// Twice the device's memory, so that there is room beside ranges that were given back.
TG_LIBRARY_FUNCTION void pool_backing::try_to_reserve() {
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

TG_LIBRARY_FUNCTION driver::result pool_backing::grow(std::size_t bytes, address_range& out) {
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
TG_LIBRARY_FUNCTION std::uint64_t pool_backing::find_room(std::size_t bytes) const {
  const std::uint64_t last = pieces_.empty() ? reserved_.begin : pieces_.rbegin()->first + pieces_.rbegin()->second.bytes;
  if (bytes <= reserved_.end() - last) return last;
  std::uint64_t at = reserved_.begin;
  for (const auto& [begin, p] : pieces_) {
    if (bytes <= begin - at) return at;
    at = begin + p.bytes;
  }
  return 0;
}

/// The owner and its peers: mapped memory is for the devices that were named, whatever peer access says.
TG_LIBRARY_FUNCTION std::vector<driver::memory_access_description> pool_backing::access() const {
  constexpr int read_write = 3;  // CU_MEM_ACCESS_FLAGS_PROT_READWRITE
  std::vector<driver::memory_access_description> out{{properties().location, read_write}};
  for (const driver::device_id user : users_) out.push_back({{1, user}, read_write});
  return out;
}

TG_LIBRARY_FUNCTION void pool_backing::set_user(driver::device_id device, bool may) {
  if (!is_mapped()) return;
  const driver::memory_access_description changed{{1, device}, may ? 3 : 0};
  for (const auto& [begin, p] : pieces_) {
    const auto& api = context_->api();
    if (may) context_->call(api.cuMemSetAccess, begin, p.bytes, &changed, std::size_t{1});
    else context_->attempt(api.cuMemSetAccess, begin, p.bytes, &changed, std::size_t{1});
  }
  std::erase(users_, device);
  if (may) users_.push_back(device);
}

TG_LIBRARY_FUNCTION driver::result pool_backing::map(std::size_t bytes, address_range& out) {
  const auto& api = context_->api();
  const auto p = properties();
  driver::physical_handle memory = 0;
  out = {find_room(bytes), bytes};
  if (out.begin == 0) return driver::result::out_of_memory;
  driver::result r = context_->attempt(api.cuMemCreate, &memory, bytes, &p, 0ull);
  if (r != driver::result::success) return r;
  r = context_->attempt(api.cuMemMap, out.begin, bytes, std::size_t{0}, memory, 0ull);
  if (r == driver::result::success) {
    const auto all = access();
    r = context_->attempt(api.cuMemSetAccess, out.begin, bytes, all.data(), all.size());
    if (r != driver::result::success) context_->release(api.cuMemUnmap, out.begin, bytes);
  }
  if (r == driver::result::success) pieces_.emplace(out.begin, piece{bytes, memory});
  else context_->release(api.cuMemRelease, memory);
  return r;
}

TG_LIBRARY_FUNCTION void pool_backing::release(address_range range) noexcept {
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

TG_LIBRARY_FUNCTION std::vector<address_range> pool_backing::pieces() const {
  std::vector<address_range> out;
  std::ranges::transform(pieces_, std::back_inserter(out),
                         [](const auto& p) { return address_range{p.first, p.second.bytes}; });
  return out;
}

}  // namespace tg::runtime
