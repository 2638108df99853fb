// The emulated driver's streams: work is done when it is submitted, unless something it must follow is pending.
#pragma once

#include <algorithm>
#include <thread>

#include <tg/emulator/driver_table/graph_nodes.hpp>

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
};

/// Work that waits for its turn.
struct pending_work {
  stream_handle stream;
  bool is_blocking;  // takes part in the order of the legacy stream
  entry::work work;
};

/// 0, and the handles 1 and 2 by which the legacy and the per-thread default stream are named.
inline bool is_default(stream_handle s) { return reinterpret_cast<std::uintptr_t>(s) <= 2; }
inline bool is_legacy(stream_handle s) { return reinterpret_cast<std::uintptr_t>(s) <= 1; }
inline stream_handle legacy_name(stream_handle s) { return is_legacy(s) ? nullptr : s; }

inline void invalidate(capture& c, result why) {
  c.is_invalid = true;
  throw refused{why};
}

/// How this thread's calls are judged while a capture goes on.
inline thread_local capture_mode thread_mode = capture_mode::global;

/// Refuses calls that could make a capture wrong: of any thread while a capture is global, of its own while
/// thread-local.
inline void forbid_in_capture(machine& m) {
  if (thread_mode == capture_mode::relaxed) return;
  for (const auto& c : m.captures)
    if ((c->mode == capture_mode::global && thread_mode == capture_mode::global) ||
        (c->mode != capture_mode::relaxed && c->thread == std::this_thread::get_id()))
      invalidate(*c, result::stream_capture_unsupported);
}

/// The capture that a stream is in; null when none.
inline std::shared_ptr<capture> capture_of(machine& m, stream_handle stream) {
  if (is_default(stream)) return nullptr;
  std::shared_ptr<capture> c = m.streams.at(stream)->capture;
  require(!c || !c->is_invalid, result::stream_capture_invalidated);
  return c;
}

inline bool follows(const pending_work& later, const pending_work& earlier) {
  if (later.stream == earlier.stream) return true;
  return (later.stream == nullptr && earlier.is_blocking) || (earlier.stream == nullptr && later.is_blocking);
}

/// Whether nothing before `at` in the list, and no condition of its own, keeps it waiting.
inline bool is_ready(machine& m, std::list<std::shared_ptr<pending_work>>::iterator at) {
  for (auto earlier = m.pending.begin(); earlier != at; ++earlier)
    if (follows(**at, **earlier)) return false;
  if (const auto* wait = std::get_if<wait_work>(&(*at)->work)) return wait->is_ready();
  if (const auto* value = std::get_if<value_work>(&(*at)->work)) return value->is_ready(m);
  return true;
}

/// Does pending work until none is left; calls of the host without the lock.
inline void drain(machine& m) {
  std::unique_lock lock(m.mutex);
  while (!m.pending.empty()) {
    auto at = m.pending.begin();
    try {
      while (at != m.pending.end() && !is_ready(m, at)) ++at;
      if (at == m.pending.end()) {
        m.changed.wait_for(m.mutex, std::chrono::microseconds(200));  // a wait may end by a write of the host
        continue;
      }
      if (const auto* call = std::get_if<host_work>(&(*at)->work)) {
        lock.unlock();
        (*call)(m);
        lock.lock();
      } else {
        perform(m, (*at)->work);
      }
    } catch (const refused& r) { m.deferred = r.result; } catch (const error& e) {
      m.deferred = tell(m, e);
      m.deferred_report.emplace(e);
    }
    if (!lock.owns_lock()) lock.lock();
    m.pending.erase(at);
    m.changed.notify_all();
  }
  m.is_draining = false;
}

/// Throws what went wrong in pending work since the last such call.
inline void throw_deferred(machine& m) {
  if (m.deferred == result::success) return;
  last_report.reset();
  if (m.deferred_report) last_report.emplace(*m.deferred_report);
  m.deferred_report.reset();
  throw refused{std::exchange(m.deferred, result::success)};
}

