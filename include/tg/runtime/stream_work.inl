// Work on a stream that does not depend on types of the program.
#pragma once

#include <tg/runtime/stream_work.hpp>

#include <tg/base/config.hpp>

namespace tg {
namespace runtime {

TG_LIBRARY_FUNCTION void require_same_size(std::size_t to, std::size_t from, source_location where) {
  if (to != from) [[unlikely]]
    throw error(copy_range, "copy of " + std::to_string(from) + " elements to " + std::to_string(to),
                "copy parts of one size: part(first, count)", where);
}

TG_LIBRARY_FUNCTION void require_here(const context& here, const context* other, const char* what) {
  if (other != &here) [[unlikely]]
    throw error(foreign_buffer,
                other ? std::string(what) + " belongs to '" + other->label() + "', the stream to " + here.label_beside(*other)
                      : std::string(what) + " was moved from",
                "use a stream of the device that owns it");
}

}  // namespace runtime
}  // namespace tg

namespace tg {

TG_LIBRARY_FUNCTION void stream_work::record(event& e) {
  const driver::event_handle own = e.native();
  runtime::require_here(c(), e.context().get(), "the event");
  const bool in_capture = is_captured();
  c().call(c().api().cuEventRecord, own, stream_);
  e.recorded(in_capture);
}

TG_LIBRARY_FUNCTION void stream_work::wait_for(const event& e) {
  if (e.native(), !e.is_recorded()) [[unlikely]]
    throw error(runtime::event_without_time, "a stream cannot wait for an event that no stream has recorded",
                "record it first");
  const bool in_capture = is_captured();
  if (in_capture && !e.is_captured()) [[unlikely]]
    throw error(runtime::capture_forbidden,
                "a captured stream cannot wait for an event that was recorded outside of the capture",
                "wait for it before the capture begins");
  if (!in_capture && e.is_captured() && origin_ == origin::own) [[unlikely]]
    throw error(runtime::capture_forbidden,
                "a stream that is not captured cannot wait for an event that was recorded in a capture",
                "take the stream into the capture: capturing.fork(std::move(stream))");
  c().call(c().api().cuStreamWaitEvent, stream_, e.native(), 0u);
}

TG_LIBRARY_FUNCTION void stream_work::call(callable function) {
  if (is_captured()) [[unlikely]]
    throw error(runtime::capture_forbidden, "a call of the host is made once, and a capture is replayed",
                "add it to the graph: graph.after(...).call(function)");
  auto kept = std::make_unique<callable>(std::move(function));
  const driver::host_function run = [](void* data) {
    runtime::call_once_on_driver_thread(std::unique_ptr<callable>(static_cast<callable*>(data)));
  };
  c().call(c().api().cuLaunchHostFunc, stream_, run, static_cast<void*>(kept.get()));
  kept.release();
}

TG_LIBRARY_FUNCTION bool stream_view::is_done() const {
  c().refuse_captured(c().api().cuStreamQuery, native());
  return c().is_done(native());
}

TG_LIBRARY_FUNCTION void stream_view::synchronize() const {
  c().refuse_captured(c().api().cuStreamSynchronize, native());
  c().synchronize(native());
}

TG_LIBRARY_FUNCTION void stream_view::require_own_context() const {
  driver::context_handle owner = nullptr;
  const driver::stream_handle stream = native();
  if (stream == nullptr || c().api().cuStreamGetCtx == nullptr) return;
  c().call(c().api().cuStreamGetCtx, stream, &owner);
  if (owner != c().native())
    throw error(runtime::foreign_buffer, "a stream is of another context than '" + c().label() + "'",
                "make it while the device's primary context is current");
}

}  // namespace tg
