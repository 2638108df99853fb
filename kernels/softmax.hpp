// y = exp(x) / sum of exp(x) along each row, one block per row of any length. The largest element is subtracted first,
// so nothing overflows. An exponential of t has a relative error of 2^-22 + |t| * 2^-24.
#pragma once

#include <tg/dsl.hpp>
#include <tg/dsl/block/block_reduce.hpp>
#include <tg/dsl/flow/unroll_by.hpp>
#include <tg/dsl/value/uniform.hpp>
#include <tg/runtime/grid.hpp>

namespace tg::kernels {

using literals::operator""_c;

/// Elements of a row that stay in registers.
inline constexpr unsigned softmax_kept = 512 * 32;

/// Three passes over each row: largest element, sum, result. Launch with `tg::grid(rows)`.
/// Requires: cols < 2^31.
/// Cost: reads the first `softmax_kept` elements of a row once, since they stay in registers, and those behind them three
/// times.
inline constexpr auto softmax =
    tg::kernel<"softmax">(tg::block<512>, [](auto block, tg::in2<float> x, tg::out2<float> y, tg::scalar<unsigned> cols) {
      constexpr int each = 32, group = 8;
      const auto row = block.index.x;
      const auto thread = block.thread.x;
      const auto column = [&](int k) { return tg::let(thread + tg::uniform<512>(512 * k)); };
      const auto left = tg::let(tg::cast<int>(cols) - tg::cast<int>(thread));
      const auto is_inside = [&](int k) { return left > 512 * k; };
      // `body(k)` for the numbers of elements that a thread keeps. Of groups behind the end of the row nothing is done.
      const auto for_each_kept = [&](auto body) {
        for (int first = 0; first < each; first += group) {
          const auto all = [&] {
            for (int k = first; k < first + group; ++k) body(k);
          };
          if (first == 0) all();
          else tg::if_(cols > static_cast<unsigned>(first * 512), all);
        }
      };
      const auto rest = tg::range(thread + constant<softmax_kept>{}, cols, 512_c);

      tg::regs<float, each> own = -tg::infinity<float>;
      tg::var<float> largest = -tg::largest_finite<float>;
      for_each_kept([&](int k) { tg::if_(is_inside(k), [&] { own(k) = x(row, column(k)); }); });
      for_each_kept([&](int k) { largest = tg::max(largest, own(k)); });
      tg::unroll_by<2>(rest, [&](auto j) { largest = tg::max(largest, x(row, j)); });
      const auto peak = block_max(block, largest);
      tg::var<float> sum = 0.0f;
      for_each_kept([&](int k) {
        own(k) = tg::approx::exp(own(k) - peak);
        sum += own(k);
      });
      tg::unroll_by<2>(rest, [&](auto j) { sum += tg::approx::exp(x(row, j) - peak); });
      const auto scale = 1.0f / block_sum(block, sum);
      for_each_kept([&](int k) { tg::if_(is_inside(k), [&] { y(row, column(k)) = own(k) * scale; }); });
      tg::unroll_by<2>(rest, [&](auto j) { y(row, j) = tg::approx::exp(x(row, j) - peak) * scale; });
    });

}  // namespace tg::kernels
