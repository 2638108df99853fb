// The emulated driver's calls that put something else than kernels and copies on a stream: host functions, waits for
// and writes of numbers in memory, attributes.
#pragma once

#include <tg/emulator/driver_table/event.hpp>

namespace tg::emulator::entry {

inline host_work call_of_host(driver::host_node_parameters p) {
  require(p.function != nullptr);
  return {[p] { p.function(p.data); }, p};
}

inline result cuLaunchHostFunc(stream_handle stream, driver::host_function function, void* data) {
  return guarded([&](machine& m) { submit(m, stream, call_of_host({function, data})); });
}

inline result cuStreamAddCallback(stream_handle stream, driver::stream_callback callback, void* data, unsigned flags) {
  return guarded([&](machine& m) {
    require(callback && flags == 0);
    if (const auto c = capture_of(m, stream)) invalidate(*c, result::stream_capture_unsupported);
    submit(m, stream, host_work{[=] { callback(stream, 0, data); }});
  });
}

inline result cuStreamBatchMemOp(stream_handle stream, unsigned count, const driver::stream_operation* operations, unsigned) {
  return guarded([&](machine& m) {
    require(operations || count == 0);
    for (unsigned i = 0; i < count; ++i) {
      const value_work work{operations[i]};
      require(work.what.operation >= driver::memory_operation::wait_value_32 &&
              work.what.operation <= driver::memory_operation::barrier);
      submit(m, stream, work);
    }
  });
}

template <driver::memory_operation Operation>
result submit_value(stream_handle stream, device_address address, std::uint64_t value, unsigned flags) {
  const driver::stream_operation one{Operation, address, value, flags, 0, 0};
  return address % 4 != 0 ? result::invalid_value : cuStreamBatchMemOp(stream, 1, &one, 0);
}

inline result cuStreamWaitValue32(stream_handle stream, device_address address, std::uint32_t value, unsigned flags) {
  return submit_value<driver::memory_operation::wait_value_32>(stream, address, value, flags);
}
inline result cuStreamWaitValue64(stream_handle stream, device_address address, std::uint64_t value, unsigned flags) {
  return submit_value<driver::memory_operation::wait_value_64>(stream, address, value, flags);
}
inline result cuStreamWriteValue32(stream_handle stream, device_address address, std::uint32_t value, unsigned flags) {
  return submit_value<driver::memory_operation::write_value_32>(stream, address, value, flags);
}
inline result cuStreamWriteValue64(stream_handle stream, device_address address, std::uint64_t value, unsigned flags) {
  return submit_value<driver::memory_operation::write_value_64>(stream, address, value, flags);
}

inline result cuStreamAttachMemAsync(stream_handle stream, device_address address, std::size_t, unsigned) {
  return guarded([&](machine& m) {
    if (!is_default(stream)) m.streams.at(stream);
    require(m.memory.find(address).is_shared);
  });
}

/// Attributes of streams are hints; they are forgotten.
inline result cuStreamSetAttribute(stream_handle stream, int, const driver::launch_attribute_value* value) {
  return guarded([&](machine& m) {
    require(value);
    if (!is_default(stream)) m.streams.at(stream);
  });
}
inline result cuStreamGetAttribute(stream_handle stream, int, driver::launch_attribute_value* value) {
  return guarded([&](machine& m) {
    require(value);
    if (!is_default(stream)) m.streams.at(stream);
    *value = {};
  });
}
inline result cuStreamCopyAttributes(stream_handle to, stream_handle from) {
  return guarded([&](machine& m) {
    for (const stream_handle s : {to, from})
      if (!is_default(s)) m.streams.at(s);
  });
}

}  // namespace tg::emulator::entry
