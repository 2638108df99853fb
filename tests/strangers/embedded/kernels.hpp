// The kernels of this program in C++.
#pragma once

#include <tg/tg.hpp>

namespace app_source {

inline constexpr auto saxpy = tg::kernel<"saxpy">(
    tg::block<256>, [](auto block, tg::in<float> x, tg::inout<float> y, tg::scalar<float> a, tg::scalar<unsigned> n) {
      auto i = tg::let(block.global_index());
      tg::if_(i < n, [&] { y(i) = a * x(i) + y(i); });
    });

inline constexpr auto twice = tg::kernel<"twice">(tg::block<64>, [](auto block, tg::inout<float> y, tg::scalar<unsigned> n) {
  auto i = tg::let(block.global_index());
  tg::if_(i < n, [&] { y(i) = y(i) + y(i); });
});

}  // namespace app_source
