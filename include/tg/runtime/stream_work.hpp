// What a stream does: kernels, copies, fills, events and calls of the host, one after the other.
#pragma once

#include <concepts>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <utility>

#include <tg/base/callable.hpp>
#include <tg/runtime/device.hpp>
#include <tg/runtime/event.hpp>
#include <tg/runtime/fill.hpp>
#include <tg/runtime/pinned.hpp>

namespace tg {

class executable_graph;

namespace runtime {

/// Memory of a device: a buffer or a part of one.
template <class M>
concept device_memory = requires(M& m) { m.whole().native(); };
/// Memory of the host: what a span can be made of.
template <class M>
concept host_memory = !device_memory<M> && requires(M& m) { std::span(m); };

/// The elements of a memory that takes part in a copy, as a part or a span.
template <device_memory M> auto elements_of(M& m) { return m.whole(); }
template <host_memory M> auto elements_of(M& m) { return std::span(m); }

/// What a device memory holds.
template <class M> using element_in = std::remove_const_t<typename decltype(std::declval<M&>().whole())::element_type>;

/// Errors: TG528.
void require_same_size(std::size_t to, std::size_t from, source_location where);

/// Errors: TG524 for memory of another device.
void require_here(const context& here, const context* other, const char* what = "memory of a copy");

}  // namespace runtime

/// The work of one stream. It is under way when the call returns; a captured stream makes it a node of a graph instead,
/// whether tg captures it or another library does.
/// Errors: TG524 for what is of another device; TG532 once the stream is moved from; those of the driver.
class stream_work {
 public:
  stream_work(const stream_work&) = delete;
  stream_work& operator=(const stream_work&) = delete;

  driver::stream_handle native() const { return c(), stream_; }
  const tg::device& device() const { return device_; }

  /// Runs a kernel, as `device::launch` does.
  template <class K, class... A> void launch(const K& kernel, const placement& where, A&&... arguments) {
    c();
    device_.launch_on(stream_, kernel, where, std::forward<A>(arguments)...);
  }

  /// Does not compile: a number is no grid. Errors: TG131.
  template <class K, std::integral Blocks, class... A> void launch(const K&, const Blocks&, A&&...) {
    (void)sizeof(diagnosis::launch_grid<sizeof(Blocks) == 0, Blocks>);
  }

  /// Copies elements between a buffer, part, managed or pinned memory, vector or span and another. Plain host memory
  /// may be changed as soon as this returns when it is copied from, and is complete when this returns when it is copied
  /// to; pinned memory is read and written when the stream gets there. Errors: TG528 for two sizes; TG544 for plain
  /// host memory on a captured stream.
  template <class To, class From> void copy(To&& to, const From& from, source_location where = source_location::current());

  /// Makes every element `value`.
  template <runtime::device_memory To> void fill(To&& to, const runtime::element_in<To>& value);
  /// Makes every byte zero.
  template <runtime::device_memory To> void zero(To&& to);

  /// Does what a graph says. Include tg/runtime/executable_graph.hpp.
  void replay(const executable_graph& graph);

  /// From here on the event stands for the work so far.
  void record(event& e);
  /// What follows happens after the event, which may be of another stream.
  /// Errors: TG537 when it was not recorded; TG533 when one of the two is captured and the other is not.
  void wait_for(const event& e);
  /// Calls a function on a thread of the driver. It may not call the driver (TG545), and what it throws ends the program. What
  /// it owns, buffers too, is given back on another thread before a wait for the stream or the device returns. Errors: TG533 on
  /// a captured stream, whose graph would make the call at each replay.
  void call(callable function);

 protected:
  /// Who decides whether the stream is captured: tg, which captures it or does not, or the owner of the handle; nobody once it
  /// was moved from.
  enum class origin { own, captured, other, gone };

  stream_work(tg::device device, driver::stream_handle stream, origin from)
      : device_(std::move(device)), stream_(stream), origin_(from) {}
  stream_work(stream_work&& other) noexcept
      : device_(other.device_), stream_(other.stream_), origin_(std::exchange(other.origin_, origin::gone)) {}
  stream_work& operator=(stream_work&& other) noexcept {
    device_ = other.device_;
    stream_ = other.stream_;
    origin_ = std::exchange(other.origin_, origin::gone);
    return *this;
  }
  ~stream_work() = default;

  /// From here on the object is as if moved from.
  void let_go() { origin_ = origin::gone; }

  runtime::context& c() const {
    if (origin_ == origin::gone) [[unlikely]]
      runtime::fail_gone("a stream");
    return *device_.context();
  }

