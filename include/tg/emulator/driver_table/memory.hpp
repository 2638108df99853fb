// The emulated driver's allocations: device, managed and pinned memory, and host memory that is registered.
#pragma once

#include <algorithm>

#include <tg/emulator/driver_table/stream.hpp>

namespace tg::emulator::entry {

inline std::size_t physical_bytes = 0;  // made by cuMemCreate

inline std::size_t free_bytes(machine& m) {
  const std::size_t used = m.memory.live_bytes() + physical_bytes;
  return m.memory.capacity_bytes() - std::min(used, m.memory.capacity_bytes());
}

/// The devices that may use what the context allocates: its own, and those that enabled peer access to it.
inline std::uint32_t users_of(machine& m, context_handle owner) {
  std::uint32_t out = 1u << m.contexts.at(owner)->device;
  m.contexts.for_each([&](context_handle, const context& c) {
    if (c.peers.contains(owner)) out |= 1u << c.device;
  });
  return out;
}

inline void update_users(machine& m, context_handle owner) {
  if (!m.contexts.contains(owner)) return;
  const std::uint32_t devices = users_of(m, owner);
  for (const auto& [address, memory] : m.allocations)
    if (memory.owner == owner && memory.kind == owned_memory::kind::device && memory.pool == nullptr)
      m.memory.permit(address, devices);
}

/// Allocates for the current context.
inline device_address allocate(machine& m, std::size_t bytes, owned_memory how) {
  how.owner = current(m);
  require(physical_bytes == 0 || bytes <= free_bytes(m), result::out_of_memory);
  const device_address address = m.memory.allocate(bytes);
  if (how.kind != owned_memory::kind::device) m.memory.share(address);
  else if (how.pool == nullptr) m.memory.permit(address, users_of(m, how.owner));
  m.allocations.emplace(address, how);
  return address;
}

/// Releases what `allocate` gave. Errors: invalid_value for another address.
inline void release(machine& m, device_address address) {
  require(m.allocations.erase(address) == 1);
  m.memory.release(address);
}

inline result cuMemGetInfo(std::size_t* free_bytes, std::size_t* total_bytes) {
  return guarded([&](machine& m) {
    current(m);
    require(free_bytes && total_bytes);
    *total_bytes = m.memory.capacity_bytes();
    *free_bytes = entry::free_bytes(m);
  });
}

inline result cuMemAlloc(device_address* address, std::size_t bytes) {
  return guarded([&](machine& m) {
    current(m);
    require(address && bytes > 0);
    forbid_in_capture(m);
    *address = allocate(m, bytes, {});
  });
}

/// Rows begin at multiples of 512 bytes.
inline result cuMemAllocPitch(device_address* address, std::size_t* pitch, std::size_t width, std::size_t height,
                              unsigned element_bytes) {
  if (pitch == nullptr || width == 0 || height == 0 || width > SIZE_MAX - 511) return result::invalid_value;
  if (element_bytes != 4 && element_bytes != 8 && element_bytes != 16) return result::invalid_value;
  *pitch = (width + 511) / 512 * 512;
  return *pitch > SIZE_MAX / height ? result::out_of_memory : cuMemAlloc(address, *pitch * height);
}

inline result cuMemFree(device_address address) {
  return guarded([&](machine& m) {
    current(m);
    forbid_in_capture(m);
    if (address == 0) return;
    wait_for_all(m);
    release(m, address);
  });
}

inline result cuMemAllocManaged(device_address* address, std::size_t bytes, unsigned flags) {
  return guarded([&](machine& m) {
    current(m);
    require(address && bytes > 0 && (flags == 1 || flags == 2));
    forbid_in_capture(m);
    *address = allocate(m, bytes, {nullptr, owned_memory::kind::managed, flags, nullptr});
  });
}

inline result cuMemGetAddressRange(device_address* base, std::size_t* bytes, device_address address) {
  return guarded([&](machine& m) {
    current(m);
    const allocation found = m.memory.find(address);
    require(found.is_live, result::not_found);
    if (base) *base = found.address;
    if (bytes) *bytes = found.size_bytes;
  });
}

inline result cuMemHostAlloc(void** memory, std::size_t bytes, unsigned flags) {
  return guarded([&](machine& m) {
    current(m);
    require(memory && bytes > 0 && flags <= 7);
    forbid_in_capture(m);
    *memory = reinterpret_cast<void*>(allocate(m, bytes, {nullptr, owned_memory::kind::pinned, flags, nullptr}));
  });
}
inline result cuMemAllocHost(void** memory, std::size_t bytes) { return cuMemHostAlloc(memory, bytes, 0); }

inline result cuMemFreeHost(void* memory) {
  return guarded([&](machine& m) {
    current(m);
    forbid_in_capture(m);
    if (memory == nullptr) return;
    const auto found = m.allocations.find(reinterpret_cast<device_address>(memory));
    require(found != m.allocations.end() && found->second.kind == owned_memory::kind::pinned);
    wait_for_all(m);
    release(m, found->first);
  });
}

inline result cuMemHostRegister(void* memory, std::size_t bytes, unsigned flags) {
  return guarded([&](machine& m) {
    current(m);
    require(memory && bytes > 0 && flags <= 15);
    forbid_in_capture(m);
    const auto address = reinterpret_cast<device_address>(memory);
    require(m.memory.find(address).size_bytes == 0, result::host_memory_already_registered);
    m.memory.adopt(address, bytes);
    m.registered.emplace(address, bytes);
  });
}

inline result cuMemHostUnregister(void* memory) {
  return guarded([&](machine& m) {
    current(m);
    forbid_in_capture(m);
    wait_for_all(m);
    require(m.registered.erase(reinterpret_cast<device_address>(memory)) == 1, result::host_memory_not_registered);
    m.memory.forget(reinterpret_cast<device_address>(memory));
  });
}

/// Host and device use one address.
inline result cuMemHostGetDevicePointer(device_address* address, void* memory, unsigned flags) {
  return guarded([&](machine& m) {
    require(address && flags == 0);
    require(m.memory.find(reinterpret_cast<device_address>(memory)).is_shared);
    *address = reinterpret_cast<device_address>(memory);
  });
}

inline result cuMemHostGetFlags(unsigned* flags, void* memory) {
  return guarded([&](machine& m) {
    require(flags);
    const auto found = m.allocations.find(m.memory.find(reinterpret_cast<device_address>(memory)).address);
    require(found != m.allocations.end() && found->second.kind == owned_memory::kind::pinned);
    *flags = found->second.flags | driver::devicemap;
  });
}

}  // namespace tg::emulator::entry
