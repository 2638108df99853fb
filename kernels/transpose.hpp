// b = transpose of a, in four steps from obvious to fast. Launch each with `transpose_grid(rows, cols)`.
//
//   naive     writes walk down columns: one sector per lane
//   tiled     a tile in shared memory makes both sides walk along rows, but its columns share a bank
//   padded    rows one element longer put a column into 32 banks, for 128 bytes of shared memory
//   swizzled  the same for none: the bank is the column xor the row
#pragma once

#include <tg/dsl.hpp>
#include <tg/runtime/grid.hpp>

namespace tg::kernels {

using literals::operator""_c;

namespace detail {

// A block of 32 x 8 threads moves a tile of 32 x 32 elements: each thread four rows, 8 apart.
template <class Body> void each_tile_row(Body body) {
  tg::unroll<4>([&](auto k) { body(k * 8_c); });
}

template <class Block, class A, class B, class N, class Tile, class... Excuse>
void transpose_through(const Tile& tile, const Block& block, const A& a, const B& b, const N& rows, const N& cols,
                       Excuse... excuse) {
  const auto lane = block.thread.x;
  const auto left = tg::let(block.index.x * 32_c);
  const auto top = tg::let(block.index.y * 32_c);
  each_tile_row([&](auto k) {
    const auto line = block.thread.y + k;
    tg::if_(top + line < rows && left + lane < cols, [&] { tile(line, lane) = a(top + line, left + lane); });
  });
  block.sync();
  each_tile_row([&](auto k) {
    const auto line = block.thread.y + k;
    tg::if_(left + line < cols && top + lane < rows, [&] { b(left + line, top + lane) = tile(lane, line, excuse...); });
  });
}

}  // namespace detail

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

/// Through a tile whose columns are permuted by their row.
inline constexpr auto transpose_swizzled = tg::kernel<"transpose_swizzled">(
    tg::block<32, 8>,
    [](auto block, tg::in2<float> a, tg::out2<float> b, tg::scalar<unsigned> rows, tg::scalar<unsigned> cols) {
      detail::transpose_through(tg::shared<float>(tg::shape<32, 32>, tg::swizzle<5>), block, a, b, rows, cols);
    });

/// Blocks for a matrix of rows x cols.
constexpr auto transpose_grid(unsigned rows, unsigned cols, source_location where = source_location::current()) {
  return tg::grid((cols + 31) / 32, (rows + 31) / 32, where);
}

}  // namespace tg::kernels
