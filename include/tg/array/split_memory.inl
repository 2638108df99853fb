// One allocation for each stream that reduces long rows.
#pragma once

#include <tg/array/split_memory.hpp>

#include <algorithm>
#include <bit>
#include <memory>
#include <mutex>
#include <vector>

#include <tg/array/facts.hpp>
#include <tg/base/config.hpp>
#include <tg/runtime/context_observer.hpp>

namespace tg::detail {

/// The memory of the streams of one context, which takes it along when it goes. The memory of a stream that has ended is for
/// another, whatever its handle, which waits for the work of the first.
class split_memories final : public runtime::context_observer {
 public:
  static constexpr std::size_t part_bytes = std::size_t{most_parts} * most_reductions * most_states * sizeof(std::uint64_t);
  static constexpr std::size_t bytes = part_bytes + most_split_rows * sizeof(unsigned);

  explicit split_memories(runtime::context& device) : device_(device) { device_.add_observer(*this); }

  driver::device_address of(driver::stream_handle stream, std::size_t words) {
    driver::event_handle done = nullptr;
    driver::device_address address = 0;
    {
      const std::lock_guard lock(mutex_);
      const auto own = std::ranges::find_if(all_, [&](const memory& m) { return !m.has_ended && m.stream == stream; });
      if (own != all_.end() && own->words >= words) return own->address;
      if (own != all_.end()) end(*own);
      const auto left = std::ranges::find_if(all_, [&](const memory& m) { return m.has_ended && m.words >= words; });
      if (left != all_.end()) {
        done = left->done;
        address = left->address;
        *left = {stream, address, left->words};
      }
    }
    if (done != nullptr) {
      device_.call(device_.api().cuStreamWaitEvent, stream, done, 0u);
      device_.release(device_.api().cuEventDestroy, done);
    }
    if (address != 0) return address;
    const std::size_t most_words = std::bit_ceil(words);
    const std::size_t all_bytes = bytes + most_words * sizeof(std::uint64_t);
    address = device_.allocate(all_bytes);
    device_.call(device_.api().cuMemsetD8, address, static_cast<unsigned char>(0), all_bytes);
    device_.synchronize(nullptr);  // other streams do not wait for the zeros
    const std::lock_guard lock(mutex_);
    all_.push_back({stream, address, most_words});
    return address;
  }

 private:
  struct memory {
    driver::stream_handle stream = nullptr;
    driver::device_address address = 0;
    std::size_t words = 0;  // of scans
    bool has_ended = false;
    driver::event_handle done = nullptr;  // behind the work of a stream that has ended; null: that was waited for
  };

  void set_user(driver::device_id, bool) override {}
  std::size_t give_back_free() noexcept override { return 0; }
  void context_ends() noexcept override {
    for (const memory& m : all_) {
      if (m.done != nullptr) device_.release(device_.api().cuEventDestroy, m.done);
      device_.release(device_.api().cuMemFree, m.address);
    }
  }
  void stream_ends(driver::stream_handle stream) noexcept override {
    const std::lock_guard lock(mutex_);
    for (memory& m : all_)
      if (!m.has_ended && m.stream == stream) end(m);
  }

  /// Gives memory up to other streams, or to this one again where it needs no more.
  void end(memory& m) noexcept {
    m.done = mark(m.stream);
    m.has_ended = true;
    m.stream = nullptr;
  }

  /// An event behind the work of a stream; null where the driver gave none, and the stream was waited for.
  driver::event_handle mark(driver::stream_handle stream) noexcept {
    using driver::result;
    driver::event_handle done = nullptr;
    try {
      if (device_.attempt(device_.api().cuEventCreate, &done, driver::event_flag::disable_timing) == result::success) {
        if (device_.attempt(device_.api().cuEventRecord, done, stream) == result::success) return done;
        device_.release(device_.api().cuEventDestroy, done);
      }
      device_.attempt(device_.api().cuStreamSynchronize, stream);
    } catch (const error&) {}  // a device that is lost
    return nullptr;
  }

  runtime::context& device_;
  std::mutex mutex_;
  std::vector<memory> all_;
};

TG_LIBRARY_FUNCTION split_memory split_memory_of(runtime::context& device, driver::stream_handle stream, std::size_t words) {
  struct known {
    std::weak_ptr<runtime::context> device;
    std::unique_ptr<split_memories> memories;
  };
  static std::mutex mutex;
  static std::vector<known>& all = *new std::vector<known>;  // streams with static storage still end when it would be gone
  split_memories* own = nullptr;
  {
    const std::lock_guard lock(mutex);
    std::erase_if(all, [](const known& k) { return k.device.expired(); });
    for (const known& k : all)
      if (k.device.lock().get() == &device) own = k.memories.get();
    if (own == nullptr) {
      all.push_back({device.weak_from_this(), std::make_unique<split_memories>(device)});
      own = all.back().memories.get();
    }
  }
  const driver::device_address address = own->of(stream, words);
  return {address, address + split_memories::part_bytes, address + split_memories::bytes};
}

}  // namespace tg::detail
