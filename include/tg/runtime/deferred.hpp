// A launch as a value: a kernel, where it runs and its arguments, to be made, predicted or measured by somebody else.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

#include <tg/dsl/cost/prediction.hpp>
#include <tg/runtime/device.hpp>

namespace tg {

namespace detail {
/// How an argument is kept: memory that is named, as a buffer, by reference; numbers, parts and matrices as they are, so that
/// they may be local to the function that makes the launch.
template <class A>
using kept_argument = std::conditional_t<std::is_lvalue_reference_v<A> && !std::is_trivially_copyable_v<std::remove_cvref_t<A>>,
                                         A, std::remove_cvref_t<A>>;
}  // namespace detail

/// A launch that is not made yet: `tg::deferred(kernel, tg::cover(n), x, y, n)`, of a kernel or of the variants that
/// `tg::variants` and `tg::choose_arch` make. It refers to buffers that have names, which outlive it, and holds all else as it
/// is now.
template <class K, class... A> class deferred {
 public:
  deferred(const K& kernel, const placement& where, A... arguments)
      : kernel_(kernel), where_(where), arguments_(std::forward<A>(arguments)...) {}

  /// Makes the launch. Errors: those of `device::launch`.
  void launch(device& gpu) {
    std::apply([&](auto&... a) { on(gpu, [&](const auto& kernel) { gpu.launch(kernel, where_, a...); }); }, arguments_);
  }

  /// The PTX of the kernel that this device would run.
  std::string text(const device& gpu) const {
    std::string out;
    on(gpu, [&](const auto& kernel) { out = source_of(kernel).ptx; });
    return out;
  }

  /// What the launch is expected to take on a GPU of these figures. Errors: TG521, and those of the arguments. Cost: a few
  /// milliseconds.
  prediction predict(const device& gpu, const analysis::device_figures& figures) {
    prediction out;
    on(gpu, [&](const auto& kernel) { out = predict_one(kernel, gpu, figures); });
    return out;
  }

 private:
  template <class F> void on(const device& gpu, F f) const {
    if constexpr (requires { kernel_.choose(gpu, f); }) kernel_.choose(gpu, f);
    else f(kernel_);
  }

  template <class One> prediction predict_one(const One& kernel, const device& gpu, const analysis::device_figures& figures) {
    using packed_arguments = runtime::packed_arguments<typename One::parameters>;
    constexpr runtime::block_threads block{One::block.x, One::block.y, One::block.z};
    const runtime::launch_site site{*gpu.context(), One::name, where_.where, &where_, block};
    const runtime::block_counts grid = runtime::to_blocks(where_, block, gpu.limits().grid);
    return std::apply(
        [&](auto&... a) {
          const packed_arguments packed(site, a...);
          return tg::predict(kernel, figures, std::uint64_t{grid[0]} * grid[1] * grid[2],
                             std::span(packed.buffer.data(), packed_arguments::bytes),
                             static_cast<std::int64_t>(where_.options.shared_bytes));
        },
        arguments_);
  }

  K kernel_;
  placement where_;
  std::tuple<A...> arguments_;
};

template <class K, class... A> deferred(const K&, const placement&, A&&...) -> deferred<K, detail::kept_argument<A>...>;

}  // namespace tg