/// Waits, without the lock, until no pending work is of a kind.
template <class Predicate> void wait_while_pending(machine& m, Predicate is_of_kind) {
  while (std::ranges::any_of(m.pending, is_of_kind)) m.changed.wait(m.mutex);
  throw_deferred(m);
}

inline void wait_for_all(machine& m) {
  wait_while_pending(m, [](const auto&) { return true; });
}

/// What the stream has submitted, and for the legacy stream what every blocking stream has.
inline auto belongs_to(stream_handle stream) {
  return [own = legacy_name(stream)](const std::shared_ptr<pending_work>& p) {
    return p->stream == own || (!own && p->is_blocking);
  };
}

/// Does the work now, or when what it must follow is done.
inline void enqueue(machine& m, stream_handle stream, entry::work work) {
  const bool is_blocking = is_default(stream) || m.streams.at(stream)->flags == stream_flag::default_;
  const auto* wait = std::get_if<wait_work>(&work);
  const auto* value = std::get_if<value_work>(&work);
  const bool must_wait =
      std::holds_alternative<host_work>(work) || (wait && !wait->is_ready()) || (value && !value->is_ready(m));
  const auto made = std::make_shared<pending_work>(pending_work{legacy_name(stream), is_blocking, std::move(work)});
  if (!must_wait && std::ranges::none_of(m.pending, [&](const auto& earlier) { return follows(*made, *earlier); }))
    return perform(m, made->work);
  m.pending.push_back(made);
  if (!m.is_draining) {
    m.is_draining = true;
    std::thread(drain, std::ref(m)).detach();
  }
  m.changed.notify_all();
}

/// The work as one submission does it: a record is of this moment.
inline void prepare(entry::work& work) {
  if (auto* record = std::get_if<record_work>(&work)) {
    record->event->is_done = record->is_done = std::make_shared<bool>(false);
    record->event->capture = nullptr;
  } else if (auto* wait = std::get_if<wait_work>(&work); wait && wait->event) {
    wait->is_done = wait->event->is_done;
  }
}

/// Adds the work to the graph when the stream is captured, else enqueues it.
inline void submit(machine& m, stream_handle stream, entry::work work) {
  current(m);
  if (is_legacy(stream))
    for (const auto& c : m.captures)
      if (m.streams.at(c->origin)->flags == stream_flag::default_) invalidate(*c, result::stream_capture_implicit);
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

inline result cuCtxSynchronize() {
  return guarded([&](machine& m) {
    current(m);
    forbid_in_capture(m);
    wait_for_all(m);
  });
}

inline result cuCtxSynchronize_v2(context_handle context) {
  return guarded([&](machine& m) {
    m.contexts.at(context ? context : current(m));
    forbid_in_capture(m);
    wait_for_all(m);
  });
}

inline result cuStreamCreateWithPriority(stream_handle* out, stream_flag flags, int priority) {
  return guarded([&](machine& m) {
    require(out && (flags == stream_flag::default_ || flags == stream_flag::non_blocking));
    *out = m.streams.add(std::make_shared<stream>(stream{current(m), flags, std::clamp(priority, -5, 0), nullptr, {}}));
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
  if (is_legacy(stream)) forbid_in_capture(m);
  if (const auto c = capture_of(m, stream)) invalidate(*c, result::stream_capture_unsupported);
}

inline result cuStreamSynchronize(stream_handle stream) {
  return guarded([&](machine& m) {
    require_waitable(m, stream);
    wait_while_pending(m, belongs_to(stream));
  });
}

inline result cuStreamQuery(stream_handle stream) {
  return guarded([&](machine& m) {
    require_waitable(m, stream);
    require(std::ranges::none_of(m.pending, belongs_to(stream)), result::not_ready);
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
    *device = m.contexts.at(is_default(stream) ? current(m) : m.streams.at(stream)->owner)->device;
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
