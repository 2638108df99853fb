// The emulator's driver table, with counts of what a pool takes from it, and calls that fail when a test asks for it.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "hand_written.hpp"

namespace counting {

using tg::driver::device_address;
using tg::driver::device_attribute;
using tg::driver::event_handle;
using tg::driver::result;
using tg::driver::stream_handle;

/// What a counting table has seen, and what it is told to do.
struct counted {
  std::size_t calls = 0, memories = 0, mappings = 0, reservations = 0, allocations = 0, events = 0;
  std::vector<stream_handle> recorded;
  std::vector<std::pair<stream_handle, event_handle>> waits;
  bool is_busy = false;  // no event is ever reached
  bool cannot_map = false;
  std::size_t fails_at = 0;  // the n-th of the calls below fails
  std::size_t most_memories = 1000000;

  bool fails() { return ++calls == fails_at; }
};

inline counted seen;

inline const tg::driver::table& real() { return tg::emulator::driver_table(); }

template <class Make> result count(std::size_t& objects, Make make) {
  if (seen.fails()) return result::unknown;
  const result r = make();
  if (r == result::success) ++objects;
  return r;
}

/// The emulator's table with the counts of `seen`.
inline tg::driver::table counting_table() {
  seen = {};
  auto api = hand_written::gpu_table();
  api.cuDeviceGetAttribute = [](int* value, device_attribute a, tg::driver::device_id device) {
    const result r = real().cuDeviceGetAttribute(value, a, device);
    if (a == device_attribute::virtual_memory_management_supported && seen.cannot_map) *value = 0;
    return r;
  };
  api.cuMemAddressReserve = [](device_address* out, std::size_t bytes, std::size_t alignment, device_address wish,
                               unsigned long long flags) {
    return count(seen.reservations, [&] { return real().cuMemAddressReserve(out, bytes, alignment, wish, flags); });
  };
  api.cuMemAddressFree = [](device_address at, std::size_t bytes) {
    --seen.reservations;
    return real().cuMemAddressFree(at, bytes);
  };
  api.cuMemCreate = [](tg::driver::physical_handle* out, std::size_t bytes, const tg::driver::allocation_properties* p,
                       unsigned long long flags) {
    if (seen.memories >= seen.most_memories) return result::out_of_memory;
    return count(seen.memories, [&] { return real().cuMemCreate(out, bytes, p, flags); });
  };
  api.cuMemRelease = [](tg::driver::physical_handle h) {
    --seen.memories;
    return real().cuMemRelease(h);
  };
  api.cuMemMap = [](device_address at, std::size_t bytes, std::size_t offset, tg::driver::physical_handle h,
                    unsigned long long flags) {
    return count(seen.mappings, [&] { return real().cuMemMap(at, bytes, offset, h, flags); });
  };
  api.cuMemSetAccess = [](device_address at, std::size_t bytes, const tg::driver::memory_access_description* a, std::size_t n) {
    if (seen.fails()) return result::unknown;
    return real().cuMemSetAccess(at, bytes, a, n);
  };
  api.cuMemUnmap = [](device_address at, std::size_t bytes) {
    --seen.mappings;
    return real().cuMemUnmap(at, bytes);
  };
  api.cuMemAlloc = [](device_address* out, std::size_t bytes) {
    return count(seen.allocations, [&] { return real().cuMemAlloc(out, bytes); });
  };
  api.cuMemFree = [](device_address at) {
    --seen.allocations;
    return real().cuMemFree(at);
  };
  api.cuEventCreate = [](event_handle* out, tg::driver::event_flag flags) {
    return count(seen.events, [&] { return real().cuEventCreate(out, flags); });
  };
  api.cuEventDestroy = [](event_handle e) {
    --seen.events;
    return real().cuEventDestroy(e);
  };
  api.cuEventRecord = [](event_handle e, stream_handle s) {
    if (seen.fails()) return result::unknown;
    seen.recorded.push_back(s);
    return real().cuEventRecord(e, s);
  };
  api.cuEventQuery = [](event_handle e) {
    if (seen.fails()) return result::unknown;
    return seen.is_busy ? result::not_ready : real().cuEventQuery(e);
  };
  api.cuStreamWaitEvent = [](stream_handle s, event_handle e, unsigned flags) {
    if (seen.fails()) return result::unknown;
    seen.waits.emplace_back(s, e);
    return real().cuStreamWaitEvent(s, e, flags);
  };
  return api;
}

/// A plain stream of the driver.
struct raw_stream {
  explicit raw_stream(const tg::device& of) : context(of.context()) {
    context->call(context->api().cuStreamCreate, &handle, tg::driver::stream_flag::non_blocking);
  }
  raw_stream(const raw_stream&) = delete;
  raw_stream& operator=(const raw_stream&) = delete;
  ~raw_stream() { context->release(context->api().cuStreamDestroy, handle); }
  stream_handle native() const { return handle; }

  std::shared_ptr<tg::runtime::context> context;
  stream_handle handle = nullptr;
};

inline bool is_nothing_left() {
  return seen.memories == 0 && seen.mappings == 0 && seen.reservations == 0 && seen.allocations == 0 && seen.events == 0;
}

}  // namespace counting
