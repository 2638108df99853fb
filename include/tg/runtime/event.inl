// Waiting for events and the time between them.
#pragma once

#include <tg/runtime/event.hpp>

#include <tg/base/config.hpp>

namespace tg {

TG_LIBRARY_FUNCTION driver::event_handle runtime::make_event(context& c, const event_options& how) {
  const unsigned flags = (how.has_time ? 0u : static_cast<unsigned>(driver::event_flag::disable_timing)) |
                         (how.is_blocking_wait ? static_cast<unsigned>(driver::event_flag::blocking_sync) : 0u);
  driver::event_handle out = nullptr;
  c.call(c.api().cuEventCreate, &out, static_cast<driver::event_flag>(flags));
  return out;
}

TG_LIBRARY_FUNCTION void event::require_outside(const char* what) const {
  if (state_ == state::captured) [[unlikely]]
    throw error(runtime::capture_forbidden, std::string(what) + " of an event that was recorded in a capture",
                "it happens in each replay of the graph; record one on a stream after the replay");
}

TG_LIBRARY_FUNCTION bool event::is_done() const {
  runtime::context& c = checked();
  require_outside("query");
  const driver::result r = c.attempt(c.api().cuEventQuery, native_);
  if (r == driver::result::not_ready) return false;
  if (r != driver::result::success) [[unlikely]]
    c.fail(r, driver::describe(c.api(), c.api().cuEventQuery, native_));
  return true;
}

TG_LIBRARY_FUNCTION void event::synchronize() const {
  runtime::context& c = checked();
  require_outside("synchronisation");
  c.call(c.api().cuEventSynchronize, native_);
}

TG_LIBRARY_FUNCTION double milliseconds_between(const event& start, const event& end) {
  for (const event* e : {&start, &end})
    if (e->checked(), !e->has_time_ || e->state_ != event::state::recorded) [[unlikely]]
      throw error(runtime::event_without_time,
                  std::string(e == &start ? "the first" : "the second") + " event " +
                      (e->has_time_ ? "was not recorded on a stream" : "was made without time"),
                  "record both on streams of one device, and make both with time");
  float out = 0;
  start.context_->call(start.context_->api().cuEventElapsedTime, &out, start.native_, end.native_);
  return double{out};
}

}  // namespace tg
