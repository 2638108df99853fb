// The device that kernels run on.
#pragma once

#include <concepts>
#include <iterator>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <tg/base/dynamic_array.hpp>
#include <tg/runtime/argument.hpp>
#include <tg/runtime/buffer.hpp>
#include <tg/runtime/compile.hpp>
#include <tg/runtime/grid.hpp>
#include <tg/runtime/launch.hpp>
#include <tg/runtime/source.hpp>
#include <tg/runtime/view_maps.hpp>

namespace tg {

/// Bytes of a device's memory.
struct memory_info {
  std::size_t free_bytes = 0;
  std::size_t total_bytes = 0;
};

/// A GPU or the emulator. Copies share the same device; buffers keep it alive. To move one copies it: what it was moved from
/// stays usable.
class device {
 public:
  /// The first NVIDIA GPU, else the emulator; `wish` or, without one, the variable TG_DEVICE says otherwise: `emulator`,
  /// `gpu`, `gpu:1`.
  /// Errors: TG501, TG503, TG520.
  explicit device(std::string_view wish = {}) : device(runtime::choose_machine(wish)) {}
  /// A device behind another table of the driver's functions, which outlives it.
  explicit device(runtime::machine machine) : context_(runtime::context::open(machine)) {}
  /// A device that is open already.
  explicit device(std::shared_ptr<runtime::context> context) : context_(std::move(context)) {}
  device(const device&) = default;
  device& operator=(const device&) = default;

  const std::string& name() const { return context_->name(); }
  bool is_emulated() const { return context_->is_emulated(); }
  const runtime::device_limits& limits() const { return context_->limits(); }
  tg::memory_info memory_info() const;
  /// `GPU-` and 32 digits, which name the part and not its place in a list.
  std::string uuid() const;
  /// Where it sits: `0000:3b:00.0`.
  std::string bus_id() const;
  /// A fact about it. Errors: TG500 for one that the driver does not know.
  int attribute(driver::device_attribute what) const;
  /// Sizes that all kernels share: a thread's stack, the heap of malloc, the space for printf.
  /// Errors: TG500 for one that the device has not.
  std::size_t limit(driver::limit which) const;
  void set_limit(driver::limit which, std::size_t value);
  driver::context_handle native() const { return context_->native(); }
  const std::shared_ptr<runtime::context>& context() const { return context_; }

  /// Memory for `size` elements; contents not defined. Errors: TG504, TG529.
  template <class T> buffer<T> allocate(std::size_t size) { return {context_, size}; }
  /// Memory for `size` elements that are zero.
  template <class T> buffer<T> zeros(std::size_t size);
  /// Memory of another library on this device, as an argument of launches and copies: `gpu.view(pointer, n)`. Requires: the
  /// device reads and writes there; it outlives what uses the view.
  template <class T> part<T> view(T* first, std::size_t size) {
    return {context_.get(), reinterpret_cast<driver::device_address>(first), size};
  }
  /// A copy of host elements: a vector, an array, a span, or any range that can be read once, such as a view of range-v3 or
  /// of std::views, whose elements are collected first. Returns: tg::buffer of the element's type.
  /// Errors: TG138.
  template <class Range> auto upload(Range&& elements);

  /// The kernel as this device runs it, made on first use. What a lambda captures is part of its PTX: one that captures
  /// numbers and other trivially copyable values is found by their bytes, as fast as one that captures nothing. One that
  /// captures references, pointers or anything with a copy constructor is traced at each call, because what they lead to
  /// may have changed.
  /// Errors: TG505 to TG507, TG522; those of tracing.
  template <class K> const runtime::compiled_kernel& compile(const K& kernel);
  /// Compiles a kernel with load options of its own, which hold for later launches of the kernel too.
  template <class K> const runtime::compiled_kernel& compile(const K& kernel, const load_options& options);
  /// How kernels are compiled from now on that get no options of their own.
  void set_load_options(const load_options& options) { context_->modules().set_options(options); }
  /// Where machine code is kept; null for nowhere. Without this call a GPU uses `disk_cache::of_process()`.
  void set_disk_cache(std::shared_ptr<disk_cache> cache) { context_->modules().set_disk_cache(std::move(cache)); }
  /// Waits until kernels compiled in tiers are as good as they get.
  void finish_compiling() { context_->modules().background().wait(); }

