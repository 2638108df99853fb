// Host memory that the device reads and writes directly: its own, or memory of the program that is registered.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <utility>

#include <tg/runtime/buffer.hpp>
#include <tg/runtime/device.hpp>

namespace tg {

/// How pinned memory is made.
struct pinned_options {
  bool is_portable = false;        // pinned for every device
  bool is_write_combined = false;  // faster for the device to read, slow for the host to
};

/// Elements of page-locked host memory; copies from and to them run beside the host. A moved-from object is empty.
/// Errors: TG504, TG529.
template <class T> class pinned {
  static_assert(std::is_trivially_copyable_v<T> && !std::is_const_v<T>, "pinned memory holds plain values");

 public:
  pinned() = default;
  /// Fresh memory. Its contents are not defined.
  pinned(const device& gpu, std::size_t size, pinned_options how = {});
  pinned(pinned&& other) noexcept { swap(other); }
  pinned& operator=(pinned&& other) noexcept {
    pinned(std::move(other)).swap(*this);
    return *this;
  }
  ~pinned() {
    if (memory_) context_->release(context_->api().cuMemFreeHost, memory_);
  }

  T* data() { return memory_; }
  const T* data() const { return memory_; }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T* begin() { return memory_; }
  T* end() { return memory_ + size_; }
  const T* begin() const { return memory_; }
  const T* end() const { return memory_ + size_; }
  T& operator[](std::size_t i) { return memory_[i]; }
  const T& operator[](std::size_t i) const { return memory_[i]; }
  const std::shared_ptr<runtime::context>& context() const { return context_; }

  /// These elements as an argument of a kernel, which reads and writes them over the bus. Errors: TG541.
  tg::part<T> mapped();

  void swap(pinned& other) noexcept {
    std::swap(context_, other.context_);
    std::swap(memory_, other.memory_);
    std::swap(size_, other.size_);
  }

 private:
  std::shared_ptr<runtime::context> context_;
  T* memory_ = nullptr;
  std::size_t size_ = 0;
};

/// Elements of the program's own memory, pinned as long as the object lives.
/// Errors: TG540 for memory that is empty or pinned already.
template <class T> class registered {
 public:
  /// Requires: the elements outlive the object.
  registered(const device& gpu, std::span<T> elements);
  registered(registered&& other) noexcept
      : context_(std::move(other.context_)), elements_(std::exchange(other.elements_, {})) {}
  registered& operator=(registered&&) = delete;
  ~registered() {
    if (context_) context_->release(context_->api().cuMemHostUnregister, static_cast<void*>(elements_.data()));
  }

  T* data() const { return elements_.data(); }
  std::size_t size() const { return elements_.size(); }
  T* begin() const { return elements_.data(); }
  T* end() const { return elements_.data() + elements_.size(); }

  /// These elements as an argument of a kernel, which reads and writes them over the bus. Errors: TG541.
  tg::part<T> mapped() const;

 private:
  std::shared_ptr<runtime::context> context_;
  std::span<T> elements_;
};

namespace runtime {

/// Whether M is `pinned<T>`.
template <class M> inline constexpr bool is_pinned = false;
template <class T> inline constexpr bool is_pinned<pinned<T>> = true;
template <class T> inline constexpr bool is_pinned<registered<T>> = true;

/// The device's address of pinned host memory. Errors: TG541.
inline driver::device_address mapped_address(context& c, void* memory) {
  driver::device_address out = 0;
  const driver::result r = c.attempt(c.api().cuMemHostGetDevicePointer, &out, memory, 0u);
  if (r != driver::result::success)
    throw error(not_supported, "'" + c.name() + "' cannot map this host memory", "copy it to a buffer instead");
  return out;
}

}  // namespace runtime

template <class T> pinned<T>::pinned(const device& gpu, std::size_t size, pinned_options how) : context_(gpu.context()) {
  runtime::require_size(size, sizeof(T));
  if (size == 0) return;
  void* memory = nullptr;
  context_->call(context_->api().cuMemHostAlloc, &memory, size * sizeof(T),
                 unsigned{driver::devicemap} | (how.is_portable ? unsigned{driver::portable} : 0u) |
                     (how.is_write_combined ? unsigned{driver::writecombined} : 0u));
  memory_ = static_cast<T*>(memory);
  size_ = size;
}

template <class T> tg::part<T> pinned<T>::mapped() {
  if (empty()) return {context_.get(), 0, 0};
  return {context_.get(), runtime::mapped_address(*context_, memory_), size_};
}

template <class T> registered<T>::registered(const device& gpu, std::span<T> elements) : elements_(elements) {
  static_assert(!std::is_const_v<T>, "memory that the device may write is not const");
  runtime::context& c = *gpu.context();
  const driver::result r =
      elements.empty() ? driver::result::invalid_value
                       : c.attempt(c.api().cuMemHostRegister, static_cast<void*>(elements.data()), elements.size_bytes(), 2u);
  if (r == driver::result::invalid_value || r == driver::result::host_memory_already_registered)
    throw error(runtime::host_memory_refused,
                std::to_string(elements.size()) + " elements of host memory " +
                    (elements.empty() ? "are nothing to register" : "are registered already or cannot be"),
                "register each range once");
  if (r != driver::result::success) c.fail(r, "cuMemHostRegister(bytes = " + std::to_string(elements.size_bytes()) + ")");
  context_ = gpu.context();
}

template <class T> tg::part<T> registered<T>::mapped() const {
  return {context_.get(), runtime::mapped_address(*context_, elements_.data()), elements_.size()};
}

}  // namespace tg
