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

  /// What `second` does from here on comes after the work of `first`.
  void order(stream_work& first, driver::stream_handle second);
  void drop() noexcept;

  runtime::owned_stream own_;
  std::shared_ptr<shared_capture> capture_;  // null once it has left
  bool is_origin_;
};

}  // namespace tg