  /// Runs a kernel; returns when it is under way. The arguments are the kernel's parameters, in order: a buffer, part or
  /// matrix for a view, a number for a scalar.
  /// Errors: TG521 to TG527, TG531, TG566 to TG571 before anything runs; those of `compile`; those of the driver.
  /// Example: gpu.launch(saxpy, tg::cover(n), x, y, 2.0f, n);
  template <class K, class... A> void launch(const K& kernel, const placement& where, A&&... arguments) {
    launch_on(nullptr, kernel, where, std::forward<A>(arguments)...);
  }
  /// Does not compile: a number is no grid. Errors: TG131.
  template <class K, std::integral Blocks, class... A> void launch(const K&, const Blocks&, A&&...) {
    (void)sizeof(diagnosis::launch_grid<sizeof(Blocks) == 0, Blocks>);
  }
  /// Launches a kernel on a stream, which may be another library's.
  template <class K, class... A>
  void launch_on(driver::stream_handle stream, const K& kernel, const placement& where, A&&... arguments);

  /// Waits until all work is done. Errors: those of the kernels that ran.
  void synchronize() { context_->synchronize(); }

  /// Ends everything that the process has on the device, other libraries' memory and modules too, and begins anew: the way on
  /// after an error of a kernel that every later call returns again (TG508). Buffers, streams, graphs and copies of this object
  /// that were made before throw TG546 from now on; host memory that was pinned or managed before must not be touched again.
  /// Whether a GPU works again after a fault is for its driver to say: CUDA promises it only to a new process. Errors: those of
  /// the driver.
  void reset();

 private:
  std::shared_ptr<runtime::context> context_;
};

template <class T> buffer<T> device::zeros(std::size_t size) {
  buffer<T> out(context_, size);
  out.zero();
  return out;
}

template <class Range> auto device::upload(Range&& elements) {
  if constexpr (requires { std::span(std::as_const(elements)); }) {
    const std::span view(std::as_const(elements));
    using element = std::remove_const_t<typename decltype(view)::element_type>;
    buffer<element> out(context_, view.size());
    out.copy_from(std::span<const element>(view));
    return out;
  } else {
    using element = typename std::iterator_traits<decltype(elements.begin())>::value_type;
    constexpr bool is_plain = std::is_trivially_copyable_v<element> && !std::is_same_v<element, bool>;
    static_assert(is_plain,
                  "TG138: the elements of this range are no plain values with an address; std::vector<bool> packs bits: "
                  "upload a range of unsigned char, or of numbers and trivially copyable structs");
    if constexpr (is_plain) {
      dynamic_array<element> collected;
      for (auto&& each : elements) collected.push_back(each);
      return upload(collected);
    }
  }
}

template <class K> const runtime::compiled_kernel& device::compile(const K& kernel) {
  if constexpr (runtime::has_number<K>) {
    if (const std::size_t number = runtime::number_of(kernel); number != runtime::no_number) [[likely]]
      if (const auto* known = context_->modules().find(number)) [[likely]]
        return *known;
  }
  return runtime::compile(*context_, runtime::request_of(kernel));
}

template <class K> const runtime::compiled_kernel& device::compile(const K& kernel, const load_options& options) {
  return runtime::compile(*context_, runtime::request_of(kernel), &options);
}

template <class K, class... A>
void device::launch_on(driver::stream_handle stream, const K& kernel, const placement& where, A&&... arguments) {
  using packed_arguments = runtime::packed_arguments<typename K::parameters>;
  if constexpr (packed_arguments::template takes<std::remove_reference_t<A>...>()) {
    runtime::context& c = *context_;
    constexpr runtime::block_threads block{K::block.x, K::block.y, K::block.z};
    const runtime::launch_site site{c, K::name, where.where, &where, block};
    const packed_arguments packed(site, arguments...);
    const runtime::compiled_kernel& compiled = compile(kernel);
    runtime::with_maps(site, compiled, packed, [&](const void* parameters, std::size_t bytes) {
      runtime::launch(c, compiled, where, block, parameters, bytes, stream);
    });
  } else {
    packed_arguments::template refuse<std::remove_reference_t<A>...>();
  }
}

}  // namespace tg
