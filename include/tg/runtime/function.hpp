// Kernels of a module, whose parameters nobody has declared in C++.
#pragma once

#include <array>
#include <cstddef>
#include <cstring>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include <tg/runtime/launch.hpp>
#include <tg/runtime/module.hpp>

namespace tg {

/// A kernel as it was compiled. Keeps its module alive.
class function {
 public:
  /// How many threads a block has along x, y and z.
  using block = runtime::block_threads;

  driver::function_handle native() const { return kernel_->function; }
  const std::string& name() const { return kernel_->name; }
  int registers() const { return kernel_->registers; }                      // of a thread
  int static_shared_bytes() const { return kernel_->static_shared_bytes; }  // of a block
  int local_bytes() const { return kernel_->local_bytes; }                  // of a thread
  int max_threads() const { return kernel_->max_threads; }                  // of a block
  /// Any other fact of the driver's about it.
  int attribute(driver::function_attribute what) const;

  /// Lets blocks have this much shared memory beside what the kernel declares; without, 48 KB in all.
  /// Errors: TG543 for more than a block can have.
  void allow_shared_bytes(std::size_t dynamic_bytes);
  /// How much of the first-level cache should be shared memory. Errors: TG543 outside 0 to 100.
  void prefer_shared_memory(int percent);

  /// How many blocks of so many threads a multiprocessor runs at once.
  int resident_blocks(int threads, std::size_t dynamic_shared_bytes = 0) const;
  /// The number of threads in a block with which most threads run at once.
  int best_block_threads(std::size_t dynamic_shared_bytes = 0) const;

  /// Runs it. Arguments are passed as they are: a number, or a plain struct of its own alignment, or device memory by
  /// its address; nobody checks them against the PTX. Errors: TG521, TG522, TG567 to TG571; TG524 for memory of another
  /// device; those of the driver. Example: f.launch(tg::grid(4), {256, 1, 1}, x, y, 2.0f, 1000u);
  template <class... A> void launch(const placement& where, const block& threads, const A&... arguments) const {
    launch_on(nullptr, where, threads, arguments...);
  }
  /// Launches on a stream.
  template <class... A>
  void launch_on(driver::stream_handle stream, const placement& where, const block& threads, const A&... arguments) const;

 private:
  friend class module;
  function(std::shared_ptr<runtime::owned_module> owner, const std::string& name)
      : owner_(std::move(owner)), kernel_(find_kernel(*owner_, name)) {}
  static std::shared_ptr<runtime::compiled_kernel> find_kernel(const runtime::owned_module& owner, const std::string& name);

  runtime::context& c() const { return *owner_->context(); }

  std::shared_ptr<runtime::owned_module> owner_;
  std::shared_ptr<runtime::compiled_kernel> kernel_;  // launches that are noted point to its name
};

namespace runtime {

/// Arguments that a kernel gets as an address: buffers and parts of them.
template <class A>
concept passed_by_address = requires(const A& a) { a.whole().native(); };

/// What a parameter of a kernel takes of an argument.
template <class A> auto plain_argument(const context& here, const A& argument) {
  if constexpr (passed_by_address<A>) {
    if (argument.whole().context() != &here) [[unlikely]]
      throw error(foreign_buffer, "a launch on '" + here.label() + "' has memory of another device", "use its own buffers");
    return argument.whole().native();
  } else {
    static_assert(std::is_trivially_copyable_v<A> && !std::is_pointer_v<A>, "an argument is device memory or a plain value");
    return argument;
  }
}

/// Parameters one behind the other, each where its type wants to be.
template <class... T> class parameter_buffer {
 public:
  explicit parameter_buffer(const T&... values) { (add(values), ...); }
  const void* data() const { return bytes_; }
  std::size_t size() const { return size_; }

 private:
  template <class V> void add(const V& value) {
    size_ = (size_ + alignof(V) - 1) / alignof(V) * alignof(V);
    std::memcpy(bytes_ + size_, &value, sizeof value);
    size_ += sizeof value;
  }

  alignas(16) std::byte bytes_[(std::size_t{1} + ... + (sizeof(T) + alignof(T)))] = {};
  std::size_t size_ = 0;
};

}  // namespace runtime

inline tg::function module::function(const std::string& name) const { return {owned_, name}; }

template <class... A>
void function::launch_on(driver::stream_handle stream, const placement& where, const block& threads,
                         const A&... arguments) const {
  runtime::require_block(c(), *kernel_, threads, where.where);
  const runtime::parameter_buffer packed(runtime::plain_argument(c(), arguments)...);
  const runtime::launch_plan plan = runtime::plan_launch(c(), *kernel_, where, threads, packed.data());
  if (kernel_->maps.is_empty()) return runtime::launch(c(), plan, packed.data(), packed.size(), stream);
  const auto all = runtime::make_view_maps({c(), kernel_->name, where.where}, kernel_->maps,
                                           static_cast<const std::byte*>(packed.data()), packed.size(), nullptr, 0);
  runtime::launch(c(), plan, all.data(), all.size(), stream);
}

}  // namespace tg
