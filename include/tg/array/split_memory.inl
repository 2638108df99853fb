// One allocation for each stream that reduces long rows.
#pragma once

#include <tg/array/split_memory.hpp>

#include <memory>
#include <mutex>
#include <vector>

#include <tg/array/facts.hpp>
#include <tg/base/config.hpp>

namespace tg::detail {

/// The memory of one stream of one device. A context that is gone has taken it along.
struct split_memory {
  std::weak_ptr<runtime::context> device;
  driver::stream_handle stream;
  driver::device_address address;
};

TG_LIBRARY_FUNCTION std::pair<driver::device_address, driver::device_address> split_memory_of(runtime::context& device,
                                                                                              driver::stream_handle stream) {
  static std::mutex mutex;
  static std::vector<split_memory> all;
  constexpr std::size_t part_bytes = std::size_t{most_parts} * most_reductions * most_states * sizeof(std::uint64_t);
  constexpr std::size_t bytes = part_bytes + most_split_rows * sizeof(unsigned);
  const std::lock_guard lock(mutex);
  std::erase_if(all, [](const split_memory& m) { return m.device.expired(); });
  for (const split_memory& m : all)
    if (m.stream == stream && m.device.lock().get() == &device) return {m.address, m.address + part_bytes};
  driver::device_address address = 0;
  device.call(device.api().cuMemAlloc, &address, bytes);
  device.call(device.api().cuMemsetD8, address, static_cast<unsigned char>(0), bytes);
  device.synchronize(nullptr);  // other streams do not wait for the zeros
  all.push_back({device.weak_from_this(), stream, address});
  return {address, address + part_bytes};
}

}  // namespace tg::detail
