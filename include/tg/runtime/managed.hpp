// Memory that host and device both use by one address; the driver moves its pages.
#pragma once

#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>

#include <tg/runtime/device.hpp>

namespace tg {

/// Elements for host and device. The host may touch them when no kernel that uses them runs. A moved-from object is
/// empty. Errors: TG504, TG529; TG541 on a device without.
template <class T> class managed {
  static_assert(std::is_trivially_copyable_v<T> && !std::is_const_v<T>, "managed memory holds plain values");

 public:
  managed() = default;
  /// Fresh memory. Its contents are not defined.
  managed(const device& gpu, std::size_t size);
  managed(managed&& other) noexcept { swap(other); }
  managed& operator=(managed&& other) noexcept {
    managed(std::move(other)).swap(*this);
    return *this;
  }
  ~managed() {
    if (address_ != 0) context_->release(context_->api().cuMemFree, address_);
  }

  T* data() { return reinterpret_cast<T*>(address_); }
  const T* data() const { return reinterpret_cast<const T*>(address_); }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T* begin() { return data(); }
  T* end() { return data() + size_; }
  const T* begin() const { return data(); }
  const T* end() const { return data() + size_; }
  T& operator[](std::size_t i) { return data()[i]; }
  const T& operator[](std::size_t i) const { return data()[i]; }

  driver::device_address native() const { return address_; }
  const std::shared_ptr<runtime::context>& context() const { return context_; }
  tg::part<T> whole() { return {context_.get(), address_, size_}; }
  tg::part<const T> whole() const { return {context_.get(), address_, size_}; }

  /// Moves the pages to its device, in the order of the stream. On a device whose pages move as a whole, as under Windows and
  /// WSL, it does nothing. Errors: TG533 on a captured stream.
  void prefetch(driver::stream_handle stream = nullptr) const { prefetch_to(context_->device(), stream); }
  /// Moves the pages to the host, in the order of the stream. Otherwise as `prefetch`.
  void prefetch_to_host(driver::stream_handle stream = nullptr) const { prefetch_to(cpu, stream); }
  /// Says that it is read far more often than written: each device keeps a copy.
  void read_mostly() const;

  void swap(managed& other) noexcept {
    std::swap(context_, other.context_);
    std::swap(address_, other.address_);
    std::swap(size_, other.size_);
  }

 private:
  static constexpr driver::device_id cpu = -1;  // CU_DEVICE_CPU

  void prefetch_to(driver::device_id where, driver::stream_handle stream) const {
    if (empty() || !context_->limits().has_prefetch) return;
    if (context_->is_captured(stream)) [[unlikely]]
      throw error(runtime::capture_forbidden, "a prefetch on a captured stream", "prefetch before the capture or after");
    context_->call(context_->api().cuMemPrefetchAsync, address_, size_ * sizeof(T), where, stream);
  }

  std::shared_ptr<runtime::context> context_;
  driver::device_address address_ = 0;
  std::size_t size_ = 0;
};

template <class T> managed<T>::managed(const device& gpu, std::size_t size) : context_(gpu.context()) {
  constexpr unsigned attach_global = 1;  // CU_MEM_ATTACH_GLOBAL
  if (!context_->limits().has_managed_memory)
    throw error(runtime::not_supported, "'" + context_->name() + "' has no managed memory", "use a buffer and copy");
  runtime::require_size(size, sizeof(T));
  if (size > 0) context_->call(context_->api().cuMemAllocManaged, &address_, size * sizeof(T), attach_global);
  size_ = size;
}

template <class T> void managed<T>::read_mostly() const {
  constexpr int set_read_mostly = 1;  // CU_MEM_ADVISE_SET_READ_MOSTLY
  if (!empty()) context_->call(context_->api().cuMemAdvise, address_, size_ * sizeof(T), set_read_mostly, context_->device());
}

}  // namespace tg
