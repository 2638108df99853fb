// How a context is opened and closed, and what it says when a call fails.
#pragma once

#include <tg/runtime/context.hpp>

#include <map>
#include <mutex>
#include <utility>

#include <tg/base/config.hpp>
#include <tg/base/dynamic_array.hpp>
#include <tg/runtime/launch_memory.hpp>
#include <tg/runtime/staging.hpp>

namespace tg::runtime {

struct context::rest {
  struct peer {
    int users = 0;
    bool is_enabled_here = false;
  };

  std::mutex mutex;
  std::map<const context*, peer> peers;    // whose memory this device's kernels may use
  std::mutex observers_mutex;              // taken before that of a pool
  std::map<driver::device_id, int> users;  // devices whose kernels may use this one's memory
  dynamic_array<context_observer*> observers;
  runtime::launch_memory launch_memory;
  tg::runtime::staging staging;
};

TG_LIBRARY_FUNCTION std::shared_ptr<context> context::open(machine m) {
  struct entry {
    std::weak_ptr<context> known;
    std::shared_ptr<context> kept;
  };
  static std::mutex mutex;
  // Never destroyed: at the end of a process the driver may be gone before.
  static auto& opened = *new std::map<std::pair<const driver::table*, int>, entry>;
  const std::lock_guard lock(mutex);
  entry& e = opened[{m.api, m.ordinal}];
  if (auto alive = e.known.lock(); alive && !alive->is_reset_) return alive;
  std::shared_ptr<context> made(new context(m));
  e.known = made;
  e.kept = m.is_kept ? made : nullptr;
  return made;
}

inline context::context(machine m) : api_(*m.api), ordinal_(m.ordinal), is_kept_(m.is_kept) {
  if (!is_emulated()) driver::watch_forks();
  if (is_lost()) refuse_call("cuInit");
  driver::call(api_, api_.cuInit, 0u);
  const relaxed_capture relaxed(api_, capture_rule::unsafe);
  driver::call(api_, api_.cuDeviceGet, &device_, ordinal_);
  char name[256] = {};
  driver::call(api_, api_.cuDeviceGetName, name, 255, device_);
  name_ = name;
  using enum driver::device_attribute;
  const auto extent = [&](driver::device_attribute a) { return static_cast<std::uint32_t>(attribute(a)); };
  limits_.grid = {extent(max_grid_dim_x), extent(max_grid_dim_y), extent(max_grid_dim_z)};
  limits_.block = {extent(max_block_dim_x), extent(max_block_dim_y), extent(max_block_dim_z)};
  limits_.block_threads = extent(max_threads_per_block);
  limits_.shared_bytes = extent(max_shared_memory_per_block);
  limits_.shared_bytes_opt_in = extent(max_shared_memory_per_block_optin);
  limits_.multiprocessor_shared_bytes = extent(max_shared_memory_per_multiprocessor);
  limits_.block_registers = attribute(max_registers_per_block);
  limits_.multiprocessor_registers = attribute(max_registers_per_multiprocessor);
  limits_.multiprocessor_threads = attribute(max_threads_per_multiprocessor);
  limits_.multiprocessor_blocks = attribute(max_blocks_per_multiprocessor);
  limits_.multiprocessors = attribute(multiprocessor_count);
  limits_.compute_capability = 10 * attribute(compute_capability_major) + attribute(compute_capability_minor);
  driver::call(api_, api_.cuDriverGetVersion, &limits_.driver_version);
  limits_.has_cooperative_launch = has(cooperative_launch);
  limits_.has_clusters = has_younger(cluster_launch);
  limits_.has_managed_memory = has(managed_memory);
  limits_.has_prefetch = limits_.has_managed_memory && has(concurrent_managed_access);
  limits_.has_memory_pools = has(memory_pools_supported);
  limits_.has_virtual_memory = has(virtual_memory_management_supported);
  if (api_.cuCtxSetCurrent == nullptr)
    driver::detail::fail_missing(api_, driver::detail::symbol_at(api_, &api_.cuCtxSetCurrent));
  if (api_.cuCtxGetCurrent == nullptr)
    driver::detail::fail_missing(api_, driver::detail::symbol_at(api_, &api_.cuCtxGetCurrent));
  if (api_.cuDevicePrimaryCtxRelease == nullptr)
    driver::detail::fail_missing(api_, driver::detail::symbol_at(api_, &api_.cuDevicePrimaryCtxRelease));
  driver::call(api_, api_.cuDevicePrimaryCtxRetain, &native_, device_);
}

TG_LIBRARY_FUNCTION std::shared_ptr<context::rest> context::make_rest() { return std::make_shared<rest>(); }
TG_LIBRARY_FUNCTION tg::runtime::staging& context::staging() { return rest_->staging; }
TG_LIBRARY_FUNCTION runtime::launch_memory& context::launch_memory() { return rest_->launch_memory; }
TG_LIBRARY_FUNCTION void context::copy_staged(driver::stream_handle stream, driver::device_address to, const void* from,
                                              std::size_t bytes) {
  rest_->staging.copy(*this, stream, to, from, bytes);
}

TG_LIBRARY_FUNCTION std::string context::label() const {
  return ordinal_ == 0 ? name_ : name_ + " (device " + std::to_string(ordinal_) + ")";
}

TG_LIBRARY_FUNCTION void context::synchronize() {
  call(api_.cuCtxSynchronize);
  after_host_calls::wait();
  launches_.forget();
}

TG_LIBRARY_FUNCTION void context::synchronize(driver::stream_handle stream) {
  call(api_.cuStreamSynchronize, stream);
  after_host_calls::wait();
  launches_.forget(stream);
}

TG_LIBRARY_FUNCTION void context::forget(const char* kernel, driver::function_handle function) {
  launches_.forget_name(kernel);
  rest_->launch_memory.forget(function);
}

TG_LIBRARY_FUNCTION bool context::is_peer(const context* other) {
  const std::lock_guard lock(rest_->mutex);
  const auto found = rest_->peers.find(other);
  return found != rest_->peers.end() && found->second.users > 0;
}

TG_LIBRARY_FUNCTION std::string context::end_capture(driver::stream_handle stream) noexcept {
  capture_watch::remains left = captures_.end(stream);
  for (const auto& work : left.put_off) work();
  return std::move(left.culprit);
}

inline context::~context() {
  if (is_lost()) return;
  for (context_observer* const o : rest_->observers) o->context_ends();
  rest_->staging.clear(*this);
  if (plain_event_ != nullptr) release(api_.cuEventDestroy, plain_event_);
  for (const driver::module_handle module : modules_.clear()) release(api_.cuModuleUnload, module);
  const relaxed_capture relaxed(api_, capture_rule::unsafe);
  api_.cuDevicePrimaryCtxRelease(device_);
}

inline int context::attribute(driver::device_attribute a) {
  int value = 0;
  driver::call(api_, api_.cuDeviceGetAttribute, &value, a, device_);
  return value;
}

inline bool context::has_younger(driver::device_attribute a) {
  int value = 0;
  const driver::result r = api_.cuDeviceGetAttribute(&value, a, device_);
  return r == driver::result::invalid_value ? false : has(a);
}

TG_LIBRARY_FUNCTION std::string context::label_beside(const context& other) const {
  std::string out(1, '\'');
  out += label();
  out += '\'';
  if (&other != this && label() == other.label()) out += &api_ != &other.api_ ? " of another driver" : " in another context";
  return out;
}

TG_LIBRARY_FUNCTION bool context::is_done(driver::stream_handle stream) {
  const driver::result r = attempt(api_.cuStreamQuery, stream);
  if (r == driver::result::not_ready) return false;
  if (r != driver::result::success) [[unlikely]]
    fail(r, driver::describe(api_, api_.cuStreamQuery, stream), {}, stream);
  return true;
}

TG_LIBRARY_FUNCTION driver::result context::begin_peer(context& owner) {
  {
    const std::lock_guard lock(rest_->mutex);
    rest::peer& p = rest_->peers[&owner];
    if (p.users == 0) {
      const driver::result r = attempt(api_.cuCtxEnablePeerAccess, owner.native_, 0u);
      if (r != driver::result::success && r != driver::result::peer_access_already_enabled) return r;
      p.is_enabled_here = r == driver::result::success;
    }
    ++p.users;
  }
  try {
    const std::lock_guard lock(owner.rest_->observers_mutex);
    if (++owner.rest_->users[device_] == 1)
      for (context_observer* const o : owner.rest_->observers) o->set_user(device_, true);
  } catch (...) {
    end_peer(owner);
    throw;
  }
  return driver::result::success;
}

TG_LIBRARY_FUNCTION void context::end_peer(context& owner) noexcept {
  {
    const std::lock_guard lock(owner.rest_->observers_mutex);
    if (--owner.rest_->users[device_] == 0)
      for (context_observer* const o : owner.rest_->observers) o->set_user(device_, false);
  }
  const std::lock_guard lock(rest_->mutex);
  rest::peer& p = rest_->peers[&owner];
  if (--p.users == 0 && p.is_enabled_here) release(api_.cuCtxDisablePeerAccess, owner.native_);
}

TG_LIBRARY_FUNCTION void context::add_observer(context_observer& o) {
  const std::lock_guard lock(rest_->observers_mutex);
  for (const auto& [device, count] : rest_->users)
    if (count > 0) o.set_user(device, true);
  rest_->observers.push_back(&o);
}

TG_LIBRARY_FUNCTION void context::remove_observer(context_observer& o) noexcept {
  const std::lock_guard lock(rest_->observers_mutex);
  tg::erase(rest_->observers, &o);
}

TG_LIBRARY_FUNCTION void context::end_stream(driver::stream_handle stream) noexcept {
  if (is_lost()) return;
  {
    const std::lock_guard lock(rest_->observers_mutex);
    for (context_observer* const o : rest_->observers) o->stream_ends(stream);
    if (tg::erase(non_blocking_, stream) != 0) {
      try {
        order(stream, nullptr);  // its work still comes before the plain work from now on
      } catch (const error&) {}
      has_non_blocking_ = !non_blocking_.empty();
    }
  }
  release(api_.cuStreamDestroy, stream);
}

TG_LIBRARY_FUNCTION std::pair<int, int> context::priorities() {
  const std::lock_guard lock(rest_->observers_mutex);
  if (!priorities_) {
    int least = 0, greatest = 0;
    call(api_.cuCtxGetStreamPriorityRange, &least, &greatest);
    priorities_.emplace(least, greatest);
  }
  return *priorities_;
}

/// What `second` is given from now on comes after what `first` has been given. Captured streams stay as they are.
inline void context::order(driver::stream_handle first, driver::stream_handle second) {
  const driver::stream_handle other = first != nullptr ? first : second;
  auto status = driver::capture_status::none;
  if (attempt(api_.cuStreamIsCapturing, other, &status) != driver::result::success || status != driver::capture_status::none)
    return;
  if (plain_event_ == nullptr) call(api_.cuEventCreate, &plain_event_, driver::event_flag::disable_timing);
  call(api_.cuEventRecord, plain_event_, first);
  call(api_.cuStreamWaitEvent, second, plain_event_, 0u);
}

TG_LIBRARY_FUNCTION void context::order_plain(bool is_before) {
  if (!has_non_blocking_) return;
  const std::lock_guard lock(rest_->observers_mutex);
  for (const driver::stream_handle s : non_blocking_) is_before ? order(s, nullptr) : order(nullptr, s);
}

TG_LIBRARY_FUNCTION void context::begin_non_blocking(driver::stream_handle stream) {
  const std::lock_guard lock(rest_->observers_mutex);
  non_blocking_.push_back(stream);
  has_non_blocking_ = true;
  try {
    order(nullptr, stream);
  } catch (const error&) {  // a capture of a blocking stream goes on, which forbids plain work too
  }
}

TG_LIBRARY_FUNCTION driver::device_address context::allocate(std::size_t bytes) {
  driver::device_address out = 0;
  driver::result r = attempt(api_.cuMemAlloc, &out, bytes);
  if (r == driver::result::out_of_memory) {
    if (is_emulated()) api_.take_report();
    {
      const std::lock_guard lock(rest_->observers_mutex);
      for (context_observer* const o : rest_->observers) o->give_back_free();
    }
    driver::pool_handle theirs = nullptr;  // what other libraries free with cudaFreeAsync stays in this pool
    if (limits_.has_memory_pools && api_.cuMemPoolTrimTo != nullptr &&
        attempt(api_.cuDeviceGetDefaultMemPool, &theirs, device_) == driver::result::success)
      attempt(api_.cuMemPoolTrimTo, theirs, std::size_t{0});
    r = attempt(api_.cuMemAlloc, &out, bytes);
  }
  if (r != driver::result::success) [[unlikely]]
    fail(r, driver::describe(api_, api_.cuMemAlloc, &out, bytes));
  return out;
}

TG_LIBRARY_FUNCTION void context::reset() {
  if (is_lost()) refuse_call("cuDevicePrimaryCtxReset");
  modules_.background().stop();
  const relaxed_capture relaxed(api_, capture_rule::unsafe);
  is_reset_ = true;
  driver::call(api_, api_.cuDevicePrimaryCtxReset, device_);
}

TG_LIBRARY_FUNCTION void context::refuse_call(const char* call) const {
  if (is_in_host_call) fail_in_host_call(call);
  if (is_reset_)
    throw error(object_of_reset, std::string(call) + " with an object that was made before '" + label() + "' was reset",
                "make buffers, streams and devices anew after tg::device::reset");
  throw error(process_forked, std::string(call) + " in a process that was forked after the driver was started",
              "fork before the first tg::device, or start another program; in Python: multiprocessing with 'spawn'");
}

TG_LIBRARY_FUNCTION bool context::is_captured(driver::stream_handle stream) {
  auto status = driver::capture_status::none;
  driver::result r = driver::result::success;
  if (is_in_host_call || is_lost()) refuse_call("cuStreamIsCapturing");
  if (api_.cuStreamIsCapturing == nullptr) return false;  // a driver that captures nothing
  {
    const current_context current(api_, native_);
    r = current.result() == driver::result::success ? api_.cuStreamIsCapturing(stream, &status) : current.result();
  }
  if (r == driver::result::stream_capture_implicit) {
    if (captures_.is_any_blocking()) return false;  // the call that follows is refused by its name
    throw error(capture_forbidden, "work on the legacy stream would break the capture of another stream",
                "do it before the capture or after, or on a stream; capture a non-blocking stream if others use the device");
  }
  if (r != driver::result::success) [[unlikely]]
    fail(r, driver::describe(api_, api_.cuStreamIsCapturing, stream, &status), {}, stream);
  return status != driver::capture_status::none;
}

TG_LIBRARY_FUNCTION void context::refuse_captured(driver::result (*const& function)(driver::stream_handle),
                                                  driver::stream_handle stream) {
  if (captures_.is_any()) captures_.require(api_, function, stream);
  if (is_captured(stream)) [[unlikely]]
    throw error(capture_forbidden, driver::describe(api_, function, stream) + " would break the capture of the stream",
                "do it before the capture or after");
}

TG_LIBRARY_FUNCTION void context::fail(driver::result r, std::string_view call, source_location where,
                                       std::optional<driver::stream_handle> stream) {
  std::string note;
  const auto report = is_emulated() ? api_.take_report() : std::nullopt;
  if (driver::is_sticky(r)) {
    if (report) throw error(*report);
    const std::lock_guard lock(rest_->mutex);
    if (culprit_.text.empty()) {
      culprit_ = launches_.suspect(stream);
      if (!culprit_.where.is_known()) culprit_.where = where;
    }
    note = culprit_.text;
    where = culprit_.where;
  } else if (report) {
    note = report->what();
  } else if (driver::code_of(r) == driver::capture_broken) {
    note = captures_.note();
    captures_.blame(call);
  }
  throw driver::make_error(api_, r, call, note, where);
}

}  // namespace tg::runtime
