// How often a context called each function of the driver, for telemetry.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <tg/driver/api.hpp>

namespace tg::runtime {

/// Counts of successful calls, by their place in the table. Adding is one or two relaxed additions.
class call_counts {
 public:
  struct count {
    std::uint64_t calls = 0;
    std::uint64_t amount = 0;  // sum of the last size among the values: bytes of a copy or an allocation
  };

  template <class... P, class... A>
  void note(const driver::table& api, driver::result (*const& function)(P...), driver::result r, const A&... values) {
    constexpr bool has_amount = (std::is_same_v<P, std::size_t> || ...);
    [[maybe_unused]] std::uint64_t amount = 0;  // an address has the type of a size and comes before it
    if constexpr (has_amount) (look<P>(amount, values), ...);
    add(place_of(api, &function), r, has_amount, amount);
  }

  /// The counts of one driver function, which is a member of the table `api`.
  template <class Function> count of(const driver::table& api, const Function& function) const {
    const auto& c = counts_[place_of(api, &function)];
    return {c.calls.load(std::memory_order_relaxed), c.amount.load(std::memory_order_relaxed)};
  }
  std::uint64_t total() const {
    std::uint64_t out = 0;
    for (const auto& c : counts_) out += c.calls.load(std::memory_order_relaxed);
    return out;
  }
  /// Calls that did not succeed; asking whether work is done is not one of them.
  std::uint64_t failures() const { return failures_.load(std::memory_order_relaxed); }

 private:
  struct atomic_count {
    std::atomic<std::uint64_t> calls = 0;
    std::atomic<std::uint64_t> amount = 0;
  };

  template <class Parameter, class Value> static void look(std::uint64_t& amount, const Value& value) {
    if constexpr (std::is_same_v<Parameter, std::size_t>) amount = value;
  }

  void add(std::size_t at, driver::result r, bool has_amount, std::uint64_t amount) {
    if (r != driver::result::success) {
      if (r != driver::result::not_ready) failures_.fetch_add(1, std::memory_order_relaxed);
      return;
    }
    if (at >= counts_.size()) return;
    counts_[at].calls.fetch_add(1, std::memory_order_relaxed);
    if (has_amount) counts_[at].amount.fetch_add(amount, std::memory_order_relaxed);
  }

  static std::size_t place_of(const driver::table& api, const void* function) {
    const auto offset = static_cast<const char*>(function) - reinterpret_cast<const char*>(&api);
    return static_cast<std::size_t>(offset) / sizeof(void (*)());
  }

  std::array<atomic_count, driver::symbols.size()> counts_;
  std::atomic<std::uint64_t> failures_ = 0;
};

}  // namespace tg::runtime
