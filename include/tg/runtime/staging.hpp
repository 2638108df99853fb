// Pinned memory through which plain host memory is copied to a device without waiting for the copy.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstring>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include <tg/driver/result.hpp>
#include <tg/driver/types.hpp>

namespace tg::runtime {

/// Chunks of pinned memory, each used again when the copy out of it is done. Units: at most `most_chunks` chunks of at most
/// `most_bytes`. No lock is held while a thread waits, and a thread waits for the work of its own stream only: when other
/// streams have all chunks, what they wait for may be what this thread has yet to do. Then the driver copies without a chunk.
class staging {
 public:
  static constexpr std::size_t least_bytes = 64 << 10;
  static constexpr std::size_t most_bytes = 4 << 20;
  static constexpr std::size_t most_chunks = 4;

  staging() { chunks_.reserve(most_chunks); }

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
    driver::stream_handle stream = nullptr;  // of the last copy
  };

  template <class Context> chunk take(Context& c, driver::stream_handle stream, std::size_t bytes);
  template <class Context> chunk make(Context& c, std::size_t bytes);
  template <class Context> static void free(Context& c, const chunk& one) noexcept;
  void put(const chunk& one) {
    const std::lock_guard lock(mutex_);
    chunks_.push_back(one);
    --taken_;
  }
  void forget_taken() {
    const std::lock_guard lock(mutex_);
    --taken_;
  }

  mutable std::mutex mutex_;
  std::vector<chunk> chunks_;  // the one used longest ago first
  std::size_t taken_ = 0;      // chunks that a thread fills or waits for
};

template <class Context>
void staging::copy(Context& c, driver::stream_handle stream, driver::device_address to, const void* from, std::size_t bytes) {
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

template <class Context> void staging::clear(Context& c) noexcept {
  for (const chunk& one : chunks_) free(c, one);
  chunks_.clear();
}

/// A chunk that no copy uses, out of the list; an empty one when other streams use all of them.
template <class Context> staging::chunk staging::take(Context& c, driver::stream_handle stream, std::size_t bytes) {
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

template <class Context> staging::chunk staging::make(Context& c, std::size_t bytes) {
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

template <class Context> void staging::free(Context& c, const chunk& one) noexcept {
  if (one.copied) c.release(c.api().cuEventDestroy, one.copied);
  if (one.memory) c.release(c.api().cuMemFreeHost, one.memory);
}

}  // namespace tg::runtime
