// The kernels that a device has loaded, found by kernel type in a few nanoseconds and by PTX text otherwise.
#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

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

inline std::atomic<std::size_t> kernel_count{0};

/// A small number of its own for each kernel type.
template <class Kernel>
std::size_t kernel_number() {
  static const std::size_t number = kernel_count++;
  return number;
}

/// Loaded kernels. Finding one by number takes no lock.
class module_cache {
 public:
  module_cache() = default;
  module_cache(const module_cache&) = delete;
  module_cache& operator=(const module_cache&) = delete;
  ~module_cache() {
    for (auto& chunk : chunks_) delete[] chunk.load();
  }

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
    const compiled_kernel*& known = by_text_[std::string(name) + '\n' + ptx];
    if (known == nullptr) known = &keep(make());
    return *known;
  }

  /// Forgets every kernel and hands its module to `unload`.
  template <class Unload>
  void clear(Unload unload) {
    const std::lock_guard lock(mutex_);
    for (auto& chunk : chunks_) delete[] chunk.exchange(nullptr);
    by_text_.clear();
    for (const auto& kernel : kernels_) unload(kernel->module);
    kernels_.clear();
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

  const compiled_kernel& keep(compiled_kernel made) {
    return *kernels_.emplace_back(std::make_unique<const compiled_kernel>(std::move(made)));
  }

  std::mutex mutex_;
  std::array<std::atomic<slot*>, 32> chunks_{};
  std::vector<std::unique_ptr<const compiled_kernel>> kernels_;
  std::unordered_map<std::string, const compiled_kernel*> by_text_;
};

}  // namespace tg::runtime
