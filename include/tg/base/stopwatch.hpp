// Time that has passed, without <chrono>: which takes long to include.
#pragma once

#include <ctime>

namespace tg {

/// Runs from its construction on.
class stopwatch {
 public:
  double us() const {
    const std::timespec now = read();
    return static_cast<double>(now.tv_sec - start_.tv_sec) * 1e6 +
           static_cast<double>(now.tv_nsec - start_.tv_nsec) / 1e3;
  }

 private:
  static std::timespec read() {
    std::timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now;
  }

  std::timespec start_ = read();
};

}  // namespace tg
