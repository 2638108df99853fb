// How a capture begins, takes streams in and ends.
#pragma once

#include <tg/runtime/capture.hpp>

#include <tg/base/config.hpp>

namespace tg {

namespace runtime::detail {

inline std::string text_of_line(source_location where) {
  const std::string path = where.file;
  return path.substr(path.find_last_of('/') + 1) + ":" + std::to_string(where.line);
}

}  // namespace runtime::detail

TG_LIBRARY_FUNCTION captured_stream basic_stream<stream_state::idle>::capture(source_location where) && {
  runtime::context& c = own_.c();
  auto shared = std::make_shared<captured_stream::shared_capture>(captured_stream::shared_capture{where, where, 0});
  c.call(c.api().cuStreamBeginCapture, own_.native(), driver::capture_mode::relaxed);
  return {std::move(own_), std::move(shared), true, where};
}

TG_LIBRARY_FUNCTION void basic_stream<stream_state::captured>::order(stream_work& first, driver::stream_handle second) {
  event so_far(device(), {.has_time = false});
  first.record(so_far);
  c().call(c().api().cuStreamWaitEvent, second, so_far.native(), 0u);
}

TG_LIBRARY_FUNCTION captured_stream basic_stream<stream_state::captured>::fork(stream&& other, source_location where) {
  runtime::require_here(c(), other.own_.c().shared_from_this().get(), "the other stream");
  order(*this, other.native());
  capture_->last_fork = where;
  ++capture_->forks;
  return {std::move(other.own_), capture_, false, where};
}

TG_LIBRARY_FUNCTION stream basic_stream<stream_state::captured>::join(captured_stream&& other) {
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

TG_LIBRARY_FUNCTION captured_work basic_stream<stream_state::captured>::end() && {
  runtime::context& c = this->c();
  if (!is_origin_) [[unlikely]]
    throw error(runtime::capture_not_joined,
                "a forked stream cannot end the capture that began at " + runtime::detail::text_of_line(capture_->where),
                "join it, and end the stream that the capture began on");
  driver::graph_handle made = nullptr;
  const driver::result r = c.attempt(c.api().cuStreamEndCapture, own_.native(), &made);
  const auto shared = std::exchange(capture_, nullptr);
  const std::string broken_by = c.end_capture(own_.native());
  if (shared->forks > 0) {
    if (made) c.release(c.api().cuGraphDestroy, made);
    throw error(runtime::capture_not_joined,
                std::to_string(shared->forks) + " streams forked at " + runtime::detail::text_of_line(shared->last_fork) +
                    " are not joined",
                "join each before the capture ends");
  }
  const std::string what = "end of the capture that began at " + runtime::detail::text_of_line(shared->where);
  if (r != driver::result::success) c.fail(r, broken_by.empty() ? what : what + ", broken by " + broken_by);
  tg::graph graph(device(), made);
  let_go();
  return {std::move(graph), stream(std::move(own_))};
}

TG_LIBRARY_FUNCTION void basic_stream<stream_state::captured>::drop() noexcept {
  runtime::context& c = *own_.device().context();
  driver::graph_handle made = nullptr;
  if (is_origin_ && c.api().cuStreamEndCapture && c.api().cuStreamEndCapture(own_.native(), &made) == driver::result::success &&
      made)
    c.release(c.api().cuGraphDestroy, made);
  c.end_capture(own_.native());
}

}  // namespace tg
