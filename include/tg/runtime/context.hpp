// A device in use: its context, its limits, and every call that is made on it.
#pragma once

#include <atomic>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include <tg/analysis/device_table.hpp>
#include <tg/base/dynamic_array.hpp>
#include <tg/base/fixed_array.hpp>
#include <tg/driver/call.hpp>
#include <tg/driver/fork.hpp>
#include <tg/runtime/call_counts.hpp>
#include <tg/runtime/capture_rule.hpp>
#include <tg/runtime/capture_watch.hpp>
#include <tg/runtime/context_observer.hpp>
#include <tg/runtime/current_context.hpp>
#include <tg/runtime/held_call.hpp>
#include <tg/runtime/host_call.hpp>
#include <tg/runtime/machine.hpp>
#include <tg/runtime/module_cache.hpp>
#include <tg/runtime/recent_launches.hpp>

namespace tg::runtime {

class launch_memory;
class staging;

/// What a device allows.
struct device_limits {
  fixed_array<std::uint32_t, 3> grid{};   // blocks
  fixed_array<std::uint32_t, 3> block{};  // threads
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
  bool has_prefetch = false;  // of managed memory
  bool has_memory_pools = false;
  bool has_virtual_memory = false;

  /// What one multiprocessor holds; in what pieces it gives it away is known by the compute capability.
  analysis::multiprocessor multiprocessor() const {
    analysis::multiprocessor out = analysis::multiprocessor_of(compute_capability);
    out.threads = multiprocessor_threads;
    out.blocks = multiprocessor_blocks;
    out.registers = multiprocessor_registers;
    out.shared_bytes = static_cast<std::int64_t>(multiprocessor_shared_bytes);
    out.shared_opt_in_bytes =
        static_cast<std::int64_t>(shared_bytes > shared_bytes_opt_in ? shared_bytes : shared_bytes_opt_in);
    return out;
  }
};

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
  std::string label() const;
  /// The label in quotes for messages that name another context in front of it, and what tells the two apart where their
  /// labels do not: `'tg emulator' of another driver`.
  std::string label_beside(const context& other) const;
  int ordinal() const { return ordinal_; }
  driver::device_id device() const { return device_; }
  /// Whether it lives to the end of the process.
  bool is_kept() const { return is_kept_; }
  bool is_emulated() const { return api_.take_report != nullptr; }
  driver::context_handle native() const { return native_; }
  module_cache& modules() { return modules_; }
  const call_counts& counts() const { return counts_; }
  tg::runtime::staging& staging();
  runtime::launch_memory& launch_memory();

  /// Calls a function of the table with this context current; afterwards that is what was before, of another library as well.
  /// A call that another library's capture would forbid is made in the relaxed mode, and the capture goes on.
  /// Errors: TG500 to TG511; what the emulator found in a kernel, by its own code.
  template <class... P, class... A> void call(driver::result (*const& function)(P...), A... values) {
    const driver::result r = attempt(function, values...);
    if (r != driver::result::success) [[unlikely]]
      fail_call(r, &function, {driver::detail::to_call_value(static_cast<P>(values))...});
  }

