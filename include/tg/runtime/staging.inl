// Copies from pageable memory through page-locked chunks.
#pragma once

#include <tg/runtime/staging.hpp>

#include <algorithm>
#include <bit>
#include <cstring>
#include <mutex>
#include <utility>

#include <tg/base/config.hpp>
#include <tg/runtime/context.hpp>

namespace tg::runtime {

TG_LIBRARY_FUNCTION std::size_t staging::size_bytes() const {
  const std::lock_guard lock(mutex_);
  std::size_t out = 0;
  for (const chunk& one : chunks_) out += one.size_bytes;
  return out;
}

TG_LIBRARY_FUNCTION void staging::copy(context& c, driver::stream_handle stream, driver::device_address to, const void* from,
                                       std::size_t bytes) {
  for (std::size_t done = 0; done < bytes;) {
    const std::size_t some = std::min(bytes - done, most_bytes);
    const void* const source = static_cast<const std::byte*>(from) + done;
    chunk one = take(c, stream, some);
    if (one.memory == nullptr) {
      c.call(c.api().cuMemcpyHtoDAsync, to + done, source, some, stream);
      c.call(c.api().cuStreamSynchronize, stream);
    } else {
      std::memcpy(one.memory, source, some);
      one.stream = stream;
      try {
        c.call(c.api().cuMemcpyHtoDAsync, to + done, static_cast<const void*>(one.memory), some, stream);
        try {
          c.call(c.api().cuEventRecord, one.copied, stream);
        } catch (...) {
          c.attempt(c.api().cuStreamSynchronize, stream);  // nothing else tells when the chunk is free
          throw;
        }
      } catch (...) {
        put(one);
        throw;
      }
      put(one);
    }
    done += some;
  }
}

TG_LIBRARY_FUNCTION void staging::clear(context& c) noexcept {
  for (const chunk& one : chunks_) free(c, one);
  chunks_.clear();
}

/// A chunk that no copy uses, out of the list; an empty one when other streams use all of them.
TG_LIBRARY_FUNCTION staging::chunk staging::take(context& c, driver::stream_handle stream, std::size_t bytes) {
  chunk out;
  bool is_free = true;
  {
    const std::lock_guard lock(mutex_);
    const auto is_done = [&](const chunk& one) {
      return c.attempt(c.api().cuEventQuery, one.copied) == driver::result::success;
    };
    auto found = std::ranges::find_if(chunks_, [&](const chunk& one) { return one.size_bytes >= bytes && is_done(one); });
    if (found == chunks_.end() && chunks_.size() + taken_ == most_chunks) {
      is_free = false;
      found = std::ranges::find_if(chunks_, [&](const chunk& one) { return one.stream == stream; });
      if (found == chunks_.end()) found = std::ranges::find_if(chunks_, is_done);
      if (found == chunks_.end()) return out;
    }
    if (found != chunks_.end()) {
      out = *found;
      chunks_.erase(found);
    }
    ++taken_;
  }
  try {
    if (!is_free) {
      c.call(c.api().cuEventSynchronize, out.copied);
      if (out.size_bytes < bytes) free(c, std::exchange(out, chunk{}));
    }
    return out.memory != nullptr ? out : make(c, bytes);
  } catch (...) {
    if (out.memory != nullptr) put(out);
    else forget_taken();
    throw;
  }
}

TG_LIBRARY_FUNCTION staging::chunk staging::make(context& c, std::size_t bytes) {
  chunk made;
  made.size_bytes = std::max(least_bytes, std::bit_ceil(bytes));
  try {
    c.call(c.api().cuMemHostAlloc, &made.memory, made.size_bytes, 0u);
    c.call(c.api().cuEventCreate, &made.copied, driver::event_flag::disable_timing);
  } catch (...) {
    free(c, made);
    throw;
  }
  return made;
}

TG_LIBRARY_FUNCTION void staging::free(context& c, const chunk& one) noexcept {
  if (one.copied) c.release(c.api().cuEventDestroy, one.copied);
  if (one.memory) c.release(c.api().cuMemFreeHost, one.memory);
}

}  // namespace tg::runtime
