// y = silu(norm(x) * gate) * (norm(x) * up), where norm(x) = x / sqrt(mean of x^2 + epsilon) * gamma along each row: the first
// half of a feed-forward layer as one kernel of tiles.
#pragma once

#include <tg/dsl.hpp>
#include <tg/runtime/grid.hpp>
#include <tg/tile.hpp>

namespace tg::kernels {

using literals::operator""_c;

/// x: m x k, gamma: k, gate and up: k x n, y: m x n. Each element of x is read once for both products and for the squares of
/// its row, whose root scales the sums at the end. Launch with `rms_swiglu_grid(m, n)`. `Sm`: the architecture, 80 or 90.
/// Units: x * gamma is rounded to T as the operand of the products; sums in float; one rounding to T.
template <class T, int Sm = 80>
inline constexpr auto rms_swiglu = tg::kernel<"rms_swiglu">(
    tg::block<128> | tg::for_sm<Sm>,
    [](auto block, tg::in2<T, tg::multiple_of<8>> x, tg::in<float> gamma, tg::in2<T, tg::multiple_of<8>> gate,
       tg::in2<T, tg::multiple_of<8>> up, tg::out2<T, tg::multiple_of<8>> y, tg::scalar<unsigned> m, tg::scalar<unsigned> n,
       tg::scalar<unsigned> k, tg::scalar<float> epsilon) {
      const auto row = tg::let(block.index.y * 64_c), column = tg::let(block.index.x * 64_c);
      auto gated = tg::zeros<float, 64, 64>(block), linear = tg::zeros<float, 64, 64>(block);
      auto squares = tg::zeros<float, 64, 32>(block);
      tg::pipeline<3>(
          block, tg::steps(k, 32_c),
          [&](auto at) {
            return tg::stage(tg::tile_at<64, 32>(tg::sized(x, m, k), row, at),
                             tg::tile_at<32, 64>(tg::sized(gate, k, n), at, column),
                             tg::tile_at<32, 64>(tg::sized(up, k, n), at, column));
          },
          [&](auto own, auto gates, auto ups, auto at) {
            const auto read = tg::eval_like(tg::cast<float>(tg::tile_at<64, 32>(own, 0_c, 0_c)), squares);
            squares += read * read;
            const auto scaled = tg::eval(tg::cast<T>(read * tg::tile_at<32>(tg::sized(gamma, k), at)));
            gated += tg::dot(scaled, gates);
            linear += tg::dot(scaled, ups);
          });
      const auto scale = tg::eval(tg::rsqrt(tg::row_sum(squares) / tg::cast<float>(k) + epsilon));
      tg::tile_at<64, 64>(tg::sized(y, m, n), row, column) = tg::cast<T>(tg::approx::silu(gated * scale) * (linear * scale));
    });

/// Blocks for a result of m x n.
constexpr auto rms_swiglu_grid(unsigned m, unsigned n, source_location where = source_location::current()) {
  return tg::grid((n + 63) / 64, (m + 63) / 64, where);
}

}  // namespace tg::kernels
