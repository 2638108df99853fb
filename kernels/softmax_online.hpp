// y = exp(x) / sum of exp(x) along each row, one block per row of any length, in two passes over the row. The largest element
// is subtracted first, so nothing overflows. An exponential of t has a relative error of 2^-22 + |t| * 2^-24.
#pragma once

#include <tg/dsl.hpp>
#include <tg/dsl/block/block_reduce.hpp>
#include <tg/runtime/grid.hpp>

namespace tg::kernels {

using literals::operator""_c;

/// Reads each row twice: the sum is kept relative to the largest element so far. Launch with `tg::grid(rows)`.
inline constexpr auto softmax_online = tg::kernel<"softmax_online">(
    tg::block<256>, [](auto block, tg::in2<float> x, tg::out2<float> y, tg::scalar<unsigned> cols) {
      const auto row = block.index.x;
      const auto columns = tg::range(block.thread.x, cols, 256_c);
      tg::var<float> peak = -tg::largest_finite<float>;
      tg::var<float> sum = 0.0f;
      tg::for_(columns, [&](auto j) {
        const auto v = tg::let(x(row, j));
        const auto next = tg::max(peak, v);
        sum = sum * tg::approx::exp(peak - next) + tg::approx::exp(v - next);
        peak = next;
      });
      const auto all = block_max(block, peak);
      const auto scale = 1.0f / block_sum(block, sum * tg::approx::exp(peak - all));
      tg::for_(columns, [&](auto j) { y(row, j) = tg::approx::exp(x(row, j) - all) * scale; });
    });

}  // namespace tg::kernels
