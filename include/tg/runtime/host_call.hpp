// Functions of the host that the driver calls on a thread of its own, on which nobody may call the driver.
#pragma once

#include <memory>

#include <tg/base/callable.hpp>
#include <tg/runtime/codes.hpp>

namespace tg::runtime {

/// Whether this thread is in a function that the driver calls.
inline constinit thread_local bool is_in_host_call = false;

/// Does what a thread of the driver must not do, such as giving memory back: a thread of tg's, which starts with the first job
/// and ends with the process.
class after_host_calls {
 public:
  /// Does the work, then lets go of `kept`. Drops both where there is no memory for a job: better lost than given back on a
  /// thread of the driver.
  static void post(callable work, std::shared_ptr<const void> kept = nullptr) noexcept;
  /// Until every job posted so far is done; at once on tg's thread itself.
  static void wait();
};

/// Calls a function of the host that a stream was given. A closure that owns a buffer is destroyed on tg's thread.
void call_on_driver_thread(const callable& function);
/// Calls a function that a stream was given to be called once, and has tg's thread destroy it.
void call_once_on_driver_thread(std::unique_ptr<callable> function);

/// Errors: TG545 in a function that the driver calls.
[[noreturn]] void fail_in_host_call(const char* call);

}  // namespace tg::runtime
