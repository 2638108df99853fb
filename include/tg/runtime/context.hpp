// A device in use: its context, its limits, and every call that is made on it.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include <tg/analysis/device_table.hpp>
#include <tg/driver/call.hpp>
#include <tg/runtime/call_counts.hpp>
#include <tg/runtime/capture_watch.hpp>
#include <tg/runtime/current_context.hpp>
#include <tg/runtime/machine.hpp>
#include <tg/runtime/module_cache.hpp>
#include <tg/runtime/recent_launches.hpp>
#include <tg/runtime/staging.hpp>

namespace tg::runtime {

/// What a device allows.
struct device_limits {
  std::array<std::uint32_t, 3> grid{};   // blocks
  std::array<std::uint32_t, 3> block{};  // threads
  std::uint32_t block_threads = 0;
  std::size_t shared_bytes = 0;         // of a block
  std::size_t shared_bytes_opt_in = 0;  // of a block whose function asks for more
  std::size_t multiprocessor_shared_bytes = 0;
  int block_registers = 0;
  int multiprocessor_registers = 0;
  int multiprocessor_threads = 0;
  int multiprocessor_blocks = 0;
  int multiprocessors = 0;
  int compute_capability = 0;  // 90: 9.0
  int driver_version = 0;      // 12040: CUDA 12.4
  bool has_cooperative_launch = false;
  bool has_clusters = false;
  bool has_managed_memory = false;
  bool has_memory_pools = false;
  bool has_virtual_memory = false;

  /// What one multiprocessor holds; in what pieces it gives it away is known by the compute capability.
  analysis::multiprocessor multiprocessor() const {
    analysis::multiprocessor out = analysis::multiprocessor_of(compute_capability);
    out.threads = multiprocessor_threads;
    out.blocks = multiprocessor_blocks;
    out.registers = multiprocessor_registers;
    out.shared_bytes = static_cast<std::int64_t>(multiprocessor_shared_bytes);
    out.shared_opt_in_bytes = static_cast<std::int64_t>(std::max(shared_bytes, shared_bytes_opt_in));
    return out;
  }
};

namespace detail {

/// The stream among the values of a call; none when it takes none.
template <class... P, class... A> std::optional<driver::stream_handle> stream_among(const A&... values) {
  std::optional<driver::stream_handle> out;
  [[maybe_unused]] const auto look = [&]<class T>(std::type_identity<T>, const auto& value) {
    if constexpr (std::is_same_v<T, driver::stream_handle>) out = value;
  };
  (look(std::type_identity<P>{}, values), ...);
  return out;
}

}  // namespace detail

/// The primary context of one device, shared by all that use it. Calls come from any thread.
class context : public std::enable_shared_from_this<context> {
 public:
  /// The context of a machine; one for all who ask while it lives. A GPU that `choose_machine` found keeps it to the end of the
  /// process, because making one takes 0.3 s on an H100, and its kernels again the time that they take to compile.
  static std::shared_ptr<context> open(machine m);

  context(const context&) = delete;
  context& operator=(const context&) = delete;
  ~context();

  const driver::table& api() const { return api_; }
  const device_limits& limits() const { return limits_; }
  const std::string& name() const { return name_; }
  /// The name for messages, which tells devices of one name apart.
  std::string label() const { return ordinal_ == 0 ? name_ : name_ + " (device " + std::to_string(ordinal_) + ")"; }
  /// The label in quotes for messages that name another context in front of it, and what tells the two apart where their
  /// labels do not: `'tg emulator' of another driver`.
  std::string label_beside(const context& other) const {
    const bool is_clear = &other == this || label() != other.label();
    return "'" + label() + "'" + (is_clear ? "" : &api_ != &other.api_ ? " of another driver" : " in another context");
  }
  int ordinal() const { return ordinal_; }
  driver::device_id device() const { return device_; }
  bool is_emulated() const { return api_.take_report != nullptr; }
  driver::context_handle native() const { return native_; }
  module_cache& modules() { return modules_; }
  const call_counts& counts() const { return counts_; }
  tg::runtime::staging& staging() { return staging_; }

  /// Calls a function of the table with this context current; afterwards that is what was before, of another library as well.
  /// Errors: TG500 to TG511; what the emulator found in a kernel, by its own code.
  template <class... P, class... A> void call(driver::result (*const& function)(P...), A... values) {
    const driver::result r = attempt(function, values...);
    if (r != driver::result::success) [[unlikely]]
      fail(r, driver::describe(api_, function, values...), {}, detail::stream_among<P...>(values...));
  }

