// How a context is opened and closed, and what it says when a call fails.
#pragma once

#include <tg/runtime/context.hpp>

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <tg/base/config.hpp>

namespace tg::runtime {

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
  if (auto alive = e.known.lock()) return alive;
  std::shared_ptr<context> made(new context(m));
  e.known = made;
  if (m.is_kept) e.kept = made;
  return made;
}

inline context::context(machine m) : api_(*m.api), ordinal_(m.ordinal) {
  driver::call(api_, api_.cuInit, 0u);
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
  limits_.has_clusters = has(cluster_launch);
  limits_.has_managed_memory = has(managed_memory);
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

inline context::~context() {
  staging_.clear(*this);
  modules_.clear([&](driver::module_handle module) { release(api_.cuModuleUnload, module); });
  api_.cuDevicePrimaryCtxRelease(device_);
}

inline int context::attribute(driver::device_attribute a) {
  int value = 0;
  driver::call(api_, api_.cuDeviceGetAttribute, &value, a, device_);
  return value;
}

TG_LIBRARY_FUNCTION bool context::is_done(driver::stream_handle stream) {
  const driver::result r = attempt(api_.cuStreamQuery, stream);
  if (r == driver::result::not_ready) return false;
  if (r != driver::result::success) [[unlikely]]
    fail(r, driver::describe(api_, api_.cuStreamQuery, stream), {}, stream);
  return true;
}

TG_LIBRARY_FUNCTION void context::fail(driver::result r, std::string_view call, source_location where,
                                       std::optional<driver::stream_handle> stream) {
  std::string note;
  const auto report = is_emulated() ? api_.take_report() : std::nullopt;
  if (driver::is_sticky(r)) {
    if (report) throw error(*report);
    const std::lock_guard lock(mutex_);
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