 private:
  template <class T> void copy_parts(part<T> to, part<const T> from, source_location where);
  template <class Memory> void require_replayable() const;
  /// The driver is asked, because whoever has the handle can capture the stream.
  bool is_captured() const { return origin_ == origin::captured || c().is_captured(stream_); }

  tg::device device_;
  driver::stream_handle stream_;
  origin origin_;
};

template <class Memory> void stream_work::require_replayable() const {
  if (runtime::is_pinned<Memory>) return;
  if (is_captured()) [[unlikely]]
    throw error(runtime::pageable_capture, "a capture cannot keep plain host memory, which its graph would use at each replay",
                "copy from or to tg::pinned memory that outlives the graph");
}

template <class To, class From> void stream_work::copy(To&& to, const From& from, source_location where) {
  using target_memory = std::remove_cvref_t<To>;
  const auto target = runtime::elements_of(to);
  const auto source = runtime::elements_of(from);
  using element = typename decltype(target)::element_type;
  static_assert(std::same_as<element, std::remove_const_t<typename decltype(source)::element_type>>,
                "a copy is between elements of one type, and not to const ones");
  constexpr bool is_to_device = runtime::device_memory<target_memory>, is_from_device = runtime::device_memory<const From>;
  static_assert(is_to_device || is_from_device, "one side of a copy is on the device");
  runtime::context& here = c();
  runtime::require_same_size(target.size(), source.size(), where);
  if (source.empty()) return;
  if constexpr (is_to_device && is_from_device) {
    copy_parts<element>(target, source, where);
  } else if constexpr (is_to_device) {
    runtime::require_here(here, target.context());
    require_replayable<From>();
    const void* const data = source.data();
    if constexpr (runtime::is_pinned<From>)
      here.call(here.api().cuMemcpyHtoDAsync, target.native(), data, source.size_bytes(), stream_);
    else here.copy_staged(stream_, target.native(), data, source.size_bytes());
  } else {
    runtime::require_here(here, source.context());
    require_replayable<target_memory>();
    here.call(here.api().cuMemcpyDtoHAsync, static_cast<void*>(target.data()), source.native(), source.size_bytes(), stream_);
    if constexpr (!runtime::is_pinned<target_memory>) here.synchronize(stream_);
  }
}

template <class T> void stream_work::copy_parts(part<T> to, part<const T> from, source_location where) {
  runtime::context& here = c();
  if (to.context() == from.context()) {
    runtime::require_here(here, to.context());
    here.call(here.api().cuMemcpyDtoDAsync, to.native(), from.native(), from.size_bytes(), stream_);
  } else {
    runtime::require_same_driver(*to.context(), *from.context(), where);
    runtime::require_here(here, to.context() == &here ? to.context() : from.context());
    here.call(here.api().cuMemcpyPeerAsync, to.native(), to.context()->native(), from.native(), from.context()->native(),
              from.size_bytes(), stream_);
  }
}

template <runtime::device_memory To> void stream_work::fill(To&& to, const runtime::element_in<To>& value) {
  const auto target = to.whole();
  static_assert(!std::is_const_v<typename decltype(target)::element_type>, "a part of const elements is only read");
  if (target.empty()) return;
  runtime::require_here(c(), target.context());
  runtime::fill_on(c(), stream_, target.native(), target.size(), value);
}

template <runtime::device_memory To> void stream_work::zero(To&& to) {
  const auto target = to.whole();
  static_assert(!std::is_const_v<typename decltype(target)::element_type>, "a part of const elements is only read");
  if (target.empty()) return;
  runtime::require_here(c(), target.context());
  c().call(c().api().cuMemsetD8Async, target.native(), static_cast<unsigned char>(0), target.size_bytes(), stream_);
}

/// The plain handle of a stream, for streams of other libraries and for code that keeps count itself. Owns nothing.
/// Example: tg::stream_view(gpu, other_library_stream).launch(saxpy, tg::cover(n), x, y, 2.0f, n);
class stream_view : public stream_work {
 public:
  /// Null is the legacy stream, in whose order `device::launch` and plain copies are.
  /// Requires: the stream outlives the view. Errors: TG524 for a stream of another context than the device's primary
  /// one.
  stream_view(tg::device device, driver::stream_handle stream) : stream_work(std::move(device), stream, origin::other) {
    require_own_context();
  }
  stream_view(const stream_view& other) : stream_work(other.device(), other.native(), origin::other) {}

  /// Whether all work is done. Errors: those of the kernels that ran; TG533 while the stream is captured.
  bool is_done() const;
  /// Waits for all work. Errors: those of the kernels that ran; TG533 while the stream is captured.
  void synchronize() const;

 private:
  void require_own_context() const;
};

}  // namespace tg
