// y = silu(G x) * (U x), with G and U in quantised blocks of any format and x in float: the first half of a feed-forward layer
// in one launch.
//
// Warps go along a row of G and then along the same row of U (kernels/block_matvec.hpp), so that both sums meet in registers.
#pragma once

#include <kernels/block_matvec.hpp>
#include <tg/dsl/math/activation.hpp>

namespace tg::kernels {

/// y(b, r) = silu(g) * u, where g and u are row r of `gate` and of `up` times row b of x, as `block_matvec` has them. `Vectors`
/// rows b, 1 to 8; `Warps` warps for each row: 1, 2, 4 or 8. Launch with `block_matvec_grid<Warps>(rows)`.
/// Requires: what `block_matvec` requires.
/// Units: weights as `dequantize` makes them in float; sums and what is made of them in float.
/// Cost: reads gate and up once, in units of `block_unit<Format>` 16-bit numbers.
template <class Format, unsigned Vectors = 1, unsigned Warps = 1>
inline constexpr auto block_swiglu = tg::kernel<"block_swiglu">(
    tg::block<256>,
    [](auto block, block_rows<Format> gate, block_rows<Format> up, tg::in2<float, tg::multiple_of<4>> x, tg::out2<float> y,
       tg::scalar<unsigned> rows, tg::scalar<unsigned, tg::multiple_of<Format::values>> columns) {
      static_assert(Vectors >= 1 && Vectors <= 8, "block_swiglu: 1 to 8 vectors");
      static_assert(Warps == 1 || Warps == 2 || Warps == 4 || Warps == 8, "block_swiglu: 1, 2, 4 or 8 warps for a row");
      using parts = detail::block_parts<Format>;
      const auto warp = block.warp();
      const auto row = tg::let(block.index.x * constant<8 / Warps>{} + warp.index / constant<Warps>{});
      const auto read_row = tg::let(tg::min(row, rows - 1u));
      const auto heads = parts::heads();
      const auto quants = parts::quants();
      const detail::block_tiles tiles{tg::row(heads, warp.index), tg::row(quants, warp.index)};
      tg::regs<float, int(Vectors)> gated = 0.0f, linear = 0.0f;
      detail::add_row_in_float<Format, Vectors, Warps>(warp, gate, read_row, x, columns, tiles, gated);
      warp.sync();
      detail::add_row_in_float<Format, Vectors, Warps>(warp, up, read_row, x, columns, tiles, linear);
      detail::put_sums<Vectors, Warps>(
          block, row, rows, [&](auto b, const auto& g, const auto& u) { y(b, row) = tg::silu(g) * u; }, gated, linear);
    });

}  // namespace tg::kernels
