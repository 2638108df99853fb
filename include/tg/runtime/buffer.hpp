// Memory on a device, owned.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <tg/base/source_location.hpp>
#include <tg/runtime/context.hpp>
#include <tg/runtime/fill.hpp>

namespace tg {

template <class T> class part;

namespace runtime {
/// Whether elements `T` of a buffer or an array can become those of a container; else TG138.
template <class Container, class T> constexpr bool holds_elements() {
  constexpr bool fits = std::is_constructible_v<typename Container::value_type, const T&>;
  static_assert(fits, "TG138: the elements of this buffer are no elements of the container: name one of their own type, as in "
                      "y.to<std::vector>(), or of one that they convert to");
  return fits;
}
}  // namespace runtime

/// Elements on a device, freed with the object. A moved-from buffer is empty.
/// Errors: those of the driver; TG528 for a copy past the end.
template <class T> class buffer {
  static_assert(std::is_trivially_copyable_v<T> && !std::is_const_v<T>, "a buffer holds plain values");

 public:
  buffer() = default;
  /// Fresh memory. Its contents are not defined.
  /// Errors: TG504 when there is no room, TG529 when `size` elements have no address space.
  buffer(std::shared_ptr<runtime::context> context, std::size_t size);
  buffer(buffer&& other) noexcept { swap(other); }
  buffer& operator=(buffer&& other) noexcept {
    buffer(std::move(other)).swap(*this);
    return *this;
  }
  ~buffer() {
    if (address_ != 0) context_->release(context_->api().cuMemFree, address_);
  }

  std::size_t size() const { return size_; }
  std::size_t size_bytes() const { return size_ * sizeof(T); }
  bool empty() const { return size_ == 0; }
  /// The device's address of the first element; 0 when empty.
  driver::device_address native() const { return address_; }
  const std::shared_ptr<runtime::context>& context() const { return context_; }

  /// Every element, after all work before.
  std::vector<T> to_host() const;
  /// Every element, after all work before, in a container: `y.to<std::vector>()`, `y.to<std::deque>()`.
  template <template <class...> class Container> Container<T> to() const { return to<Container<T>>(); }
  /// Every element in a container whose elements may have another type: `y.to<std::vector<double>>()`, `y.to<std::set<T>>()`.
  /// Errors: TG138.
  template <class Container> Container to() const;
  /// Writes `from` over the elements from `first` on.
  void copy_from(std::span<const T> from, std::size_t first = 0, source_location where = source_location::current());
  /// Writes elements of another buffer, of this device or of another of the same driver, over the elements from `first` on.
  /// Errors: TG524 for a buffer behind another driver.
  void copy_from(tg::part<const T> from, std::size_t first = 0, source_location where = source_location::current());
  /// Reads `to.size()` elements from `first` on.
  void copy_to(std::span<T> to, std::size_t first = 0, source_location where = source_location::current()) const;
  /// Makes every byte zero.
  void zero();
  /// Makes every element `value`.
  void fill(const T& value);

  /// Every element as an argument of a launch or a copy.
  tg::part<T> whole() { return *this; }
  tg::part<const T> whole() const { return *this; }
  /// The elements [first, first + count).
  tg::part<T> part(std::size_t first, std::size_t count, source_location where = source_location::current());
  tg::part<const T> part(std::size_t first, std::size_t count, source_location where = source_location::current()) const;
  operator tg::part<T>() { return {context_.get(), address_, size_}; }
  operator tg::part<const T>() const { return {context_.get(), address_, size_}; }

  void swap(buffer& other) noexcept {
    std::swap(context_, other.context_);
    std::swap(address_, other.address_);
    std::swap(size_, other.size_);
  }

 private:
  void require_range(const char* what, std::size_t first, std::size_t count, source_location where) const;
  driver::device_address at(std::size_t first) const { return address_ + first * sizeof(T); }

  std::shared_ptr<runtime::context> context_;
  driver::device_address address_ = 0;
  std::size_t size_ = 0;
};

/// Some consecutive elements of a buffer, not owned.
template <class T> class part {
 public:
  using element_type = T;

  /// Requires: the buffer outlives the part.
  part(runtime::context* context, driver::device_address address, std::size_t size)
      : context_(context), address_(address), size_(size) {}
  operator part<const T>() const requires(!std::is_const_v<T>)
  {
    return {context_, address_, size_};
  }

  std::size_t size() const { return size_; }
  std::size_t size_bytes() const { return size_ * sizeof(T); }
  bool empty() const { return size_ == 0; }
  driver::device_address native() const { return address_; }
  runtime::context* context() const { return context_; }
  tg::part<T> whole() const { return *this; }
  /// The elements [first, first + count). Errors: TG528.
  tg::part<T> sub(std::size_t first, std::size_t count, source_location where = source_location::current()) const;

 private:
  runtime::context* context_;
  driver::device_address address_;
  std::size_t size_;
};

namespace runtime {

/// Errors: TG528, always.
[[noreturn]] void fail_range(const char* what, std::size_t first, std::size_t count, std::size_t size, source_location where);

/// Errors: TG524 for devices behind two drivers.
void require_same_driver(const context& to, const context& from, source_location where);

/// Errors: TG529 for more elements than any memory has room for.
void require_size(std::size_t size, std::size_t element_bytes);

}  // namespace runtime

template <class T>
buffer<T>::buffer(std::shared_ptr<runtime::context> context, std::size_t size) : context_(std::move(context)) {
  runtime::require_size(size, sizeof(T));
  if (size > 0) address_ = context_->allocate(size * sizeof(T));
  size_ = size;
}

template <class T> std::vector<T> buffer<T>::to_host() const {
  static_assert(!std::is_same_v<T, bool>, "std::vector<bool> has no elements to copy to; use copy_to");
  std::vector<T> out(size_);
  copy_to(out);
  return out;
}

template <class T> template <class Container> Container buffer<T>::to() const {
  if constexpr (std::is_same_v<Container, std::vector<T>>) return to_host();
  else if constexpr (runtime::holds_elements<Container, T>()) {
    const std::vector<T> elements = to_host();
    return Container(elements.begin(), elements.end());
  }
}

template <class T> void buffer<T>::copy_from(std::span<const T> from, std::size_t first, source_location where) {
  require_range("copy to a buffer", first, from.size(), where);
  if (!from.empty()) context_->call_plain(context_->api().cuMemcpyHtoD, at(first), from.data(), from.size_bytes());
}

template <class T> void buffer<T>::copy_from(tg::part<const T> from, std::size_t first, source_location where) {
  require_range("copy to a buffer", first, from.size(), where);
  if (from.empty()) return;
  if (from.context() == context_.get()) {
    context_->call_plain(context_->api().cuMemcpyDtoD, at(first), from.native(), from.size_bytes());
  } else {
    runtime::require_same_driver(*context_, *from.context(), where);
    context_->call_plain(context_->api().cuMemcpyPeer, at(first), context_->native(), from.native(), from.context()->native(),
                         from.size_bytes());
  }
}

template <class T> void buffer<T>::copy_to(std::span<T> to, std::size_t first, source_location where) const {
  require_range("copy from a buffer", first, to.size(), where);
  if (!to.empty()) context_->call_plain(context_->api().cuMemcpyDtoH, to.data(), at(first), to.size_bytes());
}

template <class T> void buffer<T>::zero() {
  if (!empty()) context_->call_plain(context_->api().cuMemsetD8, address_, static_cast<unsigned char>(0), size_bytes());
}

template <class T> void buffer<T>::fill(const T& value) {
  if (empty()) return;
  context_->is_captured(nullptr);  // throws while the fill would break a capture of another library
  context_->order_plain(true);
  runtime::fill_on(*context_, nullptr, address_, size_, value);
  context_->order_plain(false);
}

template <class T> tg::part<T> part<T>::sub(std::size_t first, std::size_t count, source_location where) const {
  if (first > size_ || count > size_ - first) [[unlikely]]
    runtime::fail_range("part", first, count, size_, where);
  return {context_, address_ + first * sizeof(T), count};
}

template <class T> tg::part<T> buffer<T>::part(std::size_t first, std::size_t count, source_location where) {
  require_range("part", first, count, where);
  return {context_.get(), at(first), count};
}

template <class T> tg::part<const T> buffer<T>::part(std::size_t first, std::size_t count, source_location where) const {
  require_range("part", first, count, where);
  return {context_.get(), at(first), count};
}

template <class T>
void buffer<T>::require_range(const char* what, std::size_t first, std::size_t count, source_location where) const {
  if (first > size_ || count > size_ - first) [[unlikely]]
    runtime::fail_range(what, first, count, size_, where);
}

}  // namespace tg
