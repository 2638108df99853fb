// The emulated driver's streams: work is done when it is submitted, unless something it must follow is pending.
#pragma once

#include <algorithm>
#include <thread>

#include <tg/emulator/driver_table/pending.hpp>

namespace tg::emulator::entry {

using driver::capture_mode;
using driver::stream_flag;

/// A capture that began on `origin` and spread to the streams that waited for its events.
struct capture {
  stream_handle origin;
  capture_mode mode;
  std::thread::id thread;
  context_handle owner;
  graph_handle made;
  std::uint64_t number;
  bool is_invalid = false;
};

struct stream {
  context_handle owner;
  stream_flag flags;
  int priority = 0;
  std::shared_ptr<entry::capture> capture;
  dynamic_array<graph_node_handle> frontier;  // what the next captured node comes after
  std::uint64_t number = 0;                   // that no other stream of the process has
};

/// The stream as the race checker knows it; each context has default streams of its own.
inline check::stream_name name_of(machine& m, stream_handle stream) {
  using check::stream_kind;
  if (is_default(stream)) {
    const std::uint64_t context = m.contexts.at(current(m))->number;
    if (is_legacy(stream)) return {context * 4 + 1, context, stream_kind::legacy};
    return {context * 4 + 2, context, stream_kind::blocking};
  }
  const entry::stream& own = *m.streams.at(stream);
  return {own.number * 4, m.contexts.at(own.owner)->number,
          own.flags == stream_flag::default_ ? stream_kind::blocking : stream_kind::non_blocking};
}

/// The device of a stream; the default streams are of the current context.
inline device_id device_of(machine& m, stream_handle stream) {
  return m.contexts.at(is_default(stream) ? current(m) : m.streams.at(stream)->owner)->device;
}

inline turn turn_of(machine& m, stream_handle stream) {
  if (!looks_for_races(m)) return {};
  return {legacy_name(stream), name_of(m, stream), m.stream_races.host(), device_of(m, stream)};
}

inline void invalidate(capture& c, result why) {
  c.is_invalid = true;
  throw refused{why};
}

/// How this thread's calls are judged while a capture goes on.
inline thread_local capture_mode thread_mode = capture_mode::global;

/// Refuses calls that could make a capture wrong: of any thread while a capture is global, of its own while
/// thread-local. Source: CUDA Driver API 13.0, cuThreadExchangeStreamCaptureMode.
inline void forbid_in_capture(machine& m) {
  if (thread_mode == capture_mode::relaxed) return;
  bool is_forbidden = false;
  for (const auto& c : m.captures) {
    const bool is_own = c->mode != capture_mode::relaxed && c->thread == std::this_thread::get_id();
    const bool is_global = c->mode == capture_mode::global && thread_mode == capture_mode::global;
    if (c->is_invalid || !(is_own || is_global)) continue;
    c->is_invalid = is_forbidden = true;
  }
  require(!is_forbidden, result::stream_capture_unsupported);
}

/// The capture that a stream is in; null when none.
inline std::shared_ptr<capture> capture_of(machine& m, stream_handle stream) {
  if (is_default(stream)) return nullptr;
  std::shared_ptr<capture> c = m.streams.at(stream)->capture;
  require(!c || !c->is_invalid, result::stream_capture_invalidated);
  return c;
}

/// Does the work now, or when what it must follow is done.
inline void enqueue(machine& m, stream_handle stream, entry::work work) {
  const bool is_blocking = is_default(stream) || m.streams.at(stream)->flags == stream_flag::default_;
  const auto* wait = std::get_if<wait_work>(&work);
  const auto* value = std::get_if<value_work>(&work);
  const bool must_wait =
      m.is_async || std::holds_alternative<host_work>(work) || (wait && !wait->is_ready()) || (value && !value->is_ready(m));
  const auto made =
      std::make_shared<pending_work>(pending_work{legacy_name(stream), is_blocking, std::move(work), turn_of(m, stream)});
  if (!must_wait && std::ranges::none_of(m.pending, [&](const auto& earlier) { return follows(*made, *earlier); }))
    return perform(m, made->turn, made->work);
  constexpr std::size_t most_pending = 64;  // a driver's queue is full at some point too
  while (m.pending.size() >= most_pending && go_on(m)) {}
  m.pending.push_back(made);
  m.last_submission = std::chrono::steady_clock::now();
  if (!m.is_draining) {
    m.is_draining = true;
    std::thread(drain, std::ref(m)).detach();
  }
  m.changed.notify_all();
}

/// The work as one submission does it: a record is of this moment.
inline void prepare(entry::work& work) {
  if (auto* record = std::get_if<record_work>(&work)) {
    record->event->last = record->made = std::make_shared<event_record>();
    record->event->capture = nullptr;
  } else if (auto* wait = std::get_if<wait_work>(&work); wait && wait->event) {
    wait->record = wait->event->last;
  }
}

/// The capture that work on the legacy stream would break: one that has a blocking stream of the current context; null: none.
inline std::shared_ptr<capture> broken_by_legacy(machine& m) {
  const context_handle here = current(m);
  std::shared_ptr<capture> found;
  if (m.captures.empty()) return found;
  m.streams.for_each([&](stream_handle, const stream& s) {
    if (s.capture && !s.capture->is_invalid && s.owner == here && s.flags == stream_flag::default_) found = s.capture;
  });
  return found;
}

/// Adds the work to the graph when the stream is captured, else enqueues it.
/// Errors: invalid_handle for a kernel on a stream of another device than the current context's. Source: CUDA C++ Programming
/// Guide 13.0, multi-device system, stream and event behavior.
inline void submit(machine& m, stream_handle stream, entry::work work) {
  const context_handle here = current(m);
  if (std::holds_alternative<kernel_work>(work))
    require(device_of(m, stream) == m.contexts.at(here)->device, result::invalid_handle);
  if (is_legacy(stream))
    if (const auto c = broken_by_legacy(m)) invalidate(*c, result::stream_capture_implicit);
  if (const std::shared_ptr<capture> c = capture_of(m, stream)) {
    auto& frontier = m.streams.at(stream)->frontier;
    frontier = {add_node(m, c->made, std::move(work), frontier)};
  } else {
    prepare(work);
    enqueue(m, stream, std::move(work));
  }
}

/// Takes every stream out of the capture.
/// Returns: whether the origin has waited for all of them.
inline bool leave(machine& m, const std::shared_ptr<capture>& c) {
  const auto seen = ancestors(m, m.streams.at(c->origin)->frontier);
  bool is_joined = true;
  m.streams.for_each([&](stream_handle, stream& s) {
    if (s.capture != c) return;
    for (const graph_node_handle n : s.frontier) is_joined = is_joined && seen.contains(n);
    s.capture = nullptr;
    s.frontier.clear();
  });
  tg::erase(m.captures, c);
  return is_joined;
}

/// A wait for a whole context is a wait for each of its captured streams, in whatever mode.
inline void forbid_context_wait(machine& m, context_handle context) {
  for (const auto& c : m.captures)
    if (c->owner == context && !c->is_invalid) invalidate(*c, result::stream_capture_unsupported);
  forbid_in_capture(m);
}

inline result cuCtxSynchronize() {
  return guarded([&](machine& m) {
    forbid_context_wait(m, current(m));
    wait_for_all(m);
  });
}

inline result cuCtxSynchronize_v2(context_handle context) {
  return guarded([&](machine& m) {
    if (context == nullptr) context = current(m);
    m.contexts.at(context);
    forbid_context_wait(m, context);
    wait_for_all(m);
  });
}

inline result cuStreamCreateWithPriority(stream_handle* out, stream_flag flags, int priority) {
  return guarded([&](machine& m) {
    require(out && (flags == stream_flag::default_ || flags == stream_flag::non_blocking));
    *out = m.streams.add(
        std::make_shared<stream>(stream{current(m), flags, std::clamp(priority, -5, 0), nullptr, {}, ++m.last_stream}));
  });
}

inline result cuStreamCreate(stream_handle* out, stream_flag flags) { return cuStreamCreateWithPriority(out, flags, 0); }

inline result cuStreamDestroy(stream_handle stream) {
  return guarded([&](machine& m) {
    if (const auto c = m.streams.at(stream)->capture) {
      c->is_invalid = true;
      leave(m, c);
      remove_graph(m, c->made);
    }
    m.streams.take(stream);
  });
}

/// Refuses a stream that is captured, or that a capture forbids to wait for.
inline void require_waitable(machine& m, stream_handle stream) {
  current(m);
  if (is_legacy(stream))
    if (const auto c = broken_by_legacy(m)) invalidate(*c, result::stream_capture_implicit);
  if (const auto c = capture_of(m, stream)) invalidate(*c, result::stream_capture_unsupported);
  forbid_in_capture(m);
}

inline result cuStreamSynchronize(stream_handle stream) {
  return guarded([&](machine& m) {
    require_waitable(m, stream);
    wait_while_pending(m, belongs_to(stream));
    if (looks_for_races(m)) m.stream_races.host_waits(name_of(m, stream));
  });
}

inline result cuStreamQuery(stream_handle stream) {
  return guarded([&](machine& m) {
    require_waitable(m, stream);
    go_on(m);
    require(std::ranges::none_of(m.pending, belongs_to(stream)), result::not_ready);
    if (looks_for_races(m)) m.stream_races.host_waits(name_of(m, stream));
    throw_deferred(m);
  });
}

inline result cuStreamGetFlags(stream_handle stream, unsigned* flags) {
  return guarded([&](machine& m) {
    require(flags);
    *flags = is_default(stream) ? 0 : static_cast<unsigned>(m.streams.at(stream)->flags);
  });
}

inline result cuStreamGetPriority(stream_handle stream, int* priority) {
  return guarded([&](machine& m) {
    require(priority);
    *priority = is_default(stream) ? 0 : m.streams.at(stream)->priority;
  });
}

inline result cuStreamGetCtx(stream_handle stream, context_handle* context) {
  return guarded([&](machine& m) {
    require(context);
    *context = is_default(stream) ? current(m) : m.streams.at(stream)->owner;
  });
}

/// As cuStreamGetCtx; no stream is of a green context.
inline result cuStreamGetCtx_v2(stream_handle stream, context_handle* context, void** green) {
  if (green) *green = nullptr;
  return cuStreamGetCtx(stream, context);
}

inline result cuStreamGetDevice(stream_handle stream, device_id* device) {
  return guarded([&](machine& m) {
    require(device);
    *device = device_of(m, stream);
  });
}

inline result cuStreamGetId(stream_handle stream, unsigned long long* number) {
  return guarded([&](machine& m) {
    require(number);
    if (!is_default(stream)) m.streams.at(stream);
    *number = reinterpret_cast<std::uintptr_t>(stream);
  });
}

inline void survive_fork() {
  [[maybe_unused]] static const int registered =  // once: the mutex is not recursive
      ::pthread_atfork([] { the_machine().mutex.lock(); }, [] { the_machine().mutex.unlock(); },
                       [] {
                         the_machine().pending.clear();
                         the_machine().is_draining = false;
                         the_machine().mutex.unlock();
                       });
}

}  // namespace tg::emulator::entry
