// y = exp(x - max) / sum along each row, which is read once and stays in registers: softmax in tiles.
#pragma once

#include <tg/dsl.hpp>
#include <tg/runtime/grid.hpp>
#include <tg/tile.hpp>

namespace tg::kernels {

using literals::operator""_c;

/// Rows of up to `Most` elements of T, one block each. A row of nothing but -infinity gives zeros. Launch with
/// `tg::grid(rows)`. Requires: Most is a power of two. Errors: TG526 for more columns, at launch. Units: in float, one rounding
/// to T.
template <class T, int Most>
inline constexpr auto softmax_tiles = tg::kernel<"softmax_tiles">(
    tg::block<128>, [](auto block, tg::in2<T, tg::multiple_of<8>> x, tg::out2<T, tg::multiple_of<8>> y,
                       tg::scalar<unsigned> rows, tg::scalar<unsigned, tg::at_most<Most>> columns) {
      const auto row_of = [&](const auto& view) {
        return tg::tile_at<1, Most>(tg::sized(view, rows, columns), block.index.x, 0_c);
      };
      const auto read = tg::eval(tg::cast<float>(tg::load(block, row_of(x))));
      const auto own = tg::eval(tg::where(tg::columns_of(read, 0) < columns, read, -tg::infinity<float>));
      const auto peak = tg::eval(tg::max(tg::row_max(own), -tg::largest_finite<float>));
      const auto weight = tg::eval(tg::approx::exp2((own - peak) * 0x1.715476p0f));
      const auto sum = tg::row_sum(weight);
      row_of(y) = tg::cast<T>(weight * tg::where(sum == 0.0f, 0.0f, tg::approx::rcp(sum)));
    });

}  // namespace tg::kernels
