// The emulated driver's copies and fills of memory.
#pragma once

#include <tg/emulator/driver_table/stream.hpp>

namespace tg::emulator::entry {

using driver::copy_2d;
using driver::copy_3d;

inline void forbid_plain_copy(machine& m) {
  current(m);
  if (const auto c = broken_by_legacy(m)) invalidate(*c, result::stream_capture_implicit);
  forbid_in_capture(m);
}

/// Does the work before it returns, behind all that the legacy stream follows.
inline result do_now(const work& w) {
  return guarded([&](machine& m) {
    forbid_plain_copy(m);
    wait_while_pending(m, belongs_to(nullptr));
    perform(m, turn_of(m, nullptr), w);
    if (looks_for_races(m)) m.stream_races.host_waits(name_of(m, nullptr));
  });
}

/// Whether a plain copy waits for its stream before it begins: from memory of the host that the device was not told of.
/// Source, here and below: CUDA Driver API 13.0, 2, API synchronization behavior.
inline bool waits_before(const machine& m, const copy_work& w) {
  return looks_for_races(m) && w.copy.from.type == memory_type::host &&
         !m.memory.find(reinterpret_cast<std::uint64_t>(w.copy.from.host)).is_live;
}
inline bool waits_before(const machine&, const set_work&) { return false; }

/// Whether the host waits for the end: for copies from pinned memory, and fills of memory that the host uses too.
inline bool waits_after(const machine& m, const copy_work& w) {
  return looks_for_races(m) && w.copy.from.type == memory_type::host &&
         m.memory.find(reinterpret_cast<std::uint64_t>(w.copy.from.host)).is_live;
}
inline bool waits_after(const machine& m, const set_work& w) { return looks_for_races(m) && m.memory.find(w.set.to).is_shared; }

/// As `do_now` for work that the host need not wait for: with asynchronous streams it is enqueued on the legacy stream, as with
/// a GPU. Source: CUDA Driver API 13.0, 2, API synchronization behavior.
template <class Work> result do_soon(Work w) {
  return guarded([&](machine& m) {
    forbid_plain_copy(m);
    if (m.is_async) {
      w.require_inside(m);
      return enqueue(m, nullptr, std::move(w));
    }
    wait_while_pending(m, belongs_to(nullptr));
    if (waits_before(m, w)) m.stream_races.host_waits(name_of(m, nullptr));
    const bool waits = waits_after(m, w);
    perform(m, turn_of(m, nullptr), std::move(w));
    if (waits) m.stream_races.host_waits(name_of(m, nullptr));
  });
}

inline result do_on(stream_handle stream, work w) {
  return guarded([&](machine& m) { submit(m, stream, std::move(w)); });
}

/// As `do_on` for copies of two sides that may be in memory of a pool: then the context of the stream is to be current.
/// Copies between devices need no access of peers. Source: CUDA C++ Programming Guide 13.0, stream ordered memory allocator,
/// cudaMemcpyAsync current context/device sensitivity; multi-device system, peer-to-peer memory copy.
inline result copy_on(stream_handle stream, copy_work w) {
  return guarded([&](machine& m) {
    const context_handle here = current(m);
    if (!is_default(stream) && m.streams.at(stream)->owner != here)
      for (const std::uint64_t address : {address_of(w.copy.to), address_of(w.copy.from)}) {
        const owned_memory* const owned = owned_at(m, address);
        require(owned == nullptr || owned->pool == nullptr, result::invalid_context);
      }
    submit(m, stream, std::move(w));
  });
}

/// Refuses a context that does not own the memory that it stands for. Memory of the host is of any.
inline void require_owner(machine& m, device_address address, context_handle named) {
  if (named == nullptr) return;
  const owned_memory* const owned = owned_at(m, address);
  if (owned == nullptr || owned->kind != owned_memory::kind::device || !m.contexts.contains(owned->owner)) return;
  require(m.contexts.at(owned->owner)->device == m.contexts.at(named)->device);
}

/// A copy of consecutive bytes; `type` says where each address is.
inline copy_work linear(std::uint64_t to, memory_type to_type, std::uint64_t from, memory_type from_type, std::size_t bytes) {
  copy_3d c{};
  c.to.type = to_type;
  c.to.device = to;
  c.to.host = reinterpret_cast<void*>(to);
  c.from.type = from_type;
  c.from.device = from;
  c.from.host = reinterpret_cast<const void*>(from);
  c.width_bytes = bytes;
  c.height = c.depth = 1;
  return {c};
}
inline copy_work upload(device_address to, const void* from, std::size_t bytes) {
  return linear(to, memory_type::device, reinterpret_cast<std::uint64_t>(from), memory_type::host, bytes);
}
inline copy_work download(void* to, device_address from, std::size_t bytes) {
  return linear(reinterpret_cast<std::uint64_t>(to), memory_type::host, from, memory_type::device, bytes);
}
inline copy_work within(device_address to, device_address from, std::size_t bytes) {
  return linear(to, memory_type::device, from, memory_type::device, bytes);
}
inline copy_work anywhere(device_address to, device_address from, std::size_t bytes) {
  return linear(to, memory_type::unified, from, memory_type::unified, bytes);
}

inline result cuMemcpyHtoD(device_address to, const void* from, std::size_t bytes) {
  return from || bytes == 0 ? do_soon(upload(to, from, bytes)) : result::invalid_value;
}
inline result cuMemcpyDtoH(void* to, device_address from, std::size_t bytes) {
  return to || bytes == 0 ? do_now(download(to, from, bytes)) : result::invalid_value;
}
inline result cuMemcpyDtoD(device_address to, device_address from, std::size_t bytes) {
  return do_soon(within(to, from, bytes));
}
inline result cuMemcpy(device_address to, device_address from, std::size_t bytes) {
  return (to && from) || bytes == 0 ? do_now(anywhere(to, from, bytes)) : result::invalid_value;
}
inline result require_owners(device_address to, context_handle to_context, device_address from, context_handle from_context) {
  return guarded([&](machine& m) {
    for (const context_handle c : {to_context, from_context})
      require(c == nullptr || m.contexts.contains(c), result::invalid_context);
    require_owner(m, to, to_context);
    require_owner(m, from, from_context);
  });
}
inline result cuMemcpyPeer(device_address to, context_handle to_context, device_address from, context_handle from_context,
                           std::size_t bytes) {
  const result r = require_owners(to, to_context, from, from_context);
  return r == result::success ? cuMemcpyDtoD(to, from, bytes) : r;
}

inline result cuMemcpyHtoDAsync(device_address to, const void* from, std::size_t bytes, stream_handle stream) {
  return from || bytes == 0 ? copy_on(stream, upload(to, from, bytes)) : result::invalid_value;
}
inline result cuMemcpyDtoHAsync(void* to, device_address from, std::size_t bytes, stream_handle stream) {
  return to || bytes == 0 ? copy_on(stream, download(to, from, bytes)) : result::invalid_value;
}
inline result cuMemcpyDtoDAsync(device_address to, device_address from, std::size_t bytes, stream_handle stream) {
  return copy_on(stream, within(to, from, bytes));
}
inline result cuMemcpyAsync(device_address to, device_address from, std::size_t bytes, stream_handle stream) {
  return (to && from) || bytes == 0 ? copy_on(stream, anywhere(to, from, bytes)) : result::invalid_value;
}
inline result cuMemcpyPeerAsync(device_address to, context_handle to_context, device_address from, context_handle from_context,
                                std::size_t bytes, stream_handle stream) {
  const result r = require_owners(to, to_context, from, from_context);
  return r == result::success ? do_on(stream, within(to, from, bytes)) : r;
}

/// Several copies; the attributes are hints.
inline result cuMemcpyBatchAsync_v2(const device_address* to, const device_address* from, const std::size_t* bytes,
                                    std::size_t count, const void*, const std::size_t*, std::size_t, stream_handle stream) {
  if (count == 0 || !to || !from || !bytes || is_legacy(stream)) return result::invalid_value;
  for (std::size_t i = 0; i < count; ++i)
    if (const result r = cuMemcpyAsync(to[i], from[i], bytes[i], stream); r != result::success) return r;
  return result::success;
}
inline result cuMemcpyBatchAsync(const device_address* to, const device_address* from, const std::size_t* bytes,
                                 std::size_t count, const void*, const std::size_t*, std::size_t, std::size_t* failed,
                                 stream_handle stream) {
  if (failed) *failed = SIZE_MAX;
  return cuMemcpyBatchAsync_v2(to, from, bytes, count, nullptr, nullptr, 0, stream);
}

template <class Side2, class Side3> void widen(const Side2& from, Side3& to) {
  to.x_bytes = from.x_bytes;
  to.y = from.y;
  to.type = from.type;
  to.host = from.host;
  to.device = from.device;
  to.array = from.array;
  to.pitch = from.pitch;
}
inline copy_work widened(const copy_2d& c) {
  copy_3d out{};
  widen(c.from, out.from);
  widen(c.to, out.to);
  out.width_bytes = c.width_bytes;
  out.height = c.height;
  out.depth = 1;
  return {out};
}

inline result cuMemcpy2D(const copy_2d* copy) { return copy ? do_now(widened(*copy)) : result::invalid_value; }
inline result cuMemcpy2DAsync(const copy_2d* copy, stream_handle stream) {
  return copy ? copy_on(stream, widened(*copy)) : result::invalid_value;
}
inline result cuMemcpy2DUnaligned(const copy_2d* copy) { return cuMemcpy2D(copy); }
inline result cuMemcpy3D(const copy_3d* copy) { return copy ? do_now(copy_work{*copy}) : result::invalid_value; }
inline result cuMemcpy3DAsync(const copy_3d* copy, stream_handle stream) {
  return copy ? copy_on(stream, copy_work{*copy}) : result::invalid_value;
}

inline result cuMemcpy3DPeer(const copy_3d* copy) { return cuMemcpy3D(copy); }
inline result cuMemcpy3DPeerAsync(const copy_3d* copy, stream_handle stream) { return cuMemcpy3DAsync(copy, stream); }

template <class Word> set_work fill(device_address to, std::size_t pitch, Word value, std::size_t width, std::size_t height) {
  return {{to, pitch, value, sizeof(Word), width, height}};
}

inline result cuMemsetD8(device_address to, unsigned char value, std::size_t count) {
  return do_soon(fill(to, 0, value, count, 1));
}
inline result cuMemsetD16(device_address to, unsigned short value, std::size_t count) {
  return do_soon(fill(to, 0, value, count, 1));
}
inline result cuMemsetD32(device_address to, unsigned value, std::size_t count) {
  return do_soon(fill(to, 0, value, count, 1));
}
inline result cuMemsetD8Async(device_address to, unsigned char value, std::size_t count, stream_handle stream) {
  return do_on(stream, fill(to, 0, value, count, 1));
}
inline result cuMemsetD16Async(device_address to, unsigned short value, std::size_t count, stream_handle stream) {
  return do_on(stream, fill(to, 0, value, count, 1));
}
inline result cuMemsetD32Async(device_address to, unsigned value, std::size_t count, stream_handle stream) {
  return do_on(stream, fill(to, 0, value, count, 1));
}
inline result cuMemsetD2D8(device_address to, std::size_t pitch, unsigned char value, std::size_t width, std::size_t height) {
  return do_soon(fill(to, pitch, value, width, height));
}
inline result cuMemsetD2D16(device_address to, std::size_t pitch, unsigned short value, std::size_t width, std::size_t height) {
  return do_soon(fill(to, pitch, value, width, height));
}
inline result cuMemsetD2D32(device_address to, std::size_t pitch, unsigned value, std::size_t width, std::size_t height) {
  return do_soon(fill(to, pitch, value, width, height));
}
inline result cuMemsetD2D8Async(device_address to, std::size_t pitch, unsigned char value, std::size_t width,
                                std::size_t height, stream_handle stream) {
  return do_on(stream, fill(to, pitch, value, width, height));
}
inline result cuMemsetD2D16Async(device_address to, std::size_t pitch, unsigned short value, std::size_t width,
                                 std::size_t height, stream_handle stream) {
  return do_on(stream, fill(to, pitch, value, width, height));
}
inline result cuMemsetD2D32Async(device_address to, std::size_t pitch, unsigned value, std::size_t width, std::size_t height,
                                 stream_handle stream) {
  return do_on(stream, fill(to, pitch, value, width, height));
}

}  // namespace tg::emulator::entry
