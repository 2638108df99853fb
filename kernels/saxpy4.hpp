// y = a * x + y, four elements per thread.
#pragma once

#include <tg/dsl.hpp>
#include <tg/runtime/grid.hpp>

namespace tg::kernels {

using literals::operator""_c;

/// y = a*x + y with 16-byte accesses: launch with `tg::cover(saxpy4_threads(n))`. The up to three elements after the last
/// whole vector go to the first threads, so they are read and written as neighbours too.
/// Requires: n < 2^31.
inline constexpr auto saxpy4 = tg::kernel<"saxpy4">(
    tg::block<256>, [](auto block, tg::in<float> x, tg::inout<float> y, tg::scalar<float> a, tg::scalar<unsigned> n) {
      auto i = tg::let(block.global_index());
      tg::if_(i < n / 4_c, [&] {
        auto at = i * 4_c;
        y.vec<4>(at) = tg::map([&](auto u, auto v) { return a * u + v; }, x.vec<4>(at), y.vec<4>(at));
      });
      auto rest = tg::let(n / 4_c * 4_c + i);
      tg::if_(rest < n, [&] { y(rest) = a * x(rest) + y(rest); });
    });

/// Threads that `saxpy4` needs for n elements.
constexpr unsigned saxpy4_threads(unsigned n) { return n < 4 ? n : n / 4 < 3 ? 3 : n / 4; }

}  // namespace tg::kernels
