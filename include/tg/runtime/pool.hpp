// Memory for work in the order of streams: what is freed on a stream is used again on it at once, without the driver.
//   tg::pool pool(gpu);
//   auto x = pool.allocate<float>(n, stream);     // a view of a launch takes it as it takes a tg::buffer
// Where the driver maps physical memory into reserved addresses, the pool is one range that grows at its end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <tg/base/dynamic_array.hpp>
#include <tg/runtime/device.hpp>

namespace tg {

/// How a pool asks the driver for memory.
struct pool_options {
  std::size_t growth_bytes = std::size_t{16} << 20;  // at least, unless the device has less
  std::size_t most_bytes = PTRDIFF_MAX;              // reserved at any time
  bool waits_for_streams = true;  // rather uses memory that another stream still works on, after it, than more memory
  bool maps_memory = true;        // into reserved addresses, where the driver can
};

/// What a pool holds and has done. Units: bytes as reserved, in multiples of 256.
struct pool_statistics {
  std::size_t live_bytes = 0, peak_live_bytes = 0;
  std::size_t reserved_bytes = 0, peak_reserved_bytes = 0;
  std::size_t free_bytes = 0, largest_free_bytes = 0;
  std::size_t live = 0;                // allocations
  std::uint64_t allocations = 0;       // so far
  std::uint64_t hits = 0;              // without a call of the driver
  std::uint64_t reused_elsewhere = 0;  // with memory that another stream had freed
  std::uint64_t driver_allocations = 0;
  std::uint64_t given_back_bytes = 0;  // to the driver

  /// The part of the free bytes that the largest free range is not.
  double fragmentation() const {
    return free_bytes == 0 ? 0 : 1 - static_cast<double>(largest_free_bytes) / static_cast<double>(free_bytes);
  }
};

namespace runtime {

/// What a pool holds: memory of the driver, free ranges and ranges in use.
class pool_memory;

/// A range of a pool in use.
struct pool_block {
  driver::device_address address = 0;
  std::uint32_t number = 0;
  std::uint32_t lane = 0;
};

/// The memory of a new pool of the context.
std::shared_ptr<pool_memory> make_pool_memory(std::shared_ptr<context> context, const pool_options& options);
/// A range of at least `bytes`. Errors: TG565.
pool_block allocate_from(pool_memory& from, std::size_t bytes, driver::stream_handle stream, source_location where);
/// `users` are the other streams that worked on the block.
void give_back(pool_memory& to, const pool_block& block, std::span<const driver::stream_handle> users) noexcept;
/// Waits for all streams, and gives memory that is free back to the driver. Returns: bytes.
std::size_t trim(pool_memory& memory);
/// From now on a stream works on memory of the pool.
void note_stream(pool_memory& memory, driver::stream_handle stream);
/// In whose order a copy of a block is.
driver::stream_handle stream_of(pool_memory& memory, const pool_block& block);
/// Waits for a stream that ends; its free ranges go to the default stream.
void forget_stream(pool_memory& memory, driver::stream_handle stream);
/// Bytes in use, free and held.
pool_statistics statistics_of(const pool_memory& memory);

/// The driver's handle of a stream, or of a handle itself.
template <class Stream> driver::stream_handle handle_of(const Stream& stream) {
  if constexpr (std::is_convertible_v<const Stream&, driver::stream_handle>) return stream;
  else return stream.native();
}

}  // namespace runtime

/// Elements in a pool's memory, given back with the object. A moved-from one is empty.
/// Requires: work on streams other than its own is told by `used_on`.
template <class T> class pooled {
  static_assert(std::is_trivially_copyable_v<T> && !std::is_const_v<T>, "a pool holds plain values");

 public:
  pooled() = default;
  pooled(std::shared_ptr<runtime::pool_memory> memory, std::shared_ptr<runtime::context> context, std::size_t size,
         driver::stream_handle stream, source_location where);
  pooled(pooled&& other) noexcept { swap(other); }
  pooled& operator=(pooled&& other) noexcept {
    pooled(std::move(other)).swap(*this);
    return *this;
  }
  ~pooled() {
    if (size_ != 0) runtime::give_back(*memory_, block_, users_);
  }

  std::size_t size() const { return size_; }
  std::size_t size_bytes() const { return size_ * sizeof(T); }
  bool empty() const { return size_ == 0; }
  driver::device_address native() const { return block_.address; }
  const std::shared_ptr<runtime::context>& context() const { return context_; }

  /// The memory is not used again before what this stream has been given so far when the object ends.
  template <class Stream> void used_on(const Stream& stream) {
    const driver::stream_handle user = runtime::handle_of(stream);
    if (memory_) runtime::note_stream(*memory_, user);
    users_.push_back(user);
  }

  part<T> whole() { return {context_.get(), native(), size_}; }
  part<const T> whole() const { return {context_.get(), native(), size_}; }
  operator part<T>() { return whole(); }
  operator part<const T>() const { return whole(); }

  /// Writes the elements from `first` on, in the order of the stream, and waits. Errors: TG528; TG533 while it is captured.
  void copy_from(std::span<const T> from, std::size_t first = 0, source_location where = source_location::current());
  /// Every element, after the work before it on the stream. Errors: TG533 while the stream is captured.
  std::vector<T> to_host() const;

  void swap(pooled& other) noexcept {
    std::swap(memory_, other.memory_);
    std::swap(context_, other.context_);
    std::swap(block_, other.block_);
    std::swap(size_, other.size_);
    std::swap(users_, other.users_);
  }

 private:
  std::shared_ptr<runtime::pool_memory> memory_;
  std::shared_ptr<runtime::context> context_;
  runtime::pool_block block_;
  std::size_t size_ = 0;
  dynamic_array<driver::stream_handle> users_;
};

/// A pool of device memory. Copies share it; what was allocated keeps it alive. Calls come from any thread.
class pool {
 public:
  explicit pool(const device& on, const pool_options& options = {})
      : context_(on.context()), memory_(runtime::make_pool_memory(context_, options)) {}

