// y = (x - mean) / sqrt(variance + epsilon) * gamma + beta along each row, which is read once and stays in registers.
#pragma once

#include <tg/dsl.hpp>
#include <tg/runtime/grid.hpp>
#include <tg/tile.hpp>

namespace tg::kernels {

using literals::operator""_c;

/// Rows of up to `Most` elements of T, one block each. Launch with `tg::grid(rows)`.
/// Requires: Most is a power of two. Errors: TG526 for more columns, at launch. Units: sums in float, one rounding to T.
template <class T, int Most>
inline constexpr auto layer_norm =
    tg::kernel<"layer_norm">(tg::block<128>, [](auto block, tg::in2<T, tg::multiple_of<8>> x, tg::in<T> gamma, tg::in<T> beta,
                                                tg::out2<T, tg::multiple_of<8>> y, tg::scalar<unsigned> rows,
                                                tg::scalar<unsigned, tg::at_most<Most>> columns, tg::scalar<float> epsilon) {
      const auto row_of = [&](const auto& view) {
        return tg::tile_at<1, Most>(tg::sized(view, rows, columns), block.index.x, 0_c);
      };
      const auto all_of = [&](const auto& view) { return tg::cast<float>(tg::tile_at<Most>(tg::sized(view, columns), 0_c)); };
      const auto own = tg::eval(tg::cast<float>(tg::load(block, row_of(x))));
      const auto share = tg::let(1.0f / tg::cast<float>(columns));
      const auto mean = tg::eval(tg::row_sum(own) * share);
      const auto centred = tg::eval(tg::where(tg::columns_of(own, 0) < columns, own - mean, 0.0f));
      const auto scale = tg::eval(tg::rsqrt(tg::row_sum(centred * centred) * share + epsilon));
      row_of(y) = tg::cast<T>(centred * scale * all_of(gamma) + all_of(beta));
    });

/// y = (x + residual) / sqrt(mean of its squares + epsilon) * gamma along each row; `sum` = x + residual is written too, as the
/// next layer's residual. Rows of up to `Most` elements of T. Launch with `tg::grid(rows)`. Errors: as `layer_norm`.
template <class T, int Most>
inline constexpr auto residual_rms_norm = tg::kernel<"residual_rms_norm">(
    tg::block<128>, [](auto block, tg::in2<T, tg::multiple_of<8>> x, tg::in2<T, tg::multiple_of<8>> residual, tg::in<T> gamma,
                       tg::out2<T, tg::multiple_of<8>> sum, tg::out2<T, tg::multiple_of<8>> y, tg::scalar<unsigned> rows,
                       tg::scalar<unsigned, tg::at_most<Most>> columns, tg::scalar<float> epsilon) {
      const auto row_of = [&](const auto& view) {
        return tg::tile_at<1, Most>(tg::sized(view, rows, columns), block.index.x, 0_c);
      };
      const auto read = [&](const auto& view) { return tg::cast<float>(tg::load(block, row_of(view))); };
      const auto own = tg::eval(read(x) + read(residual));
      row_of(sum) = tg::cast<T>(own);
      const auto scale = tg::eval(tg::rsqrt(tg::row_sum(own * own) / tg::cast<float>(columns) + epsilon));
      row_of(y) = tg::cast<T>(own * scale * tg::cast<float>(tg::tile_at<Most>(tg::sized(gamma, columns), 0_c)));
    });

}  // namespace tg::kernels