  /// Calls a driver function and returns its result, for callers that deal with a failure themselves. Errors: TG502, TG533.
  template <class... P, class... A> driver::result attempt(driver::result (*const& function)(P...), A... values) {
    if (function == nullptr) [[unlikely]]
      driver::detail::fail_missing(api_, driver::detail::symbol_at(api_, &function));
    if (captures_.is_any()) [[unlikely]]
      captures_.require(api_, function, values...);
    const current_context current(api_, native_);
    const driver::result r = current.result() == driver::result::success ? function(values...) : current.result();
    counts_.note(api_, function, r, values...);
    return r;
  }

  /// Gives back what an object owned: `release(api().cuMemFree, address)`. For destructors: what goes wrong is not said,
  /// and while a stream is captured it is put off, because the capture may still use it.
  template <class... P> void release(driver::result (*const& function)(P...), std::type_identity_t<P>... values) noexcept;

  /// Throws for a call that returned `r`; `stream` is the one that the call waited for or worked on.
  [[noreturn]] void fail(driver::result r, std::string_view call, source_location where = {},
                         std::optional<driver::stream_handle> stream = {});

  /// Notes that a kernel was launched, to name it if an error comes later. The name's text outlives the context, or is
  /// taken back.
  void launched(const char* kernel, source_location where, driver::stream_handle stream = nullptr) {
    launches_.note(kernel, where, stream);
  }

  void forget_name(const char* kernel) { launches_.forget_name(kernel); }

  /// Waits for all work. Errors: those of the kernels that ran.
  void synchronize() {
    call(api_.cuCtxSynchronize);
    launches_.forget();
  }
  /// Waits for the work of a stream.
  void synchronize(driver::stream_handle stream) {
    call(api_.cuStreamSynchronize, stream);
    launches_.forget(stream);
  }

  /// Whether this device's kernels may use memory of another's, which a tg::peer_access allows.
  bool is_peer(const context* other) {
    const std::lock_guard lock(mutex_);
    const auto found = peers_.find(other);
    return found != peers_.end() && found->second > 0;
  }
  /// Counts who allows it. Returns: whether it was the first or the last.
  bool count_peer(const context* other, int change) {
    const std::lock_guard lock(mutex_);
    const int before = std::exchange(peers_[other], peers_[other] + change);
    return before == 0 || before + change == 0;
  }

  /// Whether the work of a stream is done.
  bool is_done(driver::stream_handle stream);

  /// From here to `end_capture` the stream is captured.
  void begin_capture(driver::stream_handle stream, bool is_blocking, source_location where) {
    captures_.begin(stream, is_blocking, where);
  }
  /// Returns: the call that broke the capture, where one is known.
  std::string end_capture(driver::stream_handle stream) noexcept {
    capture_watch::remains left = captures_.end(stream);
    for (const auto& work : left.put_off) work();
    return std::move(left.culprit);
  }

 private:
  explicit context(machine m);
  int attribute(driver::device_attribute a);
  bool has(driver::device_attribute a) { return attribute(a) != 0; }

  const driver::table& api_;
  int ordinal_;
  driver::device_id device_ = 0;
  driver::context_handle native_ = nullptr;
  device_limits limits_;
  std::string name_;
  recent_launches launches_;
  call_counts counts_;
  capture_watch captures_;
  std::mutex mutex_;
  recent_launches::suspicion culprit_;  // of the first error that broke the context
  std::map<const context*, int> peers_;
  module_cache modules_;
  tg::runtime::staging staging_;
};

template <class... P>
void context::release(driver::result (*const& function)(P...), std::type_identity_t<P>... values) noexcept {
  if (function == nullptr) return;
  const auto now = [this, f = function, values...] {
    const current_context first(api_, native_);
    if (first.result() == driver::result::success) {
      f(values...);
      return;
    }
    const current_context second(api_, native_);
    f(values...);  // in any case: most calls that give back need no context
  };
  try {
    if (captures_.is_any() && captures_.put_off(now)) return;
  } catch (const std::exception&) {
    return;  // no memory to put it off: better lost than freed under a capture
  }
  now();
}

}  // namespace tg::runtime
