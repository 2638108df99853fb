// Weights in blocks become floats.
//
// A warp takes 256 weights: it copies their blocks, whose bytes are multiples of 2 and of nothing more, to shared memory by
// 16-bit numbers, 64 bytes at a time, and each lane makes two runs of four neighbouring weights of them.
#pragma once

#include <cstdint>

#include <kernels/block_formats.hpp>
#include <tg/dsl/memory/subview.hpp>
#include <tg/dsl/value/uniform.hpp>
#include <tg/runtime/grid.hpp>

namespace tg::kernels {

/// How many 16-bit numbers n weights have. Requires: a multiple of `Format::values`.
template <class Format> constexpr unsigned block_numbers(unsigned n) { return n / Format::values * (Format::bytes / 2); }

/// y(i) = weight i of n, rounded to T. x: the bytes of the blocks, as 16-bit numbers. T: float, f16, bf16. Launch with
/// `dequantize_grid(n)`.
/// Requires: n is a multiple of `Format::values` and not 0; x has `block_numbers<Format>(n)` elements; n + 2048 < 2^32.
/// Units: as the format says in float, each product and sum rounded, then to T.
/// Cost: reads and writes each byte once.
template <class Format, class T>
inline constexpr auto dequantize =
    tg::kernel<"dequantize">(tg::block<256>, [](auto block, tg::in<std::uint16_t> x, tg::out<T> y,
                                                tg::scalar<unsigned, tg::multiple_of<Format::values>> n) {
      constexpr unsigned blocks = 256 / Format::values, numbers = Format::bytes / 2, span = blocks * numbers;
      constexpr unsigned heads_pitch = blocks * Format::head + 2, quants_pitch = blocks * Format::rest + 3;
      const auto warp = block.warp();
      const auto lane = warp.lane;
      const auto part = tg::let(block.index.x * 8_c + warp.index);
      const auto heads = tg::shared<std::uint16_t>(tg::shape<8, heads_pitch / 2 * 2>);
      const auto quants = tg::shared<std::uint16_t>(tg::shape<8, quants_pitch / 4 * 4>);
      const auto own_heads = tg::row(heads, warp.index);
      const auto own_quants = tg::row(quants, warp.index);
      const auto last = tg::let(n / constant<Format::values>{} * constant<numbers>{} - 1u);
      tg::unroll<(span + 31) / 32>([&](auto k) {
        const auto at = tg::let(lane + k * 32_c);
        const auto move = [&] {
          const auto number = tg::let(x(tg::min(part * constant<span>{} + at, last)));
          const auto b = at / constant<numbers>{};
          const auto within = at % constant<numbers>{};
          if constexpr (Format::head == 0) {
            own_quants(at) = number;
          } else {
            tg::if_(within < constant<Format::head>{}, [&] {
              own_heads(b * constant<Format::head>{} + within) = number;
            }).else_([&] { own_quants(b * constant<Format::rest>{} + (within - constant<Format::head>{})) = number; });
          }
        };
        if constexpr ((k.value + 1) * 32 <= span) move();
        else tg::if_(at < constant<span>{}, move);
      });
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
