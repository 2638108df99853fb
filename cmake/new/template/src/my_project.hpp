// z = max(a * x + y, 0), one element per thread.
#pragma once

#include <tg/dsl.hpp>

namespace my_project {

inline constexpr auto scaled_sum = tg::kernel<"scaled_sum">(
    tg::block<256>,
    [](auto block, tg::in<float> x, tg::in<float> y, tg::out<float> z, tg::scalar<float> a, tg::scalar<unsigned> n) {
      const auto i = tg::let(block.global_index());
      tg::if_(i < n, [&] { z(i) = tg::max(a * x(i) + y(i), 0.0f); });
    });

}  // namespace my_project
