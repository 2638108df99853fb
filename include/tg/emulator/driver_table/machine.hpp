// What the emulated driver keeps: its devices, its objects by handle, what each thread last did wrong.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <iterator>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include <tg/base/dynamic_array.hpp>
#include <tg/base/error.hpp>
#include <tg/driver/api.hpp>
#include <tg/emulator/check/stream_races.hpp>
#include <tg/emulator/counters/counters.hpp>
#include <tg/emulator/driver_table/counters_file.hpp>
#include <tg/emulator/driver_table/handle_table.hpp>
#include <tg/emulator/launch/session.hpp>
#include <tg/emulator/memory/memory.hpp>
#include <tg/emulator/run/run.hpp>

namespace tg::emulator::entry {

using driver::result;

/// Ends a call with a result of the driver; thrown and caught inside the emulated driver only.
struct refused { driver::result result; };

/// Objects of one type by handle.
template <class Handle, class T> class registry {
 public:
  Handle add(std::shared_ptr<T> object) { return (Handle)table_.add(std::move(object)); }

  /// Errors: invalid_handle for a handle that is not alive.
  std::shared_ptr<T> at(Handle handle) const {
    std::shared_ptr<void> found = table_.find((std::uintptr_t)handle);
    if (found == nullptr) throw refused{result::invalid_handle};
    return std::static_pointer_cast<T>(std::move(found));
  }

  std::shared_ptr<T> take(Handle handle) {
    std::shared_ptr<T> out = at(handle);
    table_.erase((std::uintptr_t)handle);
    return out;
  }

  bool contains(Handle handle) const { return table_.contains((std::uintptr_t)handle); }

  template <class F> void for_each(F f) {
    for (const auto& [handle, object] : table_) f((Handle)handle, *static_cast<T*>(object.get()));
  }

  template <class Predicate> void erase_if(Predicate p) {
    for (auto at = table_.begin(); at != table_.end();)
      at = p(*static_cast<const T*>(at->second.get())) ? table_.erase(at) : std::next(at);
  }

  void erase_owned_by(driver::context_handle owner) {
    erase_if([&](const T& object) { return object.owner == owner; });
  }

 private:
  handle_table table_;
};

/// A context; what it owns ends with it.
struct context {
  bool is_primary = false;
  int users = 1;  // retains of a primary context
  unsigned flags = 0;
  unsigned long long number = 0;
  std::map<driver::limit, std::size_t> limits;  // that were set
  driver::device_id device = 0;
  std::set<driver::context_handle> peers;  // of other devices, whose memory it may use
};

/// What one of the devices has of its own; memory and cores are the same for all.
struct shown_device {
  driver::context_handle primary = nullptr;
  unsigned primary_flags = 0;
  driver::pool_handle default_pool = nullptr;
  driver::pool_handle current_pool = nullptr;
};

struct module;
struct function;
struct stream;
struct event;
struct graph;
struct node;
struct executable;
struct library;
struct link;
struct pool;
struct physical;
struct user_object;
struct capture;
struct pending_work;

/// Memory that a call allocated, by its address.
struct owned_memory {
  driver::context_handle owner;
  enum class kind { device, managed, pinned } kind = kind::device;
  unsigned flags = 0;
  driver::pool_handle pool = nullptr;
};

/// The emulated devices and driver of this process. A call holds the mutex from begin to end, so the work of all streams
/// happens one after the other, each before its call returns; except what stands behind a host function or an unmet wait,
/// which a thread of the machine does later.
struct machine {
  emulator::memory memory;
  std::mutex mutex;
  bool is_initialized = false;
  bool is_driver = false;  // stands in for libcuda: errors are said on standard error, memory comes in the device's units
  registry<driver::context_handle, context> contexts;
  dynamic_array<shown_device> devices = dynamic_array<shown_device>(1);
  registry<driver::module_handle, module> modules;
  registry<driver::function_handle, function> functions;
  registry<driver::stream_handle, stream> streams;
  registry<driver::event_handle, event> events;
  registry<driver::graph_handle, graph> graphs;
  registry<driver::graph_node_handle, node> nodes;
  registry<driver::graph_exec_handle, executable> executables;
  registry<driver::library_handle, library> libraries;
  registry<driver::pool_handle, pool> pools;
  registry<driver::physical_handle, physical> physicals;
  registry<driver::user_object_handle, user_object> user_objects;
  registry<driver::link_handle, link> links;
  dynamic_array<std::shared_ptr<capture>> captures;  // that go on
  std::map<driver::device_address, owned_memory> allocations;
  std::map<driver::device_address, std::size_t> registered;    // host memory
  std::map<driver::device_address, std::size_t> reservations;  // of address space

