// y = exp(x) / sum of exp(x) along each row, one block per row of any length. The largest element is subtracted first,
// so nothing overflows. An exponential of t has a relative error of 2^-22 + |t| * 2^-24.
#pragma once

#include <limits>

#include <tg/dsl.hpp>
#include <tg/dsl/block/block_reduce.hpp>
#include <tg/runtime/grid.hpp>

namespace tg::kernels {

using literals::operator""_c;

/// Reads each row three times: largest element, sum, result. Launch with `tg::grid(rows)`.
inline constexpr auto softmax =
    tg::kernel<"softmax">(tg::block<256>, [](auto block, tg::in2<float> x, tg::out2<float> y, tg::scalar<unsigned> cols) {
      const auto row = block.index.x;
      const auto columns = tg::range(block.thread.x, cols, 256_c);
      tg::var<float> largest = std::numeric_limits<float>::lowest();
      tg::for_(columns, [&](auto j) { largest = tg::max(largest, x(row, j)); });
      const auto peak = block_max(block, largest);
      tg::var<float> sum = 0.0f;
      tg::for_(columns, [&](auto j) { sum += tg::approx::exp(x(row, j) - peak); });
      const auto scale = 1.0f / block_sum(block, sum);
      tg::for_(columns, [&](auto j) { y(row, j) = tg::approx::exp(x(row, j) - peak) * scale; });
    });

}  // namespace tg::kernels
