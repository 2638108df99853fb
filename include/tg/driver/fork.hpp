// Whether this process is a child of one in which the driver was in use. CUDA cannot be used there.
// Source: CUDA C++ Programming Guide 13.0, 3.2.8 (the runtime is not supported in a child of fork).
#pragma once

#include <atomic>

#if !defined(_WIN32)
#include <pthread.h>
#endif

namespace tg::driver {

/// How often this process and its parents have forked since the driver was started in one of them.
inline std::atomic<unsigned> forks{0};

/// From now on `forks` counts. Cost: nothing after the first call.
inline void watch_forks() {
#if !defined(_WIN32)
  [[maybe_unused]] static const int registered = ::pthread_atfork(nullptr, nullptr, [] { ++forks; });
#endif
}

/// Whether the driver was started before a fork that made this process.
inline bool is_forked() { return forks.load(std::memory_order_relaxed) != 0; }

}  // namespace tg::driver
