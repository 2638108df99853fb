// Streams, whose state is part of their type: idle -> recording -> submitted -> idle, or idle -> captured -> idle and a
// graph. Misuse does not compile.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include <tg/runtime/stream_work.hpp>
#include <tg/runtime/typestate.hpp>

namespace tg {

/// A stream with nothing to do. Errors: TG132, TG133 for misuse.
/// Example: auto work = tg::stream(gpu).begin(); work.launch(...); auto idle = std::move(work).submit().wait();
using stream = basic_stream<stream_state::idle>;
/// A stream that takes work, which runs in the order in which it is given.
using recording_stream = basic_stream<stream_state::recording>;
/// A stream that has its work and takes no more; `wait()` makes it idle.
using submitted_stream = basic_stream<stream_state::submitted>;
/// A stream whose work becomes a graph instead of running; `end()` gives the graph.
using captured_stream = basic_stream<stream_state::captured>;

/// How a stream is made.
struct stream_options {
  int priority = 0;  // 0: the least urgent; the device says how far below it goes
  bool is_non_blocking =
      false;  // has no order with launches of the legacy stream; with plain copies and fills of buffers it has
};

namespace runtime {

/// Errors: TG538 for a priority that the device has not; those of the driver.
driver::stream_handle make_stream(context& c, const stream_options& how);

/// A stream of the driver and the context that keeps it.
class owned_stream {
 public:
  owned_stream(tg::device gpu, stream_options how)
      : device_(std::move(gpu)), native_(make_stream(*device_.context(), how)), how_(how) {}
  owned_stream(owned_stream&& other) noexcept
      : device_(std::move(other.device_)), native_(std::exchange(other.native_, nullptr)), how_(other.how_) {}
  owned_stream& operator=(owned_stream&& other) noexcept {
    std::swap(device_, other.device_);
    std::swap(native_, other.native_);
    std::swap(how_, other.how_);
    return *this;
  }
  ~owned_stream() {
    if (native_) device_.context()->end_stream(native_);
  }

  const tg::device& device() const { return device_; }
  driver::stream_handle native() const {
    if (!native_) [[unlikely]]
      fail_gone("a stream");
    return native_;
  }
  const stream_options& options() const { return how_; }
  context& c() const { return native(), *device_.context(); }

 private:
  tg::device device_;
  driver::stream_handle native_ = nullptr;
  stream_options how_;
};

}  // namespace runtime

template <>
class basic_stream<stream_state::idle> : public runtime::refuses_work<stream_state::idle>,
                                         public runtime::refuses_submit<stream_state::idle>,
                                         public runtime::refuses_wait<stream_state::idle>,
                                         public runtime::refuses_end<stream_state::idle> {
 public:
  /// Errors: TG538 for a priority that the device has not; those of the driver.
  explicit basic_stream(tg::device gpu, stream_options how = {}) : own_(std::move(gpu), how) {}

  driver::stream_handle native() const { return own_.native(); }
  int priority() const { return own_.options().priority; }
  bool is_non_blocking() const { return own_.options().is_non_blocking; }

  /// From here on it takes work.
  recording_stream begin() &&;
  /// From here on its work becomes a graph. Include tg/runtime/capture.hpp.
  captured_stream capture(source_location where = source_location::current()) &&;
  template <class... A> void begin(A&&...) & { runtime::refuse_lvalue<stream_state::idle, A...>(); }
  template <class... A> void capture(A&&...) & { runtime::refuse_lvalue<stream_state::idle, A...>(); }

 private:
  template <stream_state> friend class basic_stream;
  explicit basic_stream(runtime::owned_stream own) : own_(std::move(own)) {}

  runtime::owned_stream own_;
};

template <>
class basic_stream<stream_state::recording> : public stream_work,
                                              public runtime::refuses_begin<stream_state::recording>,
                                              public runtime::refuses_capture<stream_state::recording>,
                                              public runtime::refuses_wait<stream_state::recording>,
                                              public runtime::refuses_end<stream_state::recording> {
 public:
  /// What follows happens after all the work of the other stream.
  void wait_for(const submitted_stream& other);
  using stream_work::wait_for;

  /// From here on it takes no more work.
  submitted_stream submit() &&;
  template <class... A> void submit(A&&...) & { runtime::refuse_lvalue<stream_state::recording, A...>(); }

 private:
  template <stream_state> friend class basic_stream;
  explicit basic_stream(runtime::owned_stream own)
      : stream_work(own.device(), own.native(), origin::own), own_(std::move(own)) {}

  runtime::owned_stream own_;
};

template <>
class basic_stream<stream_state::submitted> : public runtime::refuses_work<stream_state::submitted>,
                                              public runtime::refuses_capture<stream_state::submitted>,
                                              public runtime::refuses_submit<stream_state::submitted>,
                                              public runtime::refuses_end<stream_state::submitted> {
 public:
  driver::stream_handle native() const { return own_.native(); }

  /// Whether the work is done. Errors: those of the kernels that ran.
  bool is_done() const { return own_.c().is_done(own_.native()); }
  /// Waits for the work. Errors: those of the kernels that ran; the stream is gone then.
  stream wait() &&;
  /// From here on it takes work again, which comes after what it has.
  recording_stream begin() &&;
  template <class... A> void wait(A&&...) & { runtime::refuse_lvalue<stream_state::submitted, A...>(); }
  template <class... A> void begin(A&&...) & { runtime::refuse_lvalue<stream_state::submitted, A...>(); }

 private:
  template <stream_state> friend class basic_stream;
  explicit basic_stream(runtime::owned_stream own) : own_(std::move(own)) {}

  runtime::owned_stream own_;
};

inline recording_stream basic_stream<stream_state::idle>::begin() && { return recording_stream(std::move(own_)); }
inline submitted_stream basic_stream<stream_state::recording>::submit() && {
  c();
  let_go();
  return submitted_stream(std::move(own_));
}
inline recording_stream basic_stream<stream_state::submitted>::begin() && { return recording_stream(std::move(own_)); }
}  // namespace tg
