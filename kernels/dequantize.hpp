// Weights in blocks become floats.
//
// A warp takes 256 weights: it copies their blocks to shared memory, and each lane makes two runs of four neighbouring weights
// of them.
#pragma once

#include <kernels/block_parts.hpp>
#include <tg/dsl/value/uniform.hpp>
#include <tg/runtime/grid.hpp>

namespace tg::kernels {

/// y(i) = weight i of n, rounded to T. x: the bytes of the blocks, as 16-bit numbers. T: float, f16, bf16. Launch with
/// `dequantize_grid(n)`.
/// Requires: n is a multiple of `Format::values` and not 0; x has `block_numbers<Format>(n)` elements; n + 2048 < 2^32.
/// Units: as the format says in float, each product and sum rounded, then to T.
/// Cost: reads and writes each byte once.
template <class Format, class T>
inline constexpr auto dequantize =
    tg::kernel<"dequantize">(tg::block<256>, [](auto block, tg::in<std::uint16_t> x, tg::out<T> y,
                                                tg::scalar<unsigned, tg::multiple_of<Format::values>> n) {
      using parts = detail::block_parts<Format>;
      constexpr constant<parts::unit> unit;
      const auto warp = block.warp();
      const auto lane = warp.lane;
      const auto part = tg::let(block.index.x * 8_c + warp.index);
      const auto heads = parts::heads();
      const auto quants = parts::quants();
      const auto own_heads = tg::row(heads, warp.index);
      const auto own_quants = tg::row(quants, warp.index);
      const auto last = tg::let(n / constant<Format::values>{} * constant<parts::numbers / parts::unit>{} - 1u);
      const auto read = parts::read(lane, [&](const auto& at) {
        return tg::vec_at<parts::unit>(x, tg::min(part * constant<parts::units>{} + at, last) * unit).get();
      });
      parts::write(read, lane, own_heads, own_quants);
      warp.sync();
      tg::unroll<2>([&](auto run) {
        const auto v = tg::let(lane * 4_c + run * 128_c);
        const auto i = tg::let(part * 256_c + v);
        const auto weights = tg::cast<T>(Format::read(own_heads, own_quants, v, warp));
        tg::if_(i < n, [&] { y.template vec<4>(i) = weights; });
      });
    });

/// Blocks for `dequantize`.
constexpr auto dequantize_grid(unsigned n, source_location where = source_location::current()) {
  return tg::grid((n + 2047) / 2048, where);
}

}  // namespace tg::kernels
