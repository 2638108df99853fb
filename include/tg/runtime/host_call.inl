// The thread that cleans up after functions of the host.
#pragma once

#include <tg/runtime/host_call.hpp>

#include <atomic>
#include <string>
#include <utility>

#include <tg/base/config.hpp>
#include <tg/base/error.hpp>
#include <tg/runtime/background.hpp>

namespace tg::runtime {

namespace detail {

inline std::atomic<bool> was_host_call_posted = false;
inline constinit thread_local bool is_cleaning = false;

/// Never destroyed: at the end of a process the driver may be gone before.
inline background& cleaner() {
  static background& only = *new background;
  return only;
}

}  // namespace detail

TG_LIBRARY_FUNCTION void after_host_calls::post(callable work, std::shared_ptr<const void> kept) noexcept {
  struct task final : background::job {
    task(callable f, std::shared_ptr<const void> k) : work(std::move(f)), kept(std::move(k)) {}
    void run() override {
      detail::is_cleaning = true;
      if (work) work();
      work = callable();
      kept = nullptr;
    }
    callable work;
    std::shared_ptr<const void> kept;
  };
  try {
    detail::was_host_call_posted = true;
    detail::cleaner().add(std::make_unique<task>(std::move(work), std::move(kept)));
  } catch (...) { return; }
}

TG_LIBRARY_FUNCTION void after_host_calls::wait() {
  if (detail::was_host_call_posted && !detail::is_cleaning) detail::cleaner().wait();
}

TG_LIBRARY_FUNCTION void call_on_driver_thread(const callable& function) {
  is_in_host_call = true;
  function();
  is_in_host_call = false;
}

TG_LIBRARY_FUNCTION void call_once_on_driver_thread(std::unique_ptr<callable> function) {
  call_on_driver_thread(*function);
  after_host_calls::post({}, std::shared_ptr<const void>(std::move(function)));
}

TG_LIBRARY_FUNCTION void fail_in_host_call(const char* call) {
  throw error(host_call_forbidden, std::string(call) + " in a function that the driver calls, where it would wait for itself",
              "set a flag or wake a thread there, and call tg from that thread");
}

}  // namespace tg::runtime
