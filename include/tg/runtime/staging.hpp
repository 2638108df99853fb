// Pinned memory through which plain host memory is copied to a device without waiting for the copy.
#pragma once

#include <cstddef>
#include <mutex>

#include <tg/base/dynamic_array.hpp>
#include <tg/driver/result.hpp>
#include <tg/driver/types.hpp>

namespace tg::runtime {

class context;

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
  void copy(context& c, driver::stream_handle stream, driver::device_address to, const void* from, std::size_t bytes);

  /// Pinned bytes that are kept.
  std::size_t size_bytes() const;

  /// Frees every chunk. Requires: no copy is under way.
  void clear(context& c) noexcept;

 private:
  struct chunk {
    void* memory = nullptr;
    std::size_t size_bytes = 0;
    driver::event_handle copied = nullptr;
    driver::stream_handle stream = nullptr;  // of the last copy
  };

  chunk take(context& c, driver::stream_handle stream, std::size_t bytes);
  chunk make(context& c, std::size_t bytes);
  static void free(context& c, const chunk& one) noexcept;
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
  dynamic_array<chunk> chunks_;  // the one used longest ago first
  std::size_t taken_ = 0;        // chunks that a thread fills or waits for
};

}  // namespace tg::runtime
