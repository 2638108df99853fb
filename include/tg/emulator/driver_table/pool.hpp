// The emulated driver's allocations in the order of a stream, and its pools of memory.
#pragma once

#include <array>

#include <tg/emulator/driver_table/memory.hpp>

namespace tg::emulator::entry {

using driver::pool_attribute;
using driver::pool_handle;

/// Memory goes back to the device when it is freed, whatever the pool's threshold is.
struct pool {
  context_handle owner = nullptr;
  std::uint32_t devices = ~std::uint32_t{0};                       // bit d: device d may use its memory
  std::array<std::uint64_t, 9> values{0, 1, 1, 1, 0, 0, 0, 0, 0};  // by pool_attribute
};

inline std::uint64_t& value_of(pool& p, pool_attribute a) {
  require(a >= pool_attribute::reuse_follow_event_dependencies && a <= pool_attribute::used_mem_high);
  return p.values[static_cast<std::size_t>(a)];
}

inline void count_bytes(pool& p, std::int64_t bytes) {
  for (const auto& [now, high] : {std::pair{pool_attribute::reserved_mem_current, pool_attribute::reserved_mem_high},
                                  std::pair{pool_attribute::used_mem_current, pool_attribute::used_mem_high}}) {
    value_of(p, now) += static_cast<std::uint64_t>(bytes);
    value_of(p, high) = std::max(value_of(p, high), value_of(p, now));
  }
}

inline pool_handle default_pool(machine& m, device_id device) {
  shown_device& d = device_at(m, device);
  if (d.default_pool == nullptr) d.default_pool = m.pools.add(std::make_shared<pool>(pool{.devices = 1u << device}));
  return d.default_pool;
}
inline pool_handle current_pool(machine& m, device_id device) {
  shown_device& d = device_at(m, device);
  return d.current_pool ? d.current_pool : default_pool(m, device);
}

inline device_address allocate_from(machine& m, pool_handle pool, std::size_t bytes) {
  require(bytes > 0);
  const auto p = m.pools.at(pool);
  const device_address made = allocate(m, bytes, {nullptr, owned_memory::kind::device, 0, pool});
  m.memory.permit(made, p->devices);
  count_bytes(*p, static_cast<std::int64_t>(bytes));
  return made;
}

/// A captured stream gets a node that owns the memory.
inline result cuMemAllocFromPoolAsync(device_address* address, std::size_t bytes, pool_handle pool, stream_handle stream) {
  return guarded([&](machine& m) {
    current(m);
    require(address);
    const bool is_captured = capture_of(m, stream) != nullptr;
    *address = allocate_from(m, pool, bytes);
    if (is_captured)
      submit(m, stream,
             allocation_work{{.pool = {}, .access = nullptr, .access_count = 0, .bytes = bytes, .address = *address}});
    else note_allocation(m, turn_of(m, stream), *address, bytes);
  });
}

/// The memory is there when the call returns; later work on any stream may use it.
inline result cuMemAllocAsync(device_address* address, std::size_t bytes, stream_handle stream) {
  pool_handle pool = nullptr;
  const result r = guarded([&](machine& m) { pool = current_pool(m, m.contexts.at(current(m))->device); });
  return r == result::success ? cuMemAllocFromPoolAsync(address, bytes, pool, stream) : r;
}

inline result cuMemFreeAsync(device_address address, stream_handle stream) {
  return guarded([&](machine& m) {
    current(m);
    if (address == 0) return;
    const auto found = m.allocations.find(address);
    require(found != m.allocations.end());
    const bool is_captured = capture_of(m, stream) != nullptr;
    if (!is_captured && found->second.pool && m.pools.contains(found->second.pool))
      count_bytes(*m.pools.at(found->second.pool), -static_cast<std::int64_t>(m.memory.size_of(address)));
    submit(m, stream, free_work{address, is_captured});
  });
}

inline result cuMemPoolCreate(pool_handle* out, const driver::pool_properties* properties) {
  return guarded([&](machine& m) {
    require(out && properties && properties->allocation_type == 1);
    require(properties->handle_types == 0, result::not_supported);
    require_device(m, properties->location.id);
    *out = m.pools.add(std::make_shared<pool>(pool{.devices = 1u << properties->location.id}));
  });
}

inline result cuMemPoolDestroy(pool_handle pool) {
  return guarded([&](machine& m) {
    for (const shown_device& d : m.devices) require(pool != d.default_pool);
    m.pools.take(pool);
    for (shown_device& d : m.devices)
      if (d.current_pool == pool) d.current_pool = nullptr;
  });
}

inline result cuMemPoolTrimTo(pool_handle pool, std::size_t) {
  return guarded([&](machine& m) { m.pools.at(pool); });
}

inline bool is_64_bit(pool_attribute a) { return a >= pool_attribute::release_threshold; }

inline result cuMemPoolGetAttribute(pool_handle pool, pool_attribute attribute, void* value) {
  return guarded([&](machine& m) {
    require(value);
    const std::uint64_t now = value_of(*m.pools.at(pool), attribute);
    std::memcpy(value, &now, is_64_bit(attribute) ? 8 : 4);
  });
}

inline result cuMemPoolSetAttribute(pool_handle pool, pool_attribute attribute, const void* value) {
  return guarded([&](machine& m) {
    require(value);
    std::uint64_t& now = value_of(*m.pools.at(pool), attribute);
    require(attribute != pool_attribute::reserved_mem_current && attribute != pool_attribute::used_mem_current);
    std::memcpy(&now, value, is_64_bit(attribute) ? 8 : 4);
  });
}

inline result cuMemPoolSetAccess(pool_handle pool, const driver::memory_access_description* access, std::size_t count) {
  return guarded([&](machine& m) {
    entry::pool& p = *m.pools.at(pool);
    require(access || count == 0);
    for (std::size_t i = 0; i < count; ++i) {
      require(access[i].location.type == 1);
      require_device(m, access[i].location.id);
      const std::uint32_t bit = 1u << access[i].location.id;
      p.devices = access[i].flags != 0 ? p.devices | bit : p.devices & ~bit;
    }
    for (const auto& [address, memory] : m.allocations)
      if (memory.pool == pool) m.memory.permit(address, p.devices);
  });
}

inline result cuMemPoolGetAccess(int* flags, pool_handle pool, driver::memory_location* location) {
  return guarded([&](machine& m) {
    require(flags && location);
    *flags = location->type == 1 && (m.pools.at(pool)->devices >> location->id & 1) != 0 ? 3 : 0;
  });
}

inline result cuDeviceGetDefaultMemPool(pool_handle* out, device_id device) {
  return guarded([&](machine& m) {
    require_device(m, device);
    require(out);
    *out = default_pool(m, device);
  });
}

inline result cuDeviceGetMemPool(pool_handle* out, device_id device) {
  return guarded([&](machine& m) {
    require_device(m, device);
    require(out);
    *out = current_pool(m, device);
  });
}

inline result cuDeviceSetMemPool(device_id device, pool_handle pool) {
  return guarded([&](machine& m) {
    m.pools.at(pool);
    device_at(m, device).current_pool = pool;
  });
}

inline result cuDeviceGraphMemTrim(device_id device) {
  return guarded([&](machine& m) { require_device(m, device); });
}

}  // namespace tg::emulator::entry
