// The emulated driver's calls about memory. A copy happens before its call returns, whatever its stream.
#pragma once

#include <cstring>

#include <tg/emulator/driver_table/context.hpp>
#include <tg/emulator/driver_table/stream.hpp>

namespace tg::emulator::entry {

using driver::device_address;

inline void copy_in(machine& m, device_address to, const void* from, std::size_t bytes) {
  if (bytes > 0) std::memcpy(m.memory.at(to, bytes), from, bytes);
}

inline void copy_out(machine& m, void* to, device_address from, std::size_t bytes) {
  if (bytes > 0) std::memcpy(to, m.memory.at(from, bytes), bytes);
}

inline void copy_within(machine& m, device_address to, device_address from, std::size_t bytes) {
  if (bytes > 0) std::memmove(m.memory.at(to, bytes), m.memory.at(from, bytes), bytes);
}

template <class Word>
void fill(machine& m, device_address to, Word value, std::size_t count) {
  require(to % sizeof(Word) == 0 && count <= SIZE_MAX / sizeof(Word));
  if (count == 0) return;
  std::byte* const first = m.memory.at(to, count * sizeof(Word));
  if constexpr (sizeof(Word) == 1) {
    std::memset(first, value, count);
  } else {
    for (std::size_t i = 0; i < count; ++i) std::memcpy(first + i * sizeof(Word), &value, sizeof(Word));
  }
}

inline result cuMemGetInfo(std::size_t* free_bytes, std::size_t* total_bytes) {
  return guarded([&](machine& m) {
    current(m);
    require(free_bytes && total_bytes);
    *total_bytes = m.memory.capacity_bytes();
    *free_bytes = *total_bytes - m.memory.live_bytes();
  });
}

inline result cuMemAlloc(device_address* address, std::size_t bytes) {
  return guarded([&](machine& m) {
    const context_handle owner = current(m);
    require(address && bytes > 0);
    forbid_in_capture(m);
    *address = m.memory.allocate(bytes);
    m.allocations.emplace(*address, owner);
  });
}

inline result cuMemFree(device_address address) {
  return guarded([&](machine& m) {
    current(m);
    forbid_in_capture(m);
    if (address == 0) return;
    require(m.allocations.erase(address) == 1);
    m.memory.release(address);
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

/// As `cuMemAlloc`; not while the stream is captured.
inline result cuMemAllocAsync(device_address* address, std::size_t bytes, stream_handle stream) {
  return guarded([&](machine& m) {
    const context_handle owner = current(m);
    require(address && bytes > 0);
    require(capture_of(m, stream) == nullptr, result::stream_capture_unsupported);
    *address = m.memory.allocate(bytes);
    m.allocations.emplace(*address, owner);
  });
}

inline result cuMemFreeAsync(device_address address, stream_handle stream) {
  return guarded([&](machine& m) {
    current(m);
    require(capture_of(m, stream) == nullptr, result::stream_capture_unsupported);
    require(m.allocations.erase(address) == 1);
    m.memory.release(address);
  });
}

inline result cuMemHostAlloc(void** memory, std::size_t bytes, unsigned flags) {
  return guarded([&](machine& m) {
    current(m);
    require(memory && bytes > 0 && flags <= 7);
    auto block = std::make_unique<std::byte[]>(bytes);
    *memory = block.get();
    m.host_memory.emplace(*memory, std::move(block));
  });
}

inline result cuMemFreeHost(void* memory) {
  return guarded([&](machine& m) {
    current(m);
    require(m.host_memory.erase(memory) == 1);
  });
}

inline result cuMemcpyHtoD(device_address to, const void* from, std::size_t bytes) {
  return guarded([&](machine& m) {
    require(from || bytes == 0);
    forbid_in_capture(m);
    current(m);
    copy_in(m, to, from, bytes);
  });
}

inline result cuMemcpyDtoH(void* to, device_address from, std::size_t bytes) {
  return guarded([&](machine& m) {
    require(to || bytes == 0);
    forbid_in_capture(m);
    current(m);
    copy_out(m, to, from, bytes);
  });
}

inline result cuMemcpyDtoD(device_address to, device_address from, std::size_t bytes) {
  return guarded([&](machine& m) {
    forbid_in_capture(m);
    current(m);
    copy_within(m, to, from, bytes);
  });
}

template <class T>
result set_elements(device_address to, T value, std::size_t count) {
  return guarded([&](machine& m) {
    forbid_in_capture(m);
    current(m);
    fill(m, to, value, count);
  });
}

inline result cuMemsetD8(device_address to, unsigned char value, std::size_t count) {
  return set_elements(to, value, count);
}

inline result cuMemsetD32(device_address to, unsigned value, std::size_t count) {
  return set_elements(to, value, count);
}

inline result cuMemcpyHtoDAsync(device_address to, const void* from, std::size_t bytes, stream_handle stream) {
  return guarded([&](machine& m) {
    require(from || bytes == 0);
    submit(m, stream, [=, &m] { copy_in(m, to, from, bytes); });
  });
}

inline result cuMemcpyDtoHAsync(void* to, device_address from, std::size_t bytes, stream_handle stream) {
  return guarded([&](machine& m) {
    require(to || bytes == 0);
    submit(m, stream, [=, &m] { copy_out(m, to, from, bytes); });
  });
}

inline result cuMemcpyDtoDAsync(device_address to, device_address from, std::size_t bytes, stream_handle stream) {
  return guarded([&](machine& m) { submit(m, stream, [=, &m] { copy_within(m, to, from, bytes); }); });
}

inline result cuMemsetD8Async(device_address to, unsigned char value, std::size_t count, stream_handle stream) {
  return guarded([&](machine& m) { submit(m, stream, [=, &m] { fill(m, to, value, count); }); });
}

inline result cuMemsetD32Async(device_address to, unsigned value, std::size_t count, stream_handle stream) {
  return guarded([&](machine& m) { submit(m, stream, [=, &m] { fill(m, to, value, count); }); });
}

}  // namespace tg::emulator::entry
