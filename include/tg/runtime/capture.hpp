// The state of a stream whose work becomes a graph.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include <tg/runtime/executable_graph.hpp>
#include <tg/runtime/stream.hpp>

namespace tg {

/// What a capture leaves: the graph of its work, and the stream with nothing to do.
struct captured_work {
  tg::graph graph;
  tg::stream stream;
};

/// A stream whose work becomes nodes of a graph. Buffers and pinned memory that it names must outlive the graph.
/// Dropped before `end`, it leaves nothing. Errors: TG532 once it is moved from; TG533 for calls that would break it,
/// wherever they are made; TG544.
template <>
class basic_stream<stream_state::captured> : public stream_work,
                                             public runtime::refuses_begin<stream_state::captured>,
                                             public runtime::refuses_capture<stream_state::captured>,
                                             public runtime::refuses_submit<stream_state::captured>,
                                             public runtime::refuses_wait<stream_state::captured> {
 public:
  basic_stream(basic_stream&&) = default;
  basic_stream& operator=(basic_stream&&) = delete;
  ~basic_stream() {
    if (capture_) drop();
  }

  /// Takes another stream into the capture, from the work so far on.
  captured_stream fork(stream&& other, source_location where = source_location::current());
  /// Waits for the work of a forked stream, which leaves the capture. Errors: TG534 for one of another capture.
  stream join(captured_stream&& other);
  /// Errors: TG534 when a forked stream was not joined; TG511 when something tg did not see broke the capture.
  captured_work end() &&;
  template <class... A> void end(A&&...) & { runtime::refuse_lvalue<stream_state::captured, A...>(); }

 private:
  template <stream_state> friend class basic_stream;

  /// What the streams of a capture share.
  struct shared_capture {
    source_location where;
    source_location last_fork;
    int forks = 0;  // not joined
  };

  basic_stream(runtime::owned_stream own, std::shared_ptr<shared_capture> capture, bool is_origin, source_location where)
      : stream_work(own.device(), own.native(), origin::captured),
        own_(std::move(own)),
        capture_(std::move(capture)),
        is_origin_(is_origin) {
    c().begin_capture(own_.native(), !own_.options().is_non_blocking, where);
  }

  static std::string text_of(source_location where) {
    const std::string path = where.file;
    return path.substr(path.find_last_of('/') + 1) + ":" + std::to_string(where.line);
  }
  void order(stream_work& first, driver::stream_handle second);
  void drop() noexcept;

  runtime::owned_stream own_;
  std::shared_ptr<shared_capture> capture_;  // null once it has left
  bool is_origin_;
};

inline captured_stream basic_stream<stream_state::idle>::capture(source_location where) && {
  runtime::context& c = own_.c();
  auto shared = std::make_shared<captured_stream::shared_capture>(captured_stream::shared_capture{where, where, 0});
  c.call(c.api().cuStreamBeginCapture, own_.native(), driver::capture_mode::relaxed);
  return {std::move(own_), std::move(shared), true, where};
}

/// What `second` does from here on comes after the work of `first`.
inline void basic_stream<stream_state::captured>::order(stream_work& first, driver::stream_handle second) {
  event so_far(device(), {.has_time = false});
  first.record(so_far);
  c().call(c().api().cuStreamWaitEvent, second, so_far.native(), 0u);
}

inline captured_stream basic_stream<stream_state::captured>::fork(stream&& other, source_location where) {
  runtime::require_here(c(), other.own_.c().shared_from_this().get());
  order(*this, other.native());
  capture_->last_fork = where;
  ++capture_->forks;
  return {std::move(other.own_), capture_, false, where};
}

inline stream basic_stream<stream_state::captured>::join(captured_stream&& other) {
  if (c(), other.c(), other.capture_ != capture_ || other.is_origin_) [[unlikely]]
    throw error(runtime::capture_not_joined, "a stream is joined that was not forked from this capture",
                "join it to the stream that it was forked from");
  order(other, native());
  --capture_->forks;
  c().end_capture(other.native());
  other.let_go();
  other.capture_ = nullptr;
  return stream(std::move(other.own_));
}

inline captured_work basic_stream<stream_state::captured>::end() && {
  runtime::context& c = this->c();
  if (!is_origin_) [[unlikely]]
    throw error(runtime::capture_not_joined, "a forked stream cannot end the capture that began at " + text_of(capture_->where),
                "join it, and end the stream that the capture began on");
  driver::graph_handle made = nullptr;
  const driver::result r = c.attempt(c.api().cuStreamEndCapture, own_.native(), &made);
  const auto shared = std::exchange(capture_, nullptr);
  const std::string broken_by = c.end_capture(own_.native());
  if (shared->forks > 0) {
    if (made) c.release(c.api().cuGraphDestroy, made);
    throw error(runtime::capture_not_joined,
                std::to_string(shared->forks) + " streams forked at " + text_of(shared->last_fork) + " are not joined",
                "join each before the capture ends");
  }
  const std::string what = "end of the capture that began at " + text_of(shared->where);
  if (r != driver::result::success) c.fail(r, broken_by.empty() ? what : what + ", broken by " + broken_by);
  tg::graph graph(device(), made);
  let_go();
  return {std::move(graph), stream(std::move(own_))};
}

inline void basic_stream<stream_state::captured>::drop() noexcept {
  runtime::context& c = *own_.device().context();
  driver::graph_handle made = nullptr;
  if (is_origin_ && c.api().cuStreamEndCapture && c.api().cuStreamEndCapture(own_.native(), &made) == driver::result::success &&
      made)
    c.release(c.api().cuGraphDestroy, made);
  c.end_capture(own_.native());
}

}  // namespace tg
