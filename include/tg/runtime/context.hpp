// A device in use: its context, its limits, and every call that is made on it.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

#include <tg/driver/call.hpp>
#include <tg/runtime/machine.hpp>
#include <tg/runtime/module_cache.hpp>

namespace tg::runtime {

/// What a device allows.
struct device_limits {
  std::array<std::uint32_t, 3> grid{};   // blocks
  std::array<std::uint32_t, 3> block{};  // threads
  std::uint32_t block_threads = 0;
  std::size_t shared_bytes = 0;  // of a block
  int multiprocessors = 0;
  int compute_capability = 0;  // 90: 9.0
  int driver_version = 0;      // 12040: CUDA 12.4
};

/// The primary context of one device, shared by all that use it. Calls come from any thread.
class context : public std::enable_shared_from_this<context> {
 public:
  /// The context of a machine; one for all who ask while it lives.
  static std::shared_ptr<context> open(machine m);

  context(const context&) = delete;
  context& operator=(const context&) = delete;
  ~context();

  const driver::table& api() const { return api_; }
  const device_limits& limits() const { return limits_; }
  const std::string& name() const { return name_; }
  int ordinal() const { return ordinal_; }
  bool is_emulated() const { return api_.take_report != nullptr; }
  driver::context_handle native() const { return native_; }
  module_cache& modules() { return modules_; }

  /// Calls a function of the table with this context current.
  /// Errors: TG500 to TG511; what the emulator found in a kernel, by its own code.
  template <class... P, class... A>
  void call(driver::result (*const& function)(P...), A... values) {
    const driver::result r = attempt(function, values...);
    if (r != driver::result::success) [[unlikely]] fail(r, driver::describe(api_, function, values...));
  }

  /// The same for those who deal with a failure themselves.
  template <class... P, class... A>
  driver::result attempt(driver::result (*const& function)(P...), A... values) {
    if (function == nullptr) [[unlikely]] driver::detail::fail_missing(api_, function);
    const driver::result r = api_.cuCtxSetCurrent(native_);
    return r == driver::result::success ? function(values...) : r;
  }

  /// Throws for a call that returned `r`.
  [[noreturn]] void fail(driver::result r, std::string_view call, source_location where = {});

  /// Notes that a kernel was launched, to name it if an error comes later. The name's text outlives the context.
  void launched(const char* kernel, source_location where) {
    last_kernel_.store(kernel, std::memory_order_relaxed);
    last_file_.store(where.file, std::memory_order_relaxed);
    last_line_.store(where.line, std::memory_order_relaxed);
    launches_.fetch_add(1, std::memory_order_relaxed);
  }

  /// Waits for all work. Errors: those of the kernels that ran.
  void synchronize() {
    call(api_.cuCtxSynchronize);
    launches_ = 0;
  }

 private:
  explicit context(machine m);
  int attribute(driver::device_attribute a);

  const driver::table& api_;
  int ordinal_;
  driver::device_id device_ = 0;
  driver::context_handle native_ = nullptr;
  device_limits limits_;
  std::string name_;
  std::atomic<const char*> last_kernel_ = "";
  std::atomic<const char*> last_file_ = "";
  std::atomic<int> last_line_ = 0;
  std::atomic<std::size_t> launches_ = 0;  // since the last synchronisation
  std::mutex mutex_;
  std::string culprit_;  // of the first error that broke the context
  source_location culprit_where_;
  module_cache modules_;
};

inline std::shared_ptr<context> context::open(machine m) {
  static std::mutex mutex;
  static std::map<std::pair<const driver::table*, int>, std::weak_ptr<context>> opened;
  const std::lock_guard lock(mutex);
  std::weak_ptr<context>& known = opened[{m.api, m.ordinal}];
  if (auto alive = known.lock()) return alive;
  std::shared_ptr<context> made(new context(m));
  known = made;
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
  limits_.multiprocessors = attribute(multiprocessor_count);
  limits_.compute_capability = 10 * attribute(compute_capability_major) + attribute(compute_capability_minor);
  driver::call(api_, api_.cuDriverGetVersion, &limits_.driver_version);
  driver::call(api_, api_.cuDevicePrimaryCtxRetain, &native_, device_);
}

inline context::~context() {
  modules_.clear([&](driver::module_handle module) { attempt(api_.cuModuleUnload, module); });
  api_.cuDevicePrimaryCtxRelease(device_);
}

inline int context::attribute(driver::device_attribute a) {
  int value = 0;
  driver::call(api_, api_.cuDeviceGetAttribute, &value, a, device_);
  return value;
}

inline void context::fail(driver::result r, std::string_view call, source_location where) {
  std::string note;
  const auto report = is_emulated() ? api_.take_report() : std::nullopt;
  if (driver::is_sticky(r)) {
    if (report) throw error(*report);
    const std::lock_guard lock(mutex_);
    if (culprit_.empty()) {
      culprit_ = launches_ == 0 ? "no kernel was launched here since the last synchronisation"
                                : "most likely the fault of '" + std::string(last_kernel_) + "', the last of " +
                                      std::to_string(launches_) + " launches since the last synchronisation";
      culprit_where_ = launches_ == 0 ? where : source_location{last_file_, last_line_};
    }
    note = culprit_;
    where = culprit_where_;
  } else if (report) {
    note = report->what();
  }
  throw driver::make_error(api_, r, call, note, where);
}

}  // namespace tg::runtime
