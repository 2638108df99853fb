// The emulated driver's events.
#pragma once

#include <tg/emulator/driver_table/stream.hpp>

namespace tg::emulator::entry {

inline bool has(event_flag flags, event_flag one) { return (static_cast<unsigned>(flags) & static_cast<unsigned>(one)) != 0; }

inline result cuEventCreate(event_handle* out, event_flag flags) {
  return guarded([&](machine& m) {
    require(out && static_cast<unsigned>(flags) <= 7);
    *out = m.events.add(std::make_shared<event>(event{current(m), flags, {}, nullptr, nullptr, {}}));
  });
}

inline result cuEventDestroy(event_handle event) {
  return guarded([&](machine& m) { m.events.take(event); });
}

/// Refuses an event of another device than the stream's. Source, here and below: CUDA C++ Programming Guide 13.0, multi-device
/// system, stream and event behavior.
inline void require_device_of(machine& m, const event& e, stream_handle stream) {
  require(m.contexts.at(e.owner)->device == device_of(m, stream), result::invalid_handle);
}

inline result cuEventRecord(event_handle event, stream_handle stream) {
  return guarded([&](machine& m) {
    current(m);
    const auto e = m.events.at(event);
    require_device_of(m, *e, stream);
    e->capture = capture_of(m, stream);
    if (e->capture) {
      e->frontier = m.streams.at(stream)->frontier;
      e->time.reset();
      e->last = nullptr;
    } else {
      submit(m, stream, record_work{e, event});
    }
  });
}

/// As cuEventRecord; with the external flag a captured stream records when its graph runs.
inline result cuEventRecordWithFlags(event_handle event, stream_handle stream, unsigned flags) {
  if (flags > 1) return result::invalid_value;
  if (flags == 0) return cuEventRecord(event, stream);
  return guarded([&](machine& m) {
    require(capture_of(m, stream) != nullptr, result::illegal_state);
    submit(m, stream, record_work{m.events.at(event), event});
  });
}

inline result cuEventSynchronize(event_handle event) {
  return guarded([&](machine& m) {
    const auto e = m.events.at(event);
    if (const auto c = e->capture) invalidate(*c, result::captured_event);
    forbid_in_capture(m);
    wait_until(m, [&] { return !e->is_pending(); });
    host_saw(m, *e);
  });
}

inline result cuEventQuery(event_handle event) {
  return guarded([&](machine& m) {
    const auto e = m.events.at(event);
    if (const auto c = e->capture) invalidate(*c, result::captured_event);
    forbid_in_capture(m);
    go_on(m);
    require(!e->is_pending(), result::not_ready);
    host_saw(m, *e);
    throw_deferred(m);
  });
}

inline result cuEventElapsedTime(float* milliseconds, event_handle start, event_handle end) {
  return guarded([&](machine& m) {
    require(milliseconds);
    const event& a = *m.events.at(start);
    const event& b = *m.events.at(end);
    require(m.contexts.at(a.owner)->device == m.contexts.at(b.owner)->device, result::invalid_handle);
    for (const event* e : {&a, &b}) {
      require(e->last && !has(e->flags, event_flag::disable_timing), result::invalid_handle);
      require(!e->is_pending(), result::not_ready);
      host_saw(m, *e);
    }
    *milliseconds = static_cast<float>(b.time->us_after(*a.time) / 1e3);
  });
}

inline result cuStreamWaitEvent(stream_handle stream, event_handle event, unsigned flags) {
  return guarded([&](machine& m) {
    current(m);
    const auto e = m.events.at(event);
    const auto own = capture_of(m, stream);
    if (flags == 1 && own) return submit(m, stream, wait_work{e, event});
    if (!e->capture) {
      if (own && e->last) invalidate(*own, result::stream_capture_isolation);
      if (!own) submit(m, stream, wait_work{e, event});
      return;
    }
    require(!is_default(stream), result::stream_capture_implicit);
    require(std::ranges::find(m.captures, e->capture) != m.captures.end(), result::captured_event);
    if (own && own != e->capture) invalidate(*own, result::stream_capture_merge);
    entry::stream& s = *m.streams.at(stream);
    s.capture = e->capture;
    for (const graph_node_handle n : e->frontier)
      if (std::ranges::find(s.frontier, n) == s.frontier.end()) s.frontier.push_back(n);
  });
}

inline result cuCtxRecordEvent(context_handle context, event_handle event) {
  return guarded([&](machine& m) {
    m.contexts.at(context);
    submit(m, nullptr, record_work{m.events.at(event), event});
  });
}

inline result cuCtxWaitEvent(context_handle context, event_handle event) {
  return guarded([&](machine& m) {
    m.contexts.at(context);
    submit(m, nullptr, wait_work{m.events.at(event), event});
  });
}

}  // namespace tg::emulator::entry
