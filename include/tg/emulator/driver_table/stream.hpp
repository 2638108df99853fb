// The emulated driver's calls about streams and events, and the capture of a stream into a graph.
#pragma once

#include <algorithm>
#include <chrono>
#include <functional>
#include <map>
#include <thread>
#include <vector>

#include <tg/emulator/driver_table/context.hpp>

namespace tg::emulator::entry {

using driver::capture_mode;
using driver::capture_status;
using driver::event_flag;
using driver::event_handle;
using driver::graph_handle;
using driver::stream_flag;
using driver::stream_handle;

/// Work in the order in which it was captured, which is an order that its dependencies allow.
struct graph {
  context_handle owner;
  std::vector<std::function<void()>> nodes;
};

/// For each stream, how many nodes of the capture are known to come before.
using progress = std::map<stream_handle, std::size_t>;

/// A capture that began on `origin` and spread to the streams that waited for its events.
struct capture {
  stream_handle origin;
  capture_mode mode;
  std::thread::id thread;
  graph made;
  bool is_invalid = false;
};

struct stream {
  context_handle owner;
  stream_flag flags;
  std::shared_ptr<entry::capture> capture;
  progress seen;
};

struct event {
  context_handle owner;
  event_flag flags;
  std::optional<std::chrono::steady_clock::time_point> time;
  std::shared_ptr<entry::capture> capture;  // that it was recorded in
  progress seen;
};

/// 0, and the handles 1 and 2 by which the legacy and the per-thread default stream are named.
inline bool is_default(stream_handle s) { return reinterpret_cast<std::uintptr_t>(s) <= 2; }
inline bool is_legacy(stream_handle s) { return reinterpret_cast<std::uintptr_t>(s) <= 1; }

inline void invalidate(capture& c, result why) {
  c.is_invalid = true;
  throw refused{why};
}

/// Refuses calls that could make a capture wrong: of any thread while a capture is global, of its own while thread-local.
inline void forbid_in_capture(machine& m) {
  for (const auto& c : m.captures)
    if (c->mode == capture_mode::global ||
        (c->mode == capture_mode::thread_local_ && c->thread == std::this_thread::get_id()))
      invalidate(*c, result::stream_capture_unsupported);
}

/// The capture that a stream is in; null when none.
inline std::shared_ptr<capture> capture_of(machine& m, stream_handle stream) {
  if (is_default(stream)) return nullptr;
  std::shared_ptr<capture> c = m.streams.at(stream)->capture;
  require(!c || !c->is_invalid, result::stream_capture_invalidated);
  return c;
}

/// Runs the work now, or adds it to the graph when the stream is captured.
inline void submit(machine& m, stream_handle stream, std::function<void()> work) {
  current(m);
  if (is_legacy(stream))
    for (const auto& c : m.captures)
      if (m.streams.at(c->origin)->flags == stream_flag::default_) invalidate(*c, result::stream_capture_implicit);
  if (const std::shared_ptr<capture> c = capture_of(m, stream)) {
    c->made.nodes.push_back(std::move(work));
    m.streams.at(stream)->seen[stream] = c->made.nodes.size();
  } else {
    work();
  }
}

/// Takes every stream out of the capture.
/// Returns: whether the origin has waited for all of them.
inline bool leave(machine& m, const std::shared_ptr<capture>& c) {
  bool is_joined = true;
  progress& at_origin = m.streams.at(c->origin)->seen;
  m.streams.for_each([&](stream_handle handle, stream& s) {
    if (s.capture != c) return;
    if (handle != c->origin && (!at_origin.contains(handle) || at_origin[handle] < s.seen[handle])) is_joined = false;
    s.capture = nullptr;
  });
  m.streams.for_each([&](stream_handle, stream& s) {
    if (!s.capture) s.seen.clear();
  });
  std::erase(m.captures, c);
  return is_joined;
}

inline result cuCtxSynchronize() {
  return guarded([&](machine& m) {
    current(m);
    forbid_in_capture(m);
  });
}

inline result cuStreamCreateWithPriority(stream_handle* out, stream_flag flags, int) {
  return guarded([&](machine& m) {
    require(out && (flags == stream_flag::default_ || flags == stream_flag::non_blocking));
    *out = m.streams.add(std::make_shared<stream>(stream{current(m), flags, nullptr, {}}));
  });
}

inline result cuStreamCreate(stream_handle* out, stream_flag flags) { return cuStreamCreateWithPriority(out, flags, 0); }

inline result cuStreamDestroy(stream_handle stream) {
  return guarded([&](machine& m) {
    if (const auto c = m.streams.at(stream)->capture) {
      c->is_invalid = true;
      leave(m, c);
    }
    m.streams.take(stream);
  });
}

inline result cuStreamSynchronize(stream_handle stream) {
  return guarded([&](machine& m) {
    current(m);
    if (is_legacy(stream)) forbid_in_capture(m);
    if (const auto c = capture_of(m, stream)) invalidate(*c, result::stream_capture_unsupported);
  });
}

inline result cuStreamQuery(stream_handle stream) { return cuStreamSynchronize(stream); }

inline result cuStreamBeginCapture(stream_handle stream, capture_mode mode) {
  return guarded([&](machine& m) {
    require(!is_default(stream), result::stream_capture_unsupported);
    entry::stream& s = *m.streams.at(stream);
    require(!s.capture, result::illegal_state);
    s.capture = m.captures.emplace_back(
        std::make_shared<capture>(capture{stream, mode, std::this_thread::get_id(), {current(m), {}}}));
  });
}

inline result cuStreamEndCapture(stream_handle stream, graph_handle* out) {
  return guarded([&](machine& m) {
    require(out);
    *out = nullptr;
    require(!is_default(stream), result::illegal_state);
    const std::shared_ptr<capture> c = m.streams.at(stream)->capture;
    require(c != nullptr, result::illegal_state);
    require(c->origin == stream, result::stream_capture_unmatched);
    require(c->mode == capture_mode::relaxed || c->thread == std::this_thread::get_id(),
            result::stream_capture_wrong_thread);
    const bool is_joined = leave(m, c);
    require(!c->is_invalid, result::stream_capture_invalidated);
    require(is_joined, result::stream_capture_unjoined);
    *out = m.graphs.add(std::make_shared<graph>(std::move(c->made)));
  });
}

inline result cuStreamIsCapturing(stream_handle stream, capture_status* status) {
  return guarded([&](machine& m) {
    require(status);
    const auto c = is_default(stream) ? nullptr : m.streams.at(stream)->capture;
    *status = !c ? capture_status::none : c->is_invalid ? capture_status::invalidated : capture_status::active;
  });
}

inline result cuStreamWaitEvent(stream_handle stream, event_handle event, unsigned) {
  return guarded([&](machine& m) {
    current(m);
    const entry::event& e = *m.events.at(event);
    const auto own = capture_of(m, stream);
    if (!e.capture) {
      if (own && e.time) invalidate(*own, result::stream_capture_isolation);
      return;
    }
    require(!is_default(stream), result::stream_capture_implicit);
    require(std::ranges::find(m.captures, e.capture) != m.captures.end(), result::captured_event);
    if (own && own != e.capture) invalidate(*own, result::stream_capture_merge);
    entry::stream& s = *m.streams.at(stream);
    s.capture = e.capture;
    s.seen.try_emplace(stream, 0);
    for (const auto& [other, count] : e.seen) s.seen[other] = std::max(s.seen[other], count);
  });
}

inline result cuEventCreate(event_handle* out, event_flag flags) {
  return guarded([&](machine& m) {
    require(out);
    *out = m.events.add(std::make_shared<event>(event{current(m), flags, {}, nullptr, {}}));
  });
}

inline result cuEventDestroy(event_handle event) {
  return guarded([&](machine& m) { m.events.take(event); });
}

inline result cuEventRecord(event_handle event, stream_handle stream) {
  return guarded([&](machine& m) {
    current(m);
    entry::event& e = *m.events.at(event);
    e.capture = capture_of(m, stream);
    if (e.capture) {
      e.seen = m.streams.at(stream)->seen;
      e.time.reset();
    } else {
      e.time = std::chrono::steady_clock::now();
    }
  });
}

inline result cuEventSynchronize(event_handle event) {
  return guarded([&](machine& m) {
    if (const auto c = m.events.at(event)->capture) invalidate(*c, result::captured_event);
  });
}

inline result cuEventQuery(event_handle event) { return cuEventSynchronize(event); }

inline result cuEventElapsedTime(float* milliseconds, event_handle start, event_handle end) {
  return guarded([&](machine& m) {
    require(milliseconds);
    const event& a = *m.events.at(start);
    const event& b = *m.events.at(end);
    for (const event* e : {&a, &b})
      require(e->time && (static_cast<unsigned>(e->flags) & static_cast<unsigned>(event_flag::disable_timing)) == 0,
              result::invalid_handle);
    *milliseconds = std::chrono::duration<float, std::milli>(*b.time - *a.time).count();
  });
}

}  // namespace tg::emulator::entry
