// A launch as a value: a kernel, where it runs and its arguments, to be made, predicted or measured by somebody else.
#pragma once

#include <cstddef>
#include <span>
#include <tuple>
#include <utility>

#include <tg/dsl/cost/prediction.hpp>
#include <tg/runtime/device.hpp>

namespace tg {

/// A launch that is not made yet: `tg::deferred(kernel, tg::cover(n), x, y, n)`. It refers to arguments that are variables and
/// holds the others; what it refers to outlives it.
template <class K, class... A> class deferred {
  using packed_arguments = runtime::packed_arguments<typename K::parameters>;
  static constexpr runtime::block_threads block{K::block.x, K::block.y, K::block.z};

 public:
  deferred(const K& kernel, const placement& where, A... arguments)
      : kernel_(kernel), where_(where), arguments_(std::forward<A>(arguments)...) {}

  const K& kernel() const { return kernel_; }

  /// Makes the launch. Errors: those of `device::launch`.
  void launch(device& gpu) {
    std::apply([&](auto&... a) { gpu.launch(kernel_, where_, a...); }, arguments_);
  }

  /// What the launch is expected to take on `on`. Errors: TG521, and those of the arguments. Cost: a few milliseconds.
  prediction predict(const device& gpu, const analysis::device_figures& on) {
    const runtime::launch_site site{*gpu.context(), K::name, where_.where, &where_, block};
    const runtime::block_counts grid = runtime::to_blocks(where_, block, gpu.limits().grid);
    return std::apply(
        [&](auto&... a) {
          const packed_arguments packed(site, a...);
          return tg::predict(kernel_, on, std::uint64_t{grid[0]} * grid[1] * grid[2],
                             std::span(packed.buffer.data(), packed_arguments::bytes),
                             static_cast<std::int64_t>(where_.options.shared_bytes));
        },
        arguments_);
  }

 private:
  K kernel_;
  placement where_;
  std::tuple<A...> arguments_;
};

template <class K, class... A> deferred(const K&, const placement&, A&&...) -> deferred<K, A...>;

}  // namespace tg
