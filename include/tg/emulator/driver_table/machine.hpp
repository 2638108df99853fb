// What the emulated driver keeps: one device, its objects by handle, what each thread last did wrong.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <tg/base/error.hpp>
#include <tg/driver/api.hpp>
#include <tg/emulator/counters.hpp>
#include <tg/emulator/memory.hpp>
#include <tg/emulator/run.hpp>

namespace tg::emulator::entry {

using driver::result;

/// Ends a call with a result of the driver; thrown and caught inside the emulated driver only.
struct refused {
  driver::result result;
};

/// Objects of one type by handle. A handle is never given twice, so a stale one is always found out.
template <class Handle, class T>
class registry {
 public:
  Handle add(std::shared_ptr<T> object) {
    static std::uintptr_t next = 0x1000;
    const auto handle = reinterpret_cast<Handle>(next += 0x10);
    objects_.emplace(handle, std::move(object));
    return handle;
  }

  /// Errors: invalid_handle for a handle that is not alive.
  std::shared_ptr<T> at(Handle handle) const {
    const auto found = objects_.find(handle);
    if (found == objects_.end()) throw refused{result::invalid_handle};
    return found->second;
  }

  std::shared_ptr<T> take(Handle handle) {
    std::shared_ptr<T> out = at(handle);
    objects_.erase(handle);
    return out;
  }

  template <class F>
  void for_each(F f) {
    for (auto& [handle, object] : objects_) f(handle, *object);
  }

  template <class Predicate>
  void erase_if(Predicate p) {
    std::erase_if(objects_, [&](const auto& entry) { return p(*entry.second); });
  }

  void erase_owned_by(driver::context_handle owner) {
    erase_if([&](const T& object) { return object.owner == owner; });
  }

 private:
  std::map<Handle, std::shared_ptr<T>> objects_;
};

/// A context; what it owns ends with it.
struct context {
  bool is_primary = false;
  int users = 1;  // retains of a primary context
};

struct module;
struct function;
struct stream;
struct event;
struct graph;
struct link;
struct capture;

/// The emulated device and driver of this process. A call holds the mutex from begin to end, so the work of all streams
/// happens one after the other, each before its call returns.
struct machine {
  emulator::memory memory;
  std::mutex mutex;
  bool is_initialized = false;
  registry<driver::context_handle, context> contexts;
  driver::context_handle primary = nullptr;
  registry<driver::module_handle, module> modules;
  registry<driver::function_handle, function> functions;
  registry<driver::stream_handle, stream> streams;
  registry<driver::event_handle, event> events;
  registry<driver::graph_handle, graph> graphs;
  registry<driver::graph_exec_handle, graph> executables;  // each a copy of the graph it was made from
  registry<driver::link_handle, link> links;
  std::vector<std::shared_ptr<capture>> captures;  // that go on
  std::map<driver::device_address, driver::context_handle> allocations;
  std::map<void*, std::unique_ptr<std::byte[]>> host_memory;

  emulator::options options;
  bool is_counting = false;
  emulator::counters counted;
};

/// The machine of this process; never destroyed, so that static objects may still free what they own.
inline machine& the_machine() {
  static machine& only = *new machine;
  return only;
}

inline thread_local driver::context_handle current_context = nullptr;
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
    case 442: return result::invalid_value;
    default: return number < 420 ? result::illegal_address : result::launch_failed;
  }
}

/// Ends a call with `r` unless `ok`.
inline void require(bool ok, result r = result::invalid_value) {
  if (!ok) throw refused{r};
}

/// Runs the body of a call with the machine locked.
template <class F>
result guarded(F body) noexcept {
  try {
    last_report.reset();
    machine& m = the_machine();
    const std::lock_guard lock(m.mutex);
    if (!m.is_initialized) return result::not_initialized;
    body(m);
    return result::success;
  } catch (const refused& r) {
    return r.result;
  } catch (const error& e) {
    last_report.emplace(e);
    return result_of(e.code());
  } catch (const std::bad_alloc&) {
    return result::out_of_memory;
  } catch (...) {
    return result::unknown;
  }
}

}  // namespace tg::emulator::entry
