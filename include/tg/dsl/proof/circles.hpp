// Which bytes uses touch when multiples of a divisor are free.
#pragma once

#include <map>
#include <memory>
#include <unordered_map>

#include <tg/base/dynamic_array.hpp>
#include <tg/dsl/proof/overlap.hpp>
#include <tg/dsl/proof/use.hpp>

namespace tg::proof {

/// Found once for each use and divisor.
class circles {
 public:
  /// The bytes modulo `divisor`. Valid as long as this.
  const dynamic_array<byte_range>& of(const std::shared_ptr<const layout_of_threads>& laid, number divisor) {
    known& own = known_[laid.get()];
    own.laid = laid;
    const auto [at, is_new] = own.ranges.try_emplace(divisor);
    if (is_new) at->second = on_circle(laid->ranges, divisor);
    return at->second;
  }

 private:
  struct known {
    std::shared_ptr<const layout_of_threads> laid;       // so that its address is nobody else's
    std::map<number, dynamic_array<byte_range>> ranges;  // by divisor
  };
  std::unordered_map<const layout_of_threads*, known> known_;
};

}  // namespace tg::proof