  std::list<std::shared_ptr<pending_work>> pending;
  bool is_draining = false;  // a thread does the pending work
  bool is_async = false;     // all work is pending until somebody waits, and is done in an order that follows from a seed
  std::uint64_t async_state = 0;
  std::chrono::steady_clock::time_point last_submission{};
  std::condition_variable_any changed;
  result deferred = result::success;  // what went wrong in work that was pending
  std::optional<error> deferred_report;

  emulator::options options;
  check::session checks;
  check::stream_races stream_races;
  std::uint64_t last_stream = 0;  // number of the stream that was made last
  bool is_counting = false;
  emulator::counters counted;
  entry::counters_file counters_file;
};

/// The machine of this process; never destroyed, so that static objects may still free what they own.
inline machine& the_machine() {
  static machine& only = *new machine;
  return only;
}

/// Contexts that a thread has made current, the last one on top. It has no destructor, because objects with static storage
/// still call the driver when those of the thread have run.
class context_stack_of_thread {
 public:
  bool empty() const { return size_ == 0; }
  driver::context_handle back() const { return contexts_[size_ - 1]; }
  void pop_back() { --size_; }
  bool is_full() const { return size_ == contexts_.size(); }
  /// Requires: it is not full.
  void push_back(driver::context_handle context) { contexts_[size_++] = context; }

 private:
  std::array<driver::context_handle, 256> contexts_{};
  std::size_t size_ = 0;
};
inline constinit thread_local context_stack_of_thread context_stack;
inline thread_local std::optional<error> last_report;

/// The result that a driver gives for what the emulator found.
inline result result_of(code c) {
  const int number = static_cast<int>(c);
  if (number >= 300 && number <= 401) return result::invalid_ptx;
  switch (number) {
    case 403: return result::misaligned_address;
    case 421:
    case 425: return result::launch_timeout;
    case 440: return result::out_of_memory;
    case 441:
    case 442:
    case 443: return result::invalid_value;
    case 465: return result::invalid_pc;
    case 466: return result::assert_;
    case 467: return result::hardware_stack_error;
    case 468: return result::illegal_address;
    case 470:
    case 471:
    case 473: return result::invalid_ptx;
    case 472: return result::unsupported_ptx_version;
    default: return number < 420 ? result::illegal_address : result::launch_failed;
  }
}

/// The driver's result for an error, after a line on standard error where the machine is the driver.
inline result tell(const machine& m, const error& e) {
  if (m.is_driver) std::fprintf(stderr, "tg emulator: %s\n", e.what());
  return result_of(e.code());
}

/// Ends a call with `r` unless `ok`.
inline void require(bool ok, result r = result::invalid_value) {
  if (!ok) throw refused{r};
}

/// Runs the body of a call with the machine locked.
template <class F> result guarded(F body) noexcept {
  try {
    last_report.reset();
    machine& m = the_machine();
    const std::lock_guard lock(m.mutex);
    if (!m.is_initialized) return result::not_initialized;
    body(m);
    return result::success;
  } catch (const refused& r) { return r.result; } catch (const error& e) {
    last_report.emplace(e);
    return tell(the_machine(), e);
  } catch (const std::bad_alloc&) { return result::out_of_memory; } catch (...) {
    return result::unknown;
  }
}

}  // namespace tg::emulator::entry
