// The kernels that a device has loaded, found by kernel type in a few nanoseconds and by PTX text otherwise.
#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>

#include <tg/driver/api.hpp>

namespace tg::runtime {

/// A kernel loaded on a device, and what making it cost.
struct compiled_kernel {
  std::string name;
  std::string ptx;
  driver::module_handle module = nullptr;
  driver::function_handle function = nullptr;
  int registers = 0;            // per thread
  int static_shared_bytes = 0;  // per block
  int local_bytes = 0;          // per thread
  int max_threads = 0;          // of a block
  double make_us = 0;           // tracing, lowering and printing
  double load_us = 0;           // the driver's work on the PTX
  std::string log;              // of the driver's compiler
};

/// A small number of its own for each kernel type.
template <class Kernel>
std::size_t kernel_number();

/// Loaded kernels. Finding one by number takes no lock.
class module_cache {
 public:
  module_cache() = default;
  module_cache(const module_cache&) = delete;
  module_cache& operator=(const module_cache&) = delete;
  ~module_cache() { for (auto& chunk : chunks_) delete[] chunk.load(); }

  /// Null when no kernel of this number is loaded.
  const compiled_kernel* find(std::size_t number) const {
    const auto [chunk, index] = place_of(number);
    const slot* slots = chunks_[chunk].load(std::memory_order_acquire);
    return slots ? slots[index].load(std::memory_order_acquire) : nullptr;
  }

  /// The kernel of this number, made on first use; threads that ask meanwhile wait.
  template <class Make>
  const compiled_kernel& find_or_make(std::size_t number, Make make) {
    const std::lock_guard lock(mutex_);
    if (const compiled_kernel* found = find(number)) return *found;
    const auto [chunk, index] = place_of(number);
    slot* slots = chunks_[chunk].load(std::memory_order_relaxed);
    if (slots == nullptr) chunks_[chunk].store(slots = new slot[first_chunk << chunk]{}, std::memory_order_release);
    const compiled_kernel& made = keep(make());
    slots[index].store(&made, std::memory_order_release);
    return made;
  }

  /// The kernel of this name and PTX text, made on first use.
  template <class Make>
  const compiled_kernel& find_or_make(std::string_view name, const std::string& ptx, Make make) {
    const std::lock_guard lock(mutex_);
    const auto found = by_text_.find(key_of(name, ptx));
    return found != by_text_.end() ? *found->second : keep(make());
  }

  /// Forgets every kernel and hands its module to `unload`.
  template <class Unload>
  void clear(Unload unload) {
    const std::lock_guard lock(mutex_);
    for (auto& [key, kernel] : by_text_) unload(kernel->module);
    for (std::size_t chunk = 0; chunk < chunks_.size(); ++chunk) delete[] chunks_[chunk].exchange(nullptr);
    by_text_.clear();
  }

 private:
  using slot = std::atomic<const compiled_kernel*>;
  static constexpr std::size_t first_chunk = 64;

  struct place {
    std::size_t chunk, index;
  };

  /// Chunks double in size and never move, so that readers need no lock.
  static place place_of(std::size_t number) {
    const std::size_t chunk = std::bit_width(number / first_chunk + 1) - 1;
    return {chunk, number - first_chunk * ((std::size_t{1} << chunk) - 1)};
  }

  static std::string key_of(std::string_view name, const std::string& ptx) { return std::string(name) + '\n' + ptx; }

  const compiled_kernel& keep(compiled_kernel made) {
    auto owned = std::make_unique<const compiled_kernel>(std::move(made));
    return *by_text_.insert_or_assign(key_of(owned->name, owned->ptx), std::move(owned)).first->second;
  }

  mutable std::mutex mutex_;
  std::array<std::atomic<slot*>, 32> chunks_{};
  std::unordered_map<std::string, std::unique_ptr<const compiled_kernel>> by_text_;
};

template <class Kernel>
std::size_t kernel_number() {
  static const std::size_t number = [] {
    static std::atomic<std::size_t>& next = *new std::atomic<std::size_t>;
    return next++;
  }();
  return number;
}

}  // namespace tg::runtime
