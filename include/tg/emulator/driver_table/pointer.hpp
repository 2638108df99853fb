// The emulated driver's answers about a pointer, and its advice for managed memory.
#pragma once

#include <tg/emulator/driver_table/pool.hpp>

namespace tg::emulator::entry {

using driver::memory_location;
using driver::pointer_attribute;
using driver::range_attribute;

/// Writes one attribute of the memory at `address`.
/// Errors: invalid_value for an address that no allocation holds, and for an unknown attribute.
inline void write_attribute(machine& m, void* out, pointer_attribute attribute, device_address address) {
  using enum pointer_attribute;
  const allocation found = m.memory.find(address);
  require(found.is_live && found.size_bytes != 0);
  const auto known = m.allocations.find(found.address);
  const owned_memory how = known == m.allocations.end() ? owned_memory{} : known->second;
  const bool is_host = m.registered.contains(found.address) || how.kind == owned_memory::kind::pinned;
  const auto write = [&](auto value) { std::memcpy(out, &value, sizeof value); };
  switch (attribute) {
    case context: return write(how.owner ? how.owner : top_context());
    case pointer_attribute::memory_type: return write(is_host ? memory_type::host : memory_type::device);
    case device_pointer: return write(address);
    case host_pointer: require(found.is_shared); return write(address);
    case sync_memops: return write(1);
    case buffer_id:
    case memory_block_id: return write(std::uint64_t{found.address});
    case is_managed: return write(static_cast<int>(how.kind == owned_memory::kind::managed));
    case device_ordinal: return write(how.owner ? m.contexts.at(how.owner)->device : 0);
    case is_legacy_cuda_ipc_capable:
    case is_gpu_direct_rdma_capable:
    case is_hw_decompress_capable: return write(0);
    case range_start_addr:
    case mapping_base_addr: return write(found.address);
    case range_size:
    case mapping_size: return write(found.size_bytes);
    case mapped: return write(1);
    case allowed_handle_types: return write(std::uint64_t{0});
    case access_flags: return write(3);
    case mempool_handle: return write(how.pool);
  }
  throw refused{result::invalid_value};
}

inline result cuPointerGetAttribute(void* out, pointer_attribute attribute, device_address address) {
  return guarded([&](machine& m) {
    require(out);
    write_attribute(m, out, attribute, address);
  });
}

/// Several at once; of an unknown pointer all are 0.
inline result cuPointerGetAttributes(unsigned count, const pointer_attribute* attributes, void** out, device_address address) {
  return guarded([&](machine& m) {
    require(attributes && out);
    for (unsigned i = 0; i < count; ++i) {
      try {
        write_attribute(m, out[i], attributes[i], address);
      } catch (const refused&) {
        const std::uint64_t none = attributes[i] == pointer_attribute::device_ordinal ? 0xfffffffe : 0;
        std::memcpy(out[i], &none,
                    attributes[i] == pointer_attribute::memory_type || attributes[i] == pointer_attribute::is_managed ||
                            attributes[i] == pointer_attribute::device_ordinal
                        ? 4
                        : 8);
      }
    }
  });
}

inline result cuPointerSetAttribute(const void* value, pointer_attribute attribute, device_address address) {
  return guarded([&](machine& m) {
    require(value && attribute == pointer_attribute::sync_memops && m.memory.find(address).size_bytes != 0);
  });
}

/// Refuses what is no managed memory. Advice about it changes nothing: all memory is the host's.
inline void require_managed(machine& m, device_address address, std::size_t bytes) {
  const allocation found = m.memory.find(address);
  require(bytes > 0 && found.is_shared && found.holds(address, bytes));
}

inline result cuMemAdvise_v2(device_address address, std::size_t bytes, int advice, memory_location) {
  return guarded([&](machine& m) {
    require(advice >= 1 && advice <= 6);
    require_managed(m, address, bytes);
  });
}
inline result cuMemAdvise(device_address address, std::size_t bytes, int advice, device_id) {
  return cuMemAdvise_v2(address, bytes, advice, {});
}

inline result cuMemPrefetchAsync(device_address address, std::size_t bytes, device_id, stream_handle stream) {
  return guarded([&](machine& m) {
    current(m);
    require_managed(m, address, bytes);
    require(!capture_of(m, stream), result::stream_capture_unsupported);
  });
}
inline result cuMemPrefetchAsync_v2(device_address address, std::size_t bytes, memory_location, unsigned flags,
                                    stream_handle stream) {
  return flags != 0 ? result::invalid_value : cuMemPrefetchAsync(address, bytes, 0, stream);
}

/// No location was ever preferred: -2 is CU_DEVICE_INVALID.
inline result cuMemRangeGetAttribute(void* out, std::size_t size, range_attribute attribute, device_address address,
                                     std::size_t bytes) {
  return guarded([&](machine& m) {
    require(out && size % 4 == 0 && size > 0);
    require_managed(m, address, bytes);
    require(attribute >= range_attribute::read_mostly && attribute <= range_attribute::last_prefetch_location_id);
    const bool is_number = attribute == range_attribute::read_mostly || attribute == range_attribute::preferred_location_type ||
                           attribute == range_attribute::last_prefetch_location_type;
    const int value = is_number ? 0 : -2;
    for (std::size_t i = 0; i < size; i += 4) std::memcpy(static_cast<std::byte*>(out) + i, &value, 4);
  });
}

inline result cuMemRangeGetAttributes(void** out, const std::size_t* sizes, const range_attribute* attributes,
                                      std::size_t count, device_address address, std::size_t bytes) {
  if (!out || !sizes || !attributes || count == 0) return result::invalid_value;
  for (std::size_t i = 0; i < count; ++i)
    if (const result r = cuMemRangeGetAttribute(out[i], sizes[i], attributes[i], address, bytes); r != result::success)
      return r;
  return result::success;
}

}  // namespace tg::emulator::entry
