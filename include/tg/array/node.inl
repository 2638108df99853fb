// The memory of arrays, and which numbers of expressions are copies of each other.
#pragma once

#include <tg/array/node.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include <tg/base/config.hpp>

namespace tg::detail {

/// Memory that arrays and their views share.
struct array_memory {
  std::shared_ptr<runtime::context> context;
  driver::device_address address = 0;

  array_memory(std::shared_ptr<runtime::context> c, std::size_t bytes) : context(std::move(c)) {
    if (bytes > 0) address = context->allocate(bytes);
  }
  array_memory(const array_memory&) = delete;
  array_memory& operator=(const array_memory&) = delete;
  ~array_memory() {
    if (address != 0) context->release(context->api().cuMemFree, address);
  }
};

TG_LIBRARY_FUNCTION std::shared_ptr<const void> allocate_elements(runtime::context& context, const std::int64_t* extents,
                                                                  int rank, int element_bytes, driver::device_address& address,
                                                                  std::int64_t* strides, source_location where) {
  const std::int64_t bytes = checked_count(extents, rank, element_bytes, where) * element_bytes;
  auto memory = std::make_shared<const array_memory>(context.shared_from_this(), static_cast<std::size_t>(bytes));
  address = memory->address;
  dense_strides(extents, rank, strides);
  return memory;
}

TG_LIBRARY_FUNCTION std::shared_ptr<const void> keep_foreign(std::shared_ptr<runtime::context> context,
                                                             std::shared_ptr<const void> owner) {
  using kept = std::pair<std::shared_ptr<runtime::context>, std::shared_ptr<const void>>;
  return std::make_shared<const kept>(std::move(context), std::move(owner));
}

TG_LIBRARY_FUNCTION void copy_to_elements(runtime::context& context, driver::device_address to, const void* from,
                                          std::size_t bytes) {
  context.call_plain(context.api().cuMemcpyHtoD, to, from, bytes);
}

TG_LIBRARY_FUNCTION std::uint64_t new_scalar_origin(int count) {
  // Each thread has origins of its own: 2^32 at a time.
  static std::atomic<std::uint64_t> taken{0};
  thread_local std::uint64_t next = 0, end = 0;
  if (end - next < static_cast<std::uint64_t>(count)) {
    next = taken.fetch_add(1, std::memory_order_relaxed) << 32;
    end = next + (std::uint64_t{1} << 32);
  }
  const std::uint64_t first = next;
  next += static_cast<std::uint64_t>(count);
  return first;
}

}  // namespace tg::detail
