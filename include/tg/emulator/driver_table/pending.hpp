// Work that the emulated driver has been given and not yet done, and the order in which it does it.
// Usually work is pending only behind a call of the host or an unmet wait. With asynchronous streams all work is, and is done
// as late as a program allows that waits for too little: when somebody waits, one piece after the other is drawn from what
// nothing keeps waiting, until what is waited for is done. The draws follow from a seed, so a missing wait shows again with the
// same one.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <thread>

#include <tg/emulator/driver_table/graph_nodes.hpp>
#include <tg/emulator/driver_table/stream_check.hpp>

namespace tg::emulator::entry {

/// Work that waits for its turn.
struct pending_work {
  stream_handle stream;
  bool is_blocking;  // takes part in the order of the legacy stream
  entry::work work;
  entry::turn turn;  // for the race checker
  bool is_running = false;
};

inline bool follows(const pending_work& later, const pending_work& earlier) {
  if (later.stream == earlier.stream) return true;
  return (later.stream == nullptr && earlier.is_blocking) || (earlier.stream == nullptr && later.is_blocking);
}

using pending_place = std::list<std::shared_ptr<pending_work>>::iterator;

/// Whether nothing before `at` in the list, and no condition of its own, keeps it waiting.
inline bool is_ready(machine& m, pending_place at) {
  if ((*at)->is_running) return false;
  for (auto earlier = m.pending.begin(); earlier != at; ++earlier)
    if (follows(**at, **earlier)) return false;
  if (const auto* wait = std::get_if<wait_work>(&(*at)->work)) return wait->is_ready();
  if (const auto* value = std::get_if<value_work>(&(*at)->work)) return value->is_ready(m);
  return true;
}

inline bool is_host_call(const pending_work& p) { return std::holds_alternative<host_work>(p.work); }

/// The next number of the generator that orders asynchronous work.
inline std::uint64_t draw(machine& m) {
  m.async_state += 0x9e3779b97f4a7c15u;  // splitmix64
  std::uint64_t z = m.async_state;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

/// A piece of work that can be done now: the first, with asynchronous streams any. The end of the list when there is none.
inline pending_place choose(machine& m, bool takes_host_calls) {
  dynamic_array<pending_place> ready;
  for (auto at = m.pending.begin(); at != m.pending.end(); ++at)
    if ((takes_host_calls || !is_host_call(**at)) && is_ready(m, at)) {
      if (!m.is_async) return at;
      ready.push_back(at);
    }
  return ready.empty() ? m.pending.end() : ready[draw(m) % ready.size()];
}

/// Does a piece of work and takes it from the list; a call of the host without the lock.
inline void do_pending(machine& m, pending_place at, std::unique_lock<std::mutex>* lock) {
  const std::shared_ptr<pending_work> what = *at;
  what->is_running = true;
  try {
    if (const auto* call = std::get_if<host_work>(&what->work)) {
      begin_host_call(m, what->turn);
      lock->unlock();
      (*call)(m);
    } else {
      perform(m, what->turn, what->work);
    }
  } catch (const refused& r) { m.deferred = r.result; } catch (const error& e) {
    m.deferred = tell(m, e);
    m.deferred_report.emplace(e);
  }
  if (lock != nullptr && !lock->owns_lock()) lock->lock();
  m.pending.erase(at);
  m.changed.notify_all();
}

/// How long asynchronous work is left alone when no call of the program comes.
inline constexpr std::chrono::milliseconds patience{20};

/// Does pending work until none is left. Asynchronous work other than calls of the host is left to who waits for it, or done
/// when the program has been quiet for a while: it may look at memory that the device writes.
inline void drain(machine& m) {
  std::unique_lock lock(m.mutex);
  while (!m.pending.empty()) {
    const bool leaves_others = m.is_async && std::chrono::steady_clock::now() - m.last_submission < patience;
    auto at = m.pending.end();
    if (!leaves_others) at = choose(m, true);
    else
      for (auto each = m.pending.begin(); each != m.pending.end() && at == m.pending.end(); ++each)
        if (is_host_call(**each) && is_ready(m, each)) at = each;
    if (at != m.pending.end()) do_pending(m, at, &lock);
    else m.changed.wait_for(m.mutex, std::chrono::microseconds(200));  // a wait may end by a write of the host
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

/// Does one piece of asynchronous work on this thread. Returns: whether there was one.
inline bool go_on(machine& m) {
  if (!m.is_async) return false;
  const auto at = choose(m, false);
  if (at == m.pending.end()) return false;
  do_pending(m, at, nullptr);
  return true;
}

/// Waits until `is_done()`, without the lock where another thread must do something first.
template <class Done> void wait_until(machine& m, Done is_done) {
  while (!is_done())
    if (!go_on(m)) m.changed.wait(m.mutex);
  throw_deferred(m);
}

/// Waits until no pending work is of a kind.
template <class Predicate> void wait_while_pending(machine& m, Predicate is_of_kind) {
  wait_until(m, [&] { return std::ranges::none_of(m.pending, is_of_kind); });
}

inline void wait_for_all(machine& m) {
  while (!m.pending.empty())
    if (!go_on(m)) m.changed.wait(m.mutex);
  if (looks_for_races(m)) m.stream_races.host_waits_for_all();
  throw_deferred(m);
}

/// What the stream has submitted, and for the legacy stream what every blocking stream has.
inline auto belongs_to(stream_handle stream) {
  return [own = legacy_name(stream)](const std::shared_ptr<pending_work>& p) {
    return p->stream == own || (!own && p->is_blocking);
  };
}

}  // namespace tg::emulator::entry
