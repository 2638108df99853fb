// b = transpose of a, through a swizzled tile. `transpose_steps.hpp` has the steps that lead here.
#pragma once

#include <tg/dsl.hpp>
#include <tg/dsl/value/uniform.hpp>
#include <tg/runtime/grid.hpp>

namespace tg::kernels {

using literals::operator""_c;

namespace detail {

// A block of 32 x 8 threads moves a tile of 32 x 32 elements: each thread four rows, 8 apart.
template <class Body> void each_tile_row(Body body) {
  for (int k = 0; k < 4; ++k) body(tg::uniform<8>(8 * k));
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
  // Constants, since the columns of a tile that is swizzled by rows must be known.
  tg::unroll<4>([&](auto k) {
    const auto line = block.thread.y + k * 8_c;
    tg::if_(left + line < cols && top + lane < rows, [&] { b(left + line, top + lane) = tile(lane, line, excuse...); });
  });
}

}  // namespace detail

/// Through a tile whose columns are permuted by their row, so that a column lies in 32 banks. Launch with
/// `transpose_grid(rows, cols)`.
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
