// The device that kernels run on.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include <tg/runtime/argument.hpp>
#include <tg/runtime/buffer.hpp>
#include <tg/runtime/compile.hpp>
#include <tg/runtime/grid.hpp>
#include <tg/runtime/launch.hpp>
#include <tg/runtime/source.hpp>

namespace tg {

/// Bytes of a device's memory.
struct memory_info {
  std::size_t free_bytes = 0;
  std::size_t total_bytes = 0;
};

/// A GPU or the emulator. Copies share the same device; buffers keep it alive.
class device {
 public:
  /// The first NVIDIA GPU, else the emulator; `wish` or, without one, the variable TG_DEVICE says otherwise: `emulator`,
  /// `gpu`, `gpu:1`.
  /// Errors: TG501, TG503, TG520.
  explicit device(std::string_view wish = {}) : device(runtime::choose_machine(wish)) {}
  /// A device behind another table of the driver's functions, which outlives it.
  explicit device(runtime::machine machine) : context_(runtime::context::open(machine)) {}

  const std::string& name() const { return context_->name(); }
  bool is_emulated() const { return context_->is_emulated(); }
  const runtime::device_limits& limits() const { return context_->limits(); }
  tg::memory_info memory_info() const;
  driver::context_handle native() const { return context_->native(); }
  const std::shared_ptr<runtime::context>& context() const { return context_; }

  /// Memory for `size` elements; contents not defined. Errors: TG504, TG529.
  template <class T>
  buffer<T> allocate(std::size_t size) { return {context_, size}; }
  /// Memory for `size` elements that are zero.
  template <class T>
  buffer<T> zeros(std::size_t size);
  /// A copy of host elements: a vector, an array, a span.
  template <class Range>
  auto upload(const Range& elements);

  /// The kernel as this device runs it, made on first use. A kernel whose lambda captures is traced each time, because
  /// what it captures is part of its PTX.
  /// Errors: TG505 to TG507, TG522; those of tracing.
  template <class K>
  const runtime::compiled_kernel& compile(const K& kernel);

  /// Runs a kernel; returns when it is under way. The arguments are the kernel's parameters, in order: a buffer, part or
  /// matrix for a view, a number for a scalar.
  /// Errors: TG521 to TG527, TG531 before anything runs; those of `compile`; those of the driver.
  /// Example: gpu.launch(saxpy, tg::cover(n), x, y, 2.0f, n);
  template <class K, class... A>
  void launch(const K& kernel, const placement& where, A&&... arguments);

  /// Waits until all work is done. Errors: those of the kernels that ran.
  void synchronize() { context_->synchronize(); }

 private:
  template <class K>
  runtime::compiled_kernel load(const K& kernel, const runtime::kernel_source& source);

  std::shared_ptr<runtime::context> context_;
};

inline memory_info device::memory_info() const {
  tg::memory_info out;
  context_->call(context_->api().cuMemGetInfo, &out.free_bytes, &out.total_bytes);
  return out;
}

template <class T>
buffer<T> device::zeros(std::size_t size) {
  buffer<T> out(context_, size);
  out.zero();
  return out;
}

template <class Range>
auto device::upload(const Range& elements) {
  const std::span view(elements);
  using element = std::remove_const_t<typename decltype(view)::element_type>;
  buffer<element> out(context_, view.size());
  out.copy_from(std::span<const element>(view));
  return out;
}

template <class K>
const runtime::compiled_kernel& device::compile(const K& kernel) {
  if constexpr (runtime::is_constant_kernel<K>) {
    const std::size_t number = runtime::kernel_number<K>();
    if (const auto* known = context_->modules().find(number)) [[likely]] return *known;
    return context_->modules().find_or_make(number, [&] { return load(kernel, runtime::timed_source(kernel)); });
  } else {
    const auto source = runtime::timed_source(kernel);
    return context_->modules().find_or_make(K::name, source.ptx, [&] { return load(kernel, source); });
  }
}

template <class K>
runtime::compiled_kernel device::load(const K& kernel, const runtime::kernel_source& source) {
  const source_location where = runtime::line_of(kernel);
  runtime::compiled_kernel made = runtime::load(*context_, K::name, source, where);
  try {
    runtime::require_block(*context_, made, {K::block.x, K::block.y, K::block.z}, where);
  } catch (...) {
    context_->attempt(context_->api().cuModuleUnload, made.module);
    throw;
  }
  return made;
}

template <class K, class... A>
void device::launch(const K& kernel, const placement& where, A&&... arguments) {
  using packed_arguments = runtime::packed_arguments<typename K::parameters>;
  if constexpr (packed_arguments::template takes<std::remove_reference_t<A>...>()) {
    runtime::context& c = *context_;
    const packed_arguments packed({c, K::name, where.where}, arguments...);
    runtime::launch(c, compile(kernel), where, {K::block.x, K::block.y, K::block.z}, packed.buffer.data(),
                    packed_arguments::bytes);
  } else {
    packed_arguments::template refuse<std::remove_reference_t<A>...>();
  }
}

}  // namespace tg
