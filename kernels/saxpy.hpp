// y = a * x + y, one element per thread.
#pragma once

#include <tg/dsl.hpp>
#include <tg/runtime/grid.hpp>

namespace tg::kernels {

/// y = a * x + y of n elements, one per thread: launch with `tg::cover(n)`.
inline constexpr auto saxpy = tg::kernel<"saxpy">(
    tg::block<256>, [](auto block, tg::in<float> x, tg::inout<float> y, tg::scalar<float> a, tg::scalar<unsigned> n) {
      auto i = tg::let(block.global_index());
      tg::if_(i < n, [&] { y(i) = a * x(i) + y(i); });
    });

}  // namespace tg::kernels
