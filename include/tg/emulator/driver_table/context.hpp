// The emulated driver's calls about itself and about contexts.
#pragma once

#include <pthread.h>

#include <tg/emulator/driver_table/checks.hpp>
#include <tg/emulator/driver_table/device.hpp>

namespace tg::emulator::entry {

using driver::context_handle;

/// What the emulated driver says it is: CUDA 13.0.
inline constexpr int driver_version = 13000;

/// The context that is current on this thread; null when there is none.
inline context_handle top_context() { return context_stack.empty() ? nullptr : context_stack.back(); }

/// Makes `context` the one on top of this thread's stack.
inline void set_top_context(context_handle context) {
  if (!context_stack.empty()) context_stack.pop_back();
  if (context) context_stack.push_back(context);
}

/// The context that is current on this thread.
/// Errors: invalid_context when there is none; context_is_destroyed when it has ended.
inline context_handle current(machine& m) {
  const context_handle top = top_context();
  require(top != nullptr, result::invalid_context);
  require(m.contexts.contains(top), result::context_is_destroyed);
  return top;
}

/// Ends a context and frees what was made on it.
void destroy(machine& m, context_handle context);

/// Waits until no work is pending.
void wait_for_all(machine& m);

/// Says of the memory of a context which devices may use it now.
void update_users(machine& m, context_handle owner);

/// Refuses what a capture that goes on forbids to this thread, and ends that capture.
void forbid_in_capture(machine& m);

/// A child of fork has a device of its own, as its parent's was; what was pending is the parent's.
void survive_fork();

inline result cuInit(unsigned flags) {
  const std::lock_guard lock(the_machine().mutex);
  if (flags != 0) return result::invalid_value;
  if (!the_machine().is_initialized) {
    if (!obey_environment(the_machine())) return result::invalid_value;
    survive_fork();
  }
  the_machine().is_initialized = true;
  return result::success;
}

inline result cuDriverGetVersion(int* version) {
  if (version == nullptr) return result::invalid_value;
  *version = driver_version;
  return result::success;
}

inline result cuGetErrorName(result r, const char** name) {
  const driver::result_info* info = driver::find_result(r);
  if (name == nullptr) return result::invalid_value;
  *name = info ? info->name : nullptr;
  return info ? result::success : result::invalid_value;
}

inline result cuGetErrorString(result r, const char** text) {
  const driver::result_info* info = driver::find_result(r);
  if (text == nullptr) return result::invalid_value;
  *text = info ? info->text : nullptr;
  return info ? result::success : result::invalid_value;
}

inline context_handle add_context(machine& m, device_id device, bool is_primary, unsigned flags) {
  static unsigned long long last = 0;
  return m.contexts.add(std::make_shared<context>(context{is_primary, 1, flags, ++last, {}, device, {}}));
}

inline shown_device& device_at(machine& m, device_id device) {
  require_device(m, device);
  return m.devices[static_cast<std::size_t>(device)];
}

inline result cuDevicePrimaryCtxRetain(context_handle* out, device_id device) {
  return guarded([&](machine& m) {
    shown_device& d = device_at(m, device);
    require(out);
    if (d.primary == nullptr) d.primary = add_context(m, device, true, d.primary_flags);
    else ++m.contexts.at(d.primary)->users;
    *out = d.primary;
  });
}

inline result cuDevicePrimaryCtxRelease(device_id device) {
  return guarded([&](machine& m) {
    shown_device& d = device_at(m, device);
    require(d.primary != nullptr, result::invalid_context);
    if (--m.contexts.at(d.primary)->users == 0) destroy(m, std::exchange(d.primary, nullptr));
  });
}

inline result cuDevicePrimaryCtxReset(device_id device) {
  return guarded([&](machine& m) {
    shown_device& d = device_at(m, device);
    if (d.primary != nullptr) destroy(m, std::exchange(d.primary, nullptr));
  });
}

inline result cuDevicePrimaryCtxGetState(device_id device, unsigned* flags, int* is_active) {
  return guarded([&](machine& m) {
    const shown_device& d = device_at(m, device);
    if (flags) *flags = d.primary_flags;
    if (is_active) *is_active = d.primary != nullptr;
  });
}

inline result cuDevicePrimaryCtxSetFlags(device_id device, unsigned flags) {
  return guarded([&](machine& m) {
    shown_device& d = device_at(m, device);
    d.primary_flags = flags;
    if (d.primary) m.contexts.at(d.primary)->flags = flags;
  });
}

inline result cuCtxCreate(context_handle* out, unsigned flags, device_id device) {
  return guarded([&](machine& m) {
    require_device(m, device);
    require(out);
    require(!context_stack.is_full(), result::out_of_memory);
    context_stack.push_back(*out = add_context(m, device, false, flags));
  });
}

/// Versions 3 and 4 of cuCtxCreate; there are no affinities.
inline result cuCtxCreate_v3(context_handle* out, void*, int count, unsigned flags, device_id device) {
  return count > 0 ? result::unsupported_exec_affinity : cuCtxCreate(out, flags, device);
}
inline result cuCtxCreate_v4(context_handle* out, void* parameters, unsigned flags, device_id device) {
  return parameters ? result::not_supported : cuCtxCreate(out, flags, device);
}

inline result cuCtxDestroy(context_handle context) {
  return guarded([&](machine& m) {
    require(!m.contexts.at(context)->is_primary, result::invalid_context);
    destroy(m, context);
    if (top_context() == context) context_stack.pop_back();
  });
}

/// What is known of the call before stays to be asked for: who failed makes the former context current again, then asks.
inline result cuCtxSetCurrent(context_handle context) {
  const std::optional<error> report = last_report;
  const result r = guarded([&](machine& m) {
    require(context == nullptr || m.contexts.contains(context), result::invalid_context);
    set_top_context(context);
  });
  if (!last_report && report) last_report.emplace(*report);
  return r;
}

inline result cuCtxPushCurrent(context_handle context) {
  return guarded([&](machine& m) {
    require(m.contexts.contains(context), result::invalid_context);
    require(!context_stack.is_full(), result::out_of_memory);
    context_stack.push_back(context);
  });
}

inline result cuCtxPopCurrent(context_handle* context) {
  return guarded([&](machine&) {
    require(!context_stack.empty(), result::invalid_context);
    if (context) *context = context_stack.back();
    context_stack.pop_back();
  });
}

inline result cuCtxGetCurrent(context_handle* context) {
  return guarded([&](machine&) {
    require(context);
    *context = top_context();
  });
}

inline result cuCtxGetDevice(device_id* device) {
  return guarded([&](machine& m) {
    require(device);
    *device = m.contexts.at(current(m))->device;
  });
}

/// As cuCtxGetDevice, of any context; null is the current one.
inline result cuCtxGetDevice_v2(device_id* device, context_handle context) {
  return guarded([&](machine& m) {
    require(device);
    *device = m.contexts.at(context ? context : current(m))->device;
  });
}

inline result cuCtxGetFlags(unsigned* flags) {
  return guarded([&](machine& m) {
    require(flags);
    *flags = m.contexts.at(current(m))->flags;
  });
}

inline result cuCtxSetFlags(unsigned flags) {
  return guarded([&](machine& m) { m.contexts.at(current(m))->flags = flags; });
}

inline result cuCtxGetId(context_handle context, unsigned long long* number) {
  return guarded([&](machine& m) {
    require(number);
    *number = m.contexts.at(context ? context : current(m))->number;
  });
}

inline result cuCtxGetApiVersion(context_handle context, unsigned* version) {
  return guarded([&](machine& m) {
    require(version);
    m.contexts.at(context ? context : current(m));
    *version = 3020;
  });
}

/// What a limit is before it is set.
inline std::size_t default_of(driver::limit l) {
  switch (l) {
    case driver::limit::stack_size: return 1024;
    case driver::limit::printf_fifo_size: return 1 << 20;
    case driver::limit::malloc_heap_size: return 8 << 20;
    case driver::limit::dev_runtime_sync_depth: return 2;
    case driver::limit::dev_runtime_pending_launch_count: return 2048;
    case driver::limit::max_l2_fetch_granularity: return 64;
    case driver::limit::persisting_l2_cache_size:
    case driver::limit::shmem_size: return 0;
  }
  throw refused{result::unsupported_limit};
}

inline result cuCtxGetLimit(std::size_t* value, driver::limit l) {
  return guarded([&](machine& m) {
    require(value);
    const context& c = *m.contexts.at(current(m));
    const auto set = c.limits.find(l);
    *value = set == c.limits.end() ? default_of(l) : set->second;
  });
}

inline result cuCtxSetLimit(driver::limit l, std::size_t value) {
  return guarded([&](machine& m) {
    default_of(l);
    require(l != driver::limit::malloc_heap_size || m.memory.heap() == nullptr);
    m.contexts.at(current(m))->limits[l] = value;
  });
}

/// Calls about caches: there are none to choose from.
inline result cuCtxGetCacheConfig(int* config) {
  return guarded([&](machine& m) {
    require(config);
    current(m);
    *config = 0;
  });
}
inline result cuCtxSetCacheConfig(int config) {
  return guarded([&](machine& m) {
    current(m);
    require(config >= 0 && config <= 3);
  });
}
inline result cuCtxGetSharedMemConfig(int* config) { return cuCtxGetCacheConfig(config); }
inline result cuCtxSetSharedMemConfig(int config) { return cuCtxSetCacheConfig(config); }
inline result cuCtxResetPersistingL2Cache() {
  return guarded([&](machine& m) { current(m); });
}

inline result cuCtxGetStreamPriorityRange(int* least, int* greatest) {
  return guarded([&](machine& m) {
    current(m);
    if (least) *least = 0;
    if (greatest) *greatest = -5;
  });
}

/// Attachments of the oldest interface, counted as retains are.
inline result cuCtxAttach(context_handle* context, unsigned flags) {
  return guarded([&](machine& m) {
    require(context && flags == 0);
    ++m.contexts.at(*context = current(m))->users;
  });
}
inline result cuCtxDetach(context_handle context) {
  return guarded([&](machine& m) {
    if (--m.contexts.at(context)->users == 0) destroy(m, context);
  });
}

/// Which kernels reach the plain allocations of the peer: those of the current context's device.
inline result cuCtxEnablePeerAccess(context_handle peer, unsigned flags) {
  return guarded([&](machine& m) {
    context& own = *m.contexts.at(current(m));
    require(m.contexts.contains(peer), result::invalid_context);
    require(flags == 0);
    require(m.contexts.at(peer)->device != own.device, result::peer_access_unsupported);
    require(own.peers.insert(peer).second, result::peer_access_already_enabled);
    update_users(m, peer);
  });
}
inline result cuCtxDisablePeerAccess(context_handle peer) {
  return guarded([&](machine& m) {
    require(m.contexts.at(current(m))->peers.erase(peer) == 1, result::peer_access_not_enabled);
    update_users(m, peer);
  });
}

/// Profilers see the emulator's counters instead.
inline result cuProfilerStart() {
  return guarded([&](machine& m) { current(m); });
}
inline result cuProfilerStop() { return cuProfilerStart(); }

}  // namespace tg::emulator::entry
