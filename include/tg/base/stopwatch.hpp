// Time that has passed, without <chrono>: which takes long to include.
#pragma once

#include <ctime>

namespace tg {

/// Runs from its construction on.
class stopwatch {
 public:
  double us() const { return stopwatch().us_after(*this); }
  /// How much later this one started.
  double us_after(const stopwatch& earlier) const {
    return static_cast<double>(start_.tv_sec - earlier.start_.tv_sec) * 1e6 +
           static_cast<double>(start_.tv_nsec - earlier.start_.tv_nsec) / 1e3;
  }

 private:
  static ::timespec read() {
    ::timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now;
  }

  ::timespec start_ = read();
};

}  // namespace tg
