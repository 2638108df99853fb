// Pinned memory through which plain host memory is copied to a device without waiting for the copy.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstring>
#include <memory>
#include <mutex>
#include <vector>

#include <tg/driver/result.hpp>
#include <tg/driver/types.hpp>

namespace tg::runtime {

/// Chunks of pinned memory, each used again when the copy out of it is done. Copies wait only when all are in use.
/// Units: at most `most_chunks` chunks of at most `most_bytes`.
class staging {
 public:
  static constexpr std::size_t least_bytes = 64 << 10;
  static constexpr std::size_t most_bytes = 4 << 20;
  static constexpr std::size_t most_chunks = 4;

  /// Enqueues a copy of host memory, which may be changed as soon as this returns. Errors: those of the driver.
  template <class Context>
  void copy(Context& c, driver::stream_handle stream, driver::device_address to, const void* from, std::size_t bytes);

  /// Pinned bytes that are kept.
  std::size_t size_bytes() const;

  /// Frees every chunk. Requires: no copy is under way.
  template <class Context> void clear(Context& c) noexcept;

 private:
  struct chunk {
    void* memory = nullptr;
    std::size_t size_bytes = 0;
    driver::event_handle copied = nullptr;
  };

  template <class Context> chunk& take(Context& c, std::size_t bytes);
  template <class Context> static void free(Context& c, chunk& one) noexcept;

  mutable std::mutex mutex_;
  std::vector<chunk> chunks_;  // the one used longest ago first
};

template <class Context>
void staging::copy(Context& c, driver::stream_handle stream, driver::device_address to, const void* from, std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  for (std::size_t done = 0; done < bytes;) {
    const std::size_t some = std::min(bytes - done, most_bytes);
    chunk& one = take(c, some);
    std::memcpy(one.memory, static_cast<const std::byte*>(from) + done, some);
    c.call(c.api().cuMemcpyHtoDAsync, to + done, static_cast<const void*>(one.memory), some, stream);
    try {
      c.call(c.api().cuEventRecord, one.copied, stream);
    } catch (...) {
      c.attempt(c.api().cuStreamSynchronize, stream);  // nothing else tells when the chunk is free
      throw;
    }
    done += some;
  }
}

template <class Context> void staging::clear(Context& c) noexcept {
  for (chunk& one : chunks_) free(c, one);
  chunks_.clear();
}

/// A chunk that no copy uses, moved to the end of the list.
template <class Context> staging::chunk& staging::take(Context& c, std::size_t bytes) {
  const auto is_free = [&](const chunk& one) {
    return one.size_bytes >= bytes && c.attempt(c.api().cuEventQuery, one.copied) == driver::result::success;
  };
  auto found = std::ranges::find_if(chunks_, is_free);
  if (found == chunks_.end() && chunks_.size() == most_chunks) {
    found = chunks_.begin();
    c.call(c.api().cuEventSynchronize, found->copied);
    if (found->size_bytes < bytes) {
      free(c, *found);
      chunks_.erase(found);
      found = chunks_.end();
    }
  }
  if (found == chunks_.end()) {
    chunks_.reserve(most_chunks);
    chunk made;
    made.size_bytes = std::max(least_bytes, std::bit_ceil(bytes));
    try {
      c.call(c.api().cuMemHostAlloc, &made.memory, made.size_bytes, 0u);
      c.call(c.api().cuEventCreate, &made.copied, driver::event_flag::disable_timing);
    } catch (...) {
      free(c, made);
      throw;
    }
    chunks_.push_back(made);
    return chunks_.back();
  }
  std::rotate(found, found + 1, chunks_.end());
  return chunks_.back();
}

template <class Context> void staging::free(Context& c, chunk& one) noexcept {
  if (one.copied) c.release(c.api().cuEventDestroy, one.copied);
  if (one.memory) c.release(c.api().cuMemFreeHost, one.memory);
}

}  // namespace tg::runtime
