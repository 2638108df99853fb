// b = transpose of a, in three steps towards `transpose_swizzled`. Launch each with `transpose_grid(rows, cols)`.
//
//   naive     writes walk down columns: one sector per lane
//   tiled     a tile in shared memory makes both sides walk along rows, but its columns share a bank
//   padded    rows one element longer put a column into 32 banks, for 128 bytes of shared memory
#pragma once

#include <kernels/transpose.hpp>

namespace tg::kernels {

/// Each thread writes down a column of b.
inline constexpr auto transpose_naive = tg::kernel<"transpose_naive">(
    tg::block<32, 8>,
    [](auto block, tg::in2<float> a, tg::out2<float> b, tg::scalar<unsigned> rows, tg::scalar<unsigned> cols) {
      const auto col = tg::let(block.index.x * 32_c + block.thread.x);
      detail::each_tile_row([&](auto k) {
        const auto row = block.index.y * 32_c + block.thread.y + k;
        tg::if_(row < rows && col < cols,
                [&] { b(col, row, tg::allow<tg::TG202>("the first step shows what the later ones repair")) = a(row, col); });
      });
    });

/// Through a tile whose columns are read from one bank.
inline constexpr auto transpose_tiled = tg::kernel<"transpose_tiled">(
    tg::block<32, 8>,
    [](auto block, tg::in2<float> a, tg::out2<float> b, tg::scalar<unsigned> rows, tg::scalar<unsigned> cols) {
      const auto tile = tg::shared<float>(tg::shape<32, 32>);
      detail::transpose_through(tile, block, a, b, rows, cols,
                                tg::allow<tg::TG201>("the second step shows what padding and swizzling repair"));
    });

/// Through a tile with rows of 33 elements.
inline constexpr auto transpose_padded = tg::kernel<"transpose_padded">(
    tg::block<32, 8>,
    [](auto block, tg::in2<float> a, tg::out2<float> b, tg::scalar<unsigned> rows, tg::scalar<unsigned> cols) {
      detail::transpose_through(tg::shared<float>(tg::shape<32, 32>, tg::pitch<33>), block, a, b, rows, cols);
    });

}  // namespace tg::kernels
