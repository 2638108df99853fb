// What the driver has said of launches with options, so that it is asked once and not at each launch.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <mutex>

#include <tg/base/fixed_array.hpp>
#include <tg/driver/types.hpp>

namespace tg::runtime {

/// Answers by function and shape. Calls come from any thread. Cost: a lock and a look-up.
class launch_memory {
 public:
  enum class question : std::uint8_t {
    cluster_x,  // that the function was compiled for
    cluster_y,
    cluster_z,
    clusters,             // that fit at once
    resident_blocks,      // of a multiprocessor
    allows_shared_bytes,  // was asked for, once and for all
    allows_big_clusters
  };

  struct key {
    driver::function_handle function = nullptr;
    question what{};
    fixed_array<std::uint32_t, 3> block{}, cluster{};
    std::size_t shared_bytes = 0;
    std::strong_ordering operator<=>(const key&) const = default;
  };

  /// The answer to a question; `ask()` gives it the first time. What `ask` throws is not kept.
  template <class F> int find_or_ask(const key& k, F ask) {
    {
      const std::lock_guard lock(mutex_);
      if (const auto known = answers_.find(k); known != answers_.end()) return known->second;
    }
    const int answer = ask();
    const std::lock_guard lock(mutex_);
    if (answers_.size() >= most) answers_.clear();
    answers_.emplace(k, answer);
    return answer;
  }

  /// A function is gone; its handle may come again for another.
  void forget(driver::function_handle function);

 private:
  static constexpr std::size_t most = 4096;

  std::mutex mutex_;
  std::map<key, int> answers_;
};

}  // namespace tg::runtime
