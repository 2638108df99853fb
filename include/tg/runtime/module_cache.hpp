// The kernels that a device has loaded, found by kernel type in a few nanoseconds and by PTX text otherwise.
#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include <tg/base/dynamic_array.hpp>
#include <tg/base/fixed_array.hpp>
#include <tg/driver/api.hpp>
#include <tg/ptx/ir/block_limits.hpp>
#include <tg/runtime/background.hpp>
#include <tg/runtime/disk_cache.hpp>
#include <tg/runtime/load_options.hpp>
#include <tg/runtime/shared_plan.hpp>
#include <tg/runtime/view_map_plan.hpp>

namespace tg::runtime {

/// Where a kernel's machine code came from.
enum class code_origin { compiler, first_tier, disk_cache, package };

/// A kernel loaded on a device, and what making it cost.
struct compiled_kernel {
  std::string name;
  std::string ptx;
  driver::module_handle module = nullptr;
  driver::function_handle function = nullptr;
  int registers = 0;                   // per thread
  int static_shared_bytes = 0;         // per block
  shared_plan shared;                  // what each launch asks for beside it
  view_map_plan maps;                  // what each launch makes of its views
  dynamic_array<std::size_t> offsets;  // of parameters in the packed buffer, where a launch must name each
  int local_bytes = 0;                 // per thread
  int max_threads = 0;                 // of a block
  double make_us = 0;                  // tracing, lowering and printing
  double load_us = 0;                  // from PTX to code on the device
  std::string log;                     // of the driver's compiler
  std::string warnings;                // its error log, when it made code nevertheless
  code_origin origin = code_origin::compiler;
  ptx::block_limits most_blocks = ptx::no_block_limits;  // that its 32-bit arithmetic reaches
  std::uint32_t more_threads = 0;                        // of a block along x, behind those that its body sees
  bool waits_for_prior_grids = false;                    // or its text is not known
  fixed_array<std::uint32_t, 3> cluster{};               // blocks that its text says; zeros: none, or the text is not known
};

/// How many types of kernels have a number.
inline std::atomic<std::size_t> kernel_count{0};

/// A small number of its own for each kernel type.
template <class Kernel> std::size_t kernel_number() {
  static const std::size_t number = kernel_count++;
  return number;
}

/// Loaded kernels and how more are made. Finding one by number takes no lock; different kernels are made at the same
/// time.
class module_cache {
 public:
  module_cache() : rest_(make_rest()) {}
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

  /// The kernel of this number or text, made on first use; threads that ask for the same one meanwhile wait.
  template <class Key, class Make> const compiled_kernel& find_or_make(const Key& key, Make make) {
    return find_or_make(place_for(key), [](void* m) { return (*static_cast<Make*>(m))(); }, &make);
  }

  /// Makes `kernel`, which `keep` returned, the one of this number or text from now on.
  template <class Key> void replace(const Key& key, const compiled_kernel& kernel) { replace(place_for(key), kernel); }

  /// Keeps a kernel until the cache is cleared, because launches may be using it.
  const compiled_kernel& keep(compiled_kernel made);

  /// Forgets every kernel. Nothing is made in the background any more. Returns: the modules, to be unloaded.
  dynamic_array<driver::module_handle> clear();

  /// How kernels are compiled that say nothing else.
  load_options options() const;
  void set_options(const load_options& o);

  /// The disk cache that was set, which may be null; none when none was.
  std::optional<std::shared_ptr<tg::disk_cache>> disk_cache() const;
  void set_disk_cache(std::shared_ptr<tg::disk_cache> cache);

  runtime::background& background() { return background_; }

 private:
  using slot = std::atomic<const compiled_kernel*>;
  static constexpr std::size_t first_chunk = 64;

  struct place { std::size_t chunk, index; };

  /// Chunks double in size and never move, so that readers need no lock.
  static place place_of(std::size_t number) {
    const std::size_t chunk = std::bit_width(number / first_chunk + 1) - 1;
    return {chunk, number - first_chunk * ((std::size_t{1} << chunk) - 1)};
  }

  /// Where the pointer to a kernel is, and who may make it.
  struct place_of_kernel;

  place_of_kernel& place_for(const std::string& text);
  place_of_kernel& place_for(std::size_t number);
  const compiled_kernel& find_or_make(place_of_kernel& home, compiled_kernel (*make)(void*), void* maker);
  void replace(place_of_kernel& home, const compiled_kernel& kernel);

  /// The kernels, who may make them, and how.
  struct rest;
  static std::shared_ptr<rest> make_rest();

  std::array<std::atomic<slot*>, 32> chunks_{};
  std::shared_ptr<rest> rest_;
  runtime::background background_;
};

}  // namespace tg::runtime
