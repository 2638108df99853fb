// The emulated driver's mapping of physical memory into reserved addresses. Physical memory is an anonymous file, so
// that two mappings of it share their bytes.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <tg/emulator/driver_table/memory.hpp>

namespace tg::emulator::entry {

using driver::physical_handle;

inline constexpr std::size_t granularity_bytes = std::size_t{2} << 20;

struct physical {
  driver::allocation_properties properties;
  std::size_t bytes;
  int file;

  physical(const driver::allocation_properties& properties, std::size_t bytes)
      : properties(properties), bytes(bytes), file(::memfd_create("tg physical memory", MFD_CLOEXEC)) {
    require(file >= 0 && ::ftruncate(file, static_cast<off_t>(bytes)) == 0, result::out_of_memory);
    physical_bytes += bytes;
  }
  physical(const physical&) = delete;
  physical& operator=(const physical&) = delete;
  ~physical() {
    ::close(file);
    physical_bytes -= bytes;
  }
};

/// A range of a reservation that shows physical memory; a device may use it once access was given to it.
struct mapping {
  std::size_t bytes;
  std::shared_ptr<physical> memory;
  physical_handle handle;
  std::uint32_t users = 0;  // bit d: device d; the last bit: the host
};

inline std::uint32_t user_bit(machine& m, const driver::memory_location& location) {
  require(location.type == 1 || location.type == 2);
  if (location.type == 2) return std::uint32_t{1} << 31;
  require_device(m, location.id);
  return std::uint32_t{1} << location.id;
}

inline std::map<device_address, mapping>& mappings() {
  static auto& all = *new std::map<device_address, mapping>;
  return all;
}

inline void* host(device_address address) { return reinterpret_cast<void*>(address); }

inline result cuMemGetAllocationGranularity(std::size_t* bytes, const driver::allocation_properties* properties, int) {
  return guarded([&](machine&) {
    require(bytes && properties);
    *bytes = granularity_bytes;
  });
}

inline result cuMemAddressReserve(device_address* out, std::size_t bytes, std::size_t alignment, device_address,
                                  unsigned long long) {
  return guarded([&](machine& m) {
    require(out && bytes > 0 && bytes % granularity_bytes == 0 && (alignment & (alignment - 1)) == 0);
    const std::size_t unit = std::max(alignment, granularity_bytes);
    void* const range = ::mmap(nullptr, bytes + unit, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    require(range != MAP_FAILED, result::out_of_memory);
    const auto begin = reinterpret_cast<device_address>(range), end = begin + bytes + unit;
    *out = (begin + unit - 1) / unit * unit;
    if (*out != begin) ::munmap(range, *out - begin);
    if (*out + bytes != end) ::munmap(host(*out + bytes), end - *out - bytes);
    m.reservations.emplace(*out, bytes);
  });
}

inline result cuMemAddressFree(device_address address, std::size_t bytes) {
  return guarded([&](machine& m) {
    const auto found = m.reservations.find(address);
    require(found != m.reservations.end() && found->second == bytes);
    const auto inside = mappings().lower_bound(address);
    require(inside == mappings().end() || inside->first >= address + bytes);
    m.reservations.erase(found);
    ::munmap(host(address), bytes);
  });
}

inline result cuMemCreate(physical_handle* out, std::size_t bytes, const driver::allocation_properties* properties,
                          unsigned long long flags) {
  return guarded([&](machine& m) {
    require(out && properties && flags == 0 && bytes > 0 && bytes % granularity_bytes == 0 && properties->type == 1);
    require(properties->handle_types == 0, result::not_supported);
    require(bytes <= free_bytes(m), result::out_of_memory);
    *out = m.physicals.add(std::make_shared<physical>(*properties, bytes));
  });
}

inline result cuMemRelease(physical_handle handle) {
  return guarded([&](machine& m) { m.physicals.take(handle); });
}

inline result cuMemMap(device_address address, std::size_t bytes, std::size_t offset, physical_handle handle,
                       unsigned long long flags) {
  return guarded([&](machine& m) {
    const auto memory = m.physicals.at(handle);
    require(flags == 0 && offset == 0 && bytes == memory->bytes && address % granularity_bytes == 0);
    const auto after = m.reservations.upper_bound(address);
    require(after != m.reservations.begin());
    const auto& [begin, size] = *std::prev(after);
    require(address + bytes <= begin + size);
    const auto next = mappings().lower_bound(address);
    require(next == mappings().end() || next->first >= address + bytes);
    require(next == mappings().begin() || std::prev(next)->first + std::prev(next)->second.bytes <= address);
    require(::mmap(host(address), bytes, PROT_NONE, MAP_SHARED | MAP_FIXED, memory->file, 0) != MAP_FAILED, result::map_failed);
    mappings().emplace(address, mapping{bytes, memory, handle});
  });
}

/// The mappings that make up a range. Errors: invalid_value when they do not.
inline dynamic_array<device_address> mappings_of(device_address address, std::size_t bytes) {
  dynamic_array<device_address> out;
  for (device_address at = address; at < address + bytes; at += mappings().at(at).bytes) {
    require(mappings().contains(at) && at + mappings().at(at).bytes <= address + bytes);
    out.push_back(at);
  }
  return out;
}

inline void revoke(machine& m, device_address address) {
  if (std::exchange(mappings().at(address).users, 0) == 0) return;
  const allocation known = m.memory.find(address);
  m.memory.forget(known.address);
  if (known.address < address) m.memory.adopt(known.address, address - known.address, known.devices);
  const device_address end = address + mappings().at(address).bytes;
  if (end < known.end()) m.memory.adopt(end, known.end() - end, known.devices);
}

/// Neighbours that the same devices may use become one range, across which copies and kernels go.
inline void permit(machine& m, device_address address, std::uint32_t users) {
  mapping& own = mappings().at(address);
  device_address begin = address, end = address + own.bytes;
  own.users = users;
  if (const allocation left = m.memory.find(begin - 1);
      left.is_shared && left.devices == users && m.reservations.contains(begin) == false && mappings().contains(left.address)) {
    begin = left.address;
    m.memory.forget(left.address);
  }
  if (const allocation right = m.memory.find(end);
      right.address == end && right.devices == users && m.reservations.contains(end) == false && mappings().contains(end)) {
    end = right.end();
    m.memory.forget(right.address);
  }
  m.memory.adopt(begin, end - begin, users);
}

inline result cuMemSetAccess(device_address address, std::size_t bytes, const driver::memory_access_description* access,
                             std::size_t count) {
  return guarded([&](machine& m) {
    require(access && count > 0 && bytes > 0);
    for (const device_address at : mappings_of(address, bytes)) {
      mapping& one = mappings().at(at);
      std::uint32_t users = one.users;
      for (std::size_t i = 0; i < count; ++i) {
        const std::uint32_t bit = user_bit(m, access[i].location);
        users = access[i].flags != 0 ? users | bit : users & ~bit;
      }
      const int protection = users != 0 ? PROT_READ | PROT_WRITE : PROT_NONE;
      require(::mprotect(host(at), one.bytes, protection) == 0, result::operating_system);
      revoke(m, at);
      if (users != 0) permit(m, at, users);
    }
  });
}

inline result cuMemGetAccess(unsigned long long* flags, const driver::memory_location* location, device_address address) {
  return guarded([&](machine& m) {
    require(flags && location);
    const auto after = mappings().upper_bound(address);
    require(after != mappings().begin());
    const auto& [begin, one] = *std::prev(after);
    require(address < begin + one.bytes);
    *flags = (one.users & user_bit(m, *location)) != 0 ? 3 : 0;
  });
}

inline result cuMemUnmap(device_address address, std::size_t bytes) {
  return guarded([&](machine& m) {
    require(bytes > 0);
    wait_for_all(m);
    for (const device_address at : mappings_of(address, bytes)) {
      revoke(m, at);
      ::mmap(host(at), mappings().at(at).bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
      mappings().erase(at);
    }
  });
}

inline result cuMemRetainAllocationHandle(physical_handle* handle, void* address) {
  return guarded([&](machine& m) {
    require(handle);
    const auto after = mappings().upper_bound(reinterpret_cast<device_address>(address));
    require(after != mappings().begin());
    *handle = m.physicals.add(std::prev(after)->second.memory);
  });
}

inline result cuMemGetAllocationPropertiesFromHandle(driver::allocation_properties* out, physical_handle handle) {
  return guarded([&](machine& m) {
    require(out);
    *out = m.physicals.at(handle)->properties;
  });
}

}  // namespace tg::emulator::entry
