// loss = log(sum of exp(x)) - x(target) of each row of logits, and its gradient, in tiles. Rows may be of any length: a
// vocabulary is walked in steps, and the sum is kept relative to the largest logit so far.
#pragma once

#include <tg/dsl.hpp>
#include <tg/runtime/grid.hpp>
#include <tg/tile.hpp>

namespace tg::kernels {

using literals::operator""_c;

/// Columns of a step.
inline constexpr int cross_entropy_step = 2048;

/// `loss(row)`, and `log_sums(row)`, the logarithm of the sum of exponentials, which the gradient needs. A row whose target is
/// not below `columns` counts for nothing: its loss is 0. Launch with `tg::grid(rows)`.
/// Units: in float; reads each logit once.
template <class T>
inline constexpr auto cross_entropy = tg::kernel<"cross_entropy">(
    tg::block<128>, [](auto block, tg::in2<T, tg::multiple_of<8>> x, tg::in<unsigned> targets, tg::out<float> loss,
                       tg::out<float> log_sums, tg::scalar<unsigned> rows, tg::scalar<unsigned> columns) {
      const auto row = block.index.x;
      const auto step_of = [&](const auto& from) {
        return tg::tile_at<1, cross_entropy_step>(tg::sized(x, rows, columns), row, from);
      };
      const auto empty = tg::full_like_load<float>(block, step_of(0_c), 0.0f);
      auto peak = tg::full_per_row(empty, -tg::largest_finite<float>);
      auto total = tg::full_per_row(empty, 0.0f);
      tg::for_(tg::range(0_c, columns, tg::constant<cross_entropy_step>{}), [&](auto from) {
        const auto read = tg::eval(tg::cast<float>(tg::load(block, step_of(from))));
        const auto own = tg::eval(tg::where(tg::columns_of(read, from) < columns, read * 0x1.715476p0f, -tg::infinity<float>));
        const auto top = tg::eval(tg::max(peak, tg::row_max(own)));
        total = total * tg::approx::exp2(peak - top) + tg::row_sum(tg::approx::exp2(own - top));
        peak = top;
      });
      const auto of_row = [&](const auto& view) { return tg::tile_at<1>(tg::sized(view, rows), row); };
      const auto target = tg::let(targets(row));
      const auto sum = tg::eval((peak + tg::log2(total)) * 0x1.62e43p-1f);
      of_row(log_sums) = sum;
      of_row(loss) =
          tg::where(target < columns, sum - tg::cast<float>(tg::tile_at<1, 1>(tg::sized(x, rows, columns), row, target)), 0.0f);
    });

/// gradient(row, j) = scale * (exp(x(row, j) - log_sums(row)) - (j == target)), zeros where the target is not below `columns`.
/// Launch with `cross_entropy_grid(rows, columns)`.
template <class T>
inline constexpr auto cross_entropy_backward = tg::kernel<"cross_entropy_backward">(
    tg::block<128>, [](auto block, tg::in2<T, tg::multiple_of<8>> x, tg::in<unsigned> targets, tg::in<float> log_sums,
                       tg::out2<T, tg::multiple_of<8>> gradient, tg::scalar<unsigned> rows, tg::scalar<unsigned> columns,
                       tg::scalar<float> scale) {
      const auto row = block.index.y;
      const auto first = tg::let(block.index.x * tg::constant<cross_entropy_step>{});
      const auto step_of = [&](const auto& view) {
        return tg::tile_at<1, cross_entropy_step>(tg::sized(view, rows, columns), row, first);
      };
      const auto target = tg::let(targets(row));
      const auto factor = tg::let(tg::select(target < columns, scale, 0.0f));
      const auto own = tg::cast<float>(tg::load(block, step_of(x)));
      const auto share = tg::approx::exp2((own - log_sums(row)) * 0x1.715476p0f);
      step_of(gradient) = tg::cast<T>(factor * (share - tg::where(tg::columns_of(own, first) == target, 1.0f, 0.0f)));
    });

/// Blocks for the gradient of `rows` x `columns` logits.
constexpr auto cross_entropy_grid(unsigned rows, unsigned columns, source_location where = source_location::current()) {
  return tg::grid((columns + cross_entropy_step - 1) / cross_entropy_step, rows, where);
}

}  // namespace tg::kernels
