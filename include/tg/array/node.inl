// Which numbers of expressions are copies of each other.
#pragma once

#include <tg/array/node.hpp>

#include <cstdint>

#include <tg/base/config.hpp>

namespace tg::detail {

TG_LIBRARY_FUNCTION std::uint64_t new_scalar_origin(int count) {
  thread_local std::uint64_t next = 0;
  const std::uint64_t first = next;
  next += static_cast<std::uint64_t>(count);
  return first;
}

}  // namespace tg::detail
