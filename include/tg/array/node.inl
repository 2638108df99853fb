// Which numbers of expressions are copies of each other.
#pragma once

#include <tg/array/node.hpp>

#include <atomic>
#include <cstdint>

#include <tg/base/config.hpp>

namespace tg::detail {

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