  /// Memory for `size` elements, to be used after all work that `stream` has been given so far; contents not defined.
  /// Requires: a stream of another library outlives the pool, or `forget` is called for it first. A tg::stream may end before.
  /// Errors: TG529; TG565 when there is no room, after everything free was given back and waited for.
  /// Cost: about as much as an uncontended lock while free memory of the stream is large enough.
  template <class T> pooled<T> allocate(std::size_t size, source_location where = source_location::current()) {
    return {memory_, context_, size, nullptr, where};
  }
  template <class T, class Stream>
  pooled<T> allocate(std::size_t size, const Stream& stream, source_location where = source_location::current()) {
    return {memory_, context_, size, runtime::handle_of(stream), where};
  }

  /// Waits for the streams and gives every wholly free piece of memory back to the driver. Returns: its bytes.
  std::size_t trim() { return runtime::trim(*memory_); }
  /// Waits for a stream that is about to be destroyed; others may use its free memory from now on.
  template <class Stream> void forget(const Stream& stream) { runtime::forget_stream(*memory_, runtime::handle_of(stream)); }

  pool_statistics statistics() const { return runtime::statistics_of(*memory_); }

 private:
  std::shared_ptr<runtime::context> context_;
  std::shared_ptr<runtime::pool_memory> memory_;
};

template <class T>
pooled<T>::pooled(std::shared_ptr<runtime::pool_memory> memory, std::shared_ptr<runtime::context> context, std::size_t size,
                  driver::stream_handle stream, source_location where)
    : memory_(std::move(memory)), context_(std::move(context)) {
  runtime::require_size(size, sizeof(T));
  if (size > 0) block_ = runtime::allocate_from(*memory_, size * sizeof(T), stream, where);
  size_ = size;
}

template <class T> void pooled<T>::copy_from(std::span<const T> from, std::size_t first, source_location where) {
  if (first > size_ || from.size() > size_ - first) [[unlikely]]
    runtime::fail_range("copy to a pool's memory", first, from.size(), size_, where);
  if (from.empty()) return;
  const driver::stream_handle stream = runtime::stream_of(*memory_, block_);
  context_->refuse_captured(context_->api().cuStreamSynchronize, stream);
  context_->call(context_->api().cuMemcpyHtoDAsync, native() + first * sizeof(T), from.data(), from.size_bytes(), stream);
  context_->synchronize(stream);
}

template <class T> std::vector<T> pooled<T>::to_host() const {
  std::vector<T> out(size_);
  if (empty()) return out;
  const driver::stream_handle stream = runtime::stream_of(*memory_, block_);
  context_->refuse_captured(context_->api().cuStreamSynchronize, stream);
  context_->call(context_->api().cuMemcpyDtoHAsync, out.data(), native(), size_bytes(), stream);
  context_->synchronize(stream);
  return out;
}

}  // namespace tg
