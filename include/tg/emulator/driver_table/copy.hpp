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
    perform(m, w);
  });
}

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
    w(m);
  });
}

inline result do_on(stream_handle stream, work w) {
  return guarded([&](machine& m) { submit(m, stream, std::move(w)); });
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
inline result require_contexts(context_handle a, context_handle b) {
  return guarded([&](machine& m) {
    for (const context_handle c : {a, b}) require(c == nullptr || m.contexts.contains(c), result::invalid_context);
  });
}
inline result cuMemcpyPeer(device_address to, context_handle to_context, device_address from, context_handle from_context,
                           std::size_t bytes) {
  const result r = require_contexts(to_context, from_context);
  return r == result::success ? cuMemcpyDtoD(to, from, bytes) : r;
}

inline result cuMemcpyHtoDAsync(device_address to, const void* from, std::size_t bytes, stream_handle stream) {
  return from || bytes == 0 ? do_on(stream, upload(to, from, bytes)) : result::invalid_value;
}
inline result cuMemcpyDtoHAsync(void* to, device_address from, std::size_t bytes, stream_handle stream) {
  return to || bytes == 0 ? do_on(stream, download(to, from, bytes)) : result::invalid_value;
}
inline result cuMemcpyDtoDAsync(device_address to, device_address from, std::size_t bytes, stream_handle stream) {
  return do_on(stream, within(to, from, bytes));
}
inline result cuMemcpyAsync(device_address to, device_address from, std::size_t bytes, stream_handle stream) {
  return (to && from) || bytes == 0 ? do_on(stream, anywhere(to, from, bytes)) : result::invalid_value;
}
inline result cuMemcpyPeerAsync(device_address to, context_handle to_context, device_address from, context_handle from_context,
                                std::size_t bytes, stream_handle stream) {
  const result r = require_contexts(to_context, from_context);
  return r == result::success ? cuMemcpyDtoDAsync(to, from, bytes, stream) : r;
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
  return copy ? do_on(stream, widened(*copy)) : result::invalid_value;
}
inline result cuMemcpy2DUnaligned(const copy_2d* copy) { return cuMemcpy2D(copy); }
inline result cuMemcpy3D(const copy_3d* copy) { return copy ? do_now(copy_work{*copy}) : result::invalid_value; }
inline result cuMemcpy3DAsync(const copy_3d* copy, stream_handle stream) {
  return copy ? do_on(stream, copy_work{*copy}) : result::invalid_value;
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
