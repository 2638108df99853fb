// The launches that may still be running, kept so that an error which shows up late is laid at the right door.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <optional>
#include <string>

#include <tg/base/source_location.hpp>
#include <tg/driver/types.hpp>

namespace tg::runtime {

/// The last launches on a context. Noting one is a handful of relaxed stores; reading beside a writer may see a launch
/// half noted, which is why the answer is "most likely".
class recent_launches {
 public:
  /// Whom an error is laid to.
  struct suspicion {
    std::string text;
    source_location where;  // of the launch; no file when nobody is suspected
  };

  /// Requires: the texts outlive the object, or `forget_name` is called.
  void note(const char* kernel, source_location where, driver::stream_handle stream = nullptr) {
    slot& s = slots_[next_.fetch_add(1, std::memory_order_relaxed) % slots_.size()];
    s.kernel.store(kernel, std::memory_order_relaxed);
    s.file.store(where.file, std::memory_order_relaxed);
    s.line.store(where.line, std::memory_order_relaxed);
    s.stream.store(stream, std::memory_order_relaxed);
  }

  /// Every launch so far has ended well.
  void forget() { done_.store(next_.load(std::memory_order_relaxed), std::memory_order_relaxed); }
  /// Every launch so far on the stream has.
  void forget(driver::stream_handle stream);

  /// The text of a kernel's name is about to go.
  void forget_name(const char* kernel);

  /// Who is to blame when an error shows up: on a stream its last launch, else the last of all.
  suspicion suspect(std::optional<driver::stream_handle> stream = {}) const;

  /// Launches since all were known to have ended well.
  std::size_t count() const { return next_.load(std::memory_order_relaxed) - done_.load(std::memory_order_relaxed); }

 private:
  struct slot {
    std::atomic<const char*> kernel = nullptr;
    std::atomic<const char*> file = "";
    std::atomic<int> line = 0;
    std::atomic<driver::stream_handle> stream = nullptr;
  };

  std::array<slot, 32> slots_;
  std::atomic<std::size_t> next_ = 0;
  std::atomic<std::size_t> done_ = 0;
};

}  // namespace tg::runtime
