// Copies from pageable memory through page-locked chunks.
#pragma once

#include <tg/runtime/staging.hpp>

#include <tg/base/config.hpp>

namespace tg::runtime {

TG_LIBRARY_FUNCTION std::size_t staging::size_bytes() const {
  const std::lock_guard lock(mutex_);
  std::size_t out = 0;
  for (const chunk& one : chunks_) out += one.size_bytes;
  return out;
}

}  // namespace tg::runtime