  /// Calls a driver function and returns its result, for callers that deal with a failure themselves. Errors: TG502, TG533,
  /// TG545 to TG547.
  template <class... P, class... A> driver::result attempt(driver::result (*const& function)(P...), A... values) {
    if (function == nullptr || is_in_host_call || captures_.is_any() || is_lost()) [[unlikely]]
      require_call(&function, function != nullptr, {driver::detail::to_call_value(static_cast<P>(values))...});
    const capture_rule rule = rule_of(api_, function);
    if (rule == capture_rule::legacy) is_captured(nullptr);  // throws while the call would break a capture of another library
    const current_context current(api_, native_);
    const relaxed_capture relaxed(api_, rule);
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

  /// A function that was launched is gone.
  void forget(const char* kernel, driver::function_handle function);

  /// Waits for all work. Errors: those of the kernels that ran.
  void synchronize();
  /// Waits for the work of a stream.
  void synchronize(driver::stream_handle stream);

  /// Whether this device's kernels may use memory of another's, which a tg::peer_access allows.
  bool is_peer(const context* other);
  /// Lets this device's kernels use memory of another's until `end_peer` was called as often. Access that another library has
  /// enabled before is used and stays when tg's ends. Returns: what the driver said.
  driver::result begin_peer(context& owner);
  void end_peer(context& owner) noexcept;
  /// From now on the observer is told of what changes, and at once which devices may use the memory already.
  void add_observer(context_observer& o);
  void remove_observer(context_observer& o) noexcept;
  /// A call for plain work: a copy or fill of a buffer or an array on the legacy stream. It comes after what tg's non-blocking
  /// streams have been given, and before what they are given from now on; CUDA orders blocking streams alone. Cost: beside the
  /// call, four for each non-blocking stream of tg that is alive. Errors: as of `call`.
  template <class... P, class... A> void call_plain(driver::result (*const& function)(P...), A... values) {
    if (!has_non_blocking_) [[likely]]
      return call(function, values...);
    order_plain(true);
    call(function, values...);
    order_plain(false);
  }
  /// Orders the legacy stream after all non-blocking streams of tg (`is_before`), or them after it.
  void order_plain(bool is_before);
  /// A non-blocking stream of tg is made; it comes after the plain work so far.
  void begin_non_blocking(driver::stream_handle stream);

  /// Ends a stream of tg's: what keeps its handle is told first, because the driver may give the handle to another stream.
  void end_stream(driver::stream_handle stream) noexcept;

  /// Memory of the device. When it has none left, pools give back what nobody uses, and it is asked again.
  /// Errors: TG504.
  driver::device_address allocate(std::size_t bytes);

  /// Ends the context: every object made on it throws TG546 from now on, and gives nothing back. `device::reset` calls it.
  void reset();

  /// The least and the most urgent priority of a stream. Cost: a call of the driver, the first time.
  std::pair<int, int> priorities();

  /// Enqueues a copy of pageable host memory, which may be changed as soon as this returns.
  void copy_staged(driver::stream_handle stream, driver::device_address to, const void* from, std::size_t bytes);

  /// Whether the work of a stream is done.
  bool is_done(driver::stream_handle stream);

  /// Whether work on the stream becomes nodes of a graph, in a capture of tg or of another library.
  /// Errors: TG533 for the legacy stream while a capture goes on that its work would break. Cost: one call of the driver.
  bool is_captured(driver::stream_handle stream);
  /// Errors: TG533 for a stream that is captured, which the call would break.
  void refuse_captured(driver::result (*const& function)(driver::stream_handle), driver::stream_handle stream);

  /// From here to `end_capture` the stream is captured.
  void begin_capture(driver::stream_handle stream, bool is_blocking, source_location where) {
    captures_.begin(stream, is_blocking, where);
  }
  /// Returns: the call that broke the capture, where one is known.
  std::string end_capture(driver::stream_handle stream) noexcept;

  /// Whether nothing that was made on it can be used: it was reset, or the process was forked.
  bool is_lost() const { return is_reset_.load(std::memory_order_relaxed) || (driver::is_forked() && !is_emulated()); }

 private:
  explicit context(machine m);
  [[noreturn]] void refuse_call(const char* call) const;
  /// Errors: TG502 for a `member` of the table that is not there, TG533, TG545 to TG547.
  void require_call(const void* member, bool is_there, std::initializer_list<driver::detail::call_value> values) const;
  [[noreturn]] void fail_call(driver::result r, const void* member, std::initializer_list<driver::detail::call_value> values);
  void release(capture_rule rule, const held_call& call) noexcept;
  int attribute(driver::device_attribute a);
  bool has(driver::device_attribute a) { return attribute(a) != 0; }
  bool has_younger(driver::device_attribute a);  // than CUDA 11.4; false for a driver that does not know it

  const driver::table& api_;
  int ordinal_;
  bool is_kept_;
  driver::device_id device_ = 0;
  driver::context_handle native_ = nullptr;
  device_limits limits_;
  std::string name_;
  recent_launches launches_;
  call_counts counts_;
  capture_watch captures_;
  /// What only the library's functions look at.
  struct rest;
  static std::shared_ptr<rest> make_rest();
  std::shared_ptr<rest> rest_ = make_rest();
  recent_launches::suspicion culprit_;  // of the first error that broke the context
  std::optional<std::pair<int, int>> priorities_;
  dynamic_array<driver::stream_handle> non_blocking_;
  std::atomic<bool> has_non_blocking_ = false;
  driver::event_handle plain_event_ = nullptr;
  void order(driver::stream_handle first, driver::stream_handle second);
  std::atomic<bool> is_reset_ = false;
  module_cache modules_;
};

template <class... P>
void context::release(driver::result (*const& function)(P...), std::type_identity_t<P>... values) noexcept {
  if (function == nullptr || is_lost()) return;
  release(rule_of(api_, function), held_call([f = function, values...] { f(values...); }));
}

}  // namespace tg::runtime
