// Weights in blocks become floats.
//
// A warp takes 256 weights: it copies their blocks to shared memory, and each lane makes two runs of four neighbouring weights
// of them. Blocks with 4 or 5 bits for each of 32 weights are copied 16 bytes at a time, as they are.
#pragma once

#include <type_traits>

#include <kernels/block_parts.hpp>
#include <tg/dsl/value/uniform.hpp>
#include <tg/runtime/grid.hpp>

namespace tg::kernels {

namespace detail {

template <class Heads, class Quants> struct staged_blocks {
  Heads heads;
  Quants quants;
};
template <class Heads, class Quants> staged_blocks(const Heads&, const Quants&) -> staged_blocks<Heads, Quants>;

/// Copies the blocks of part `part` of n weights to shared memory, heads and quants in tiles of their own.
template <class Format, class Warp, class X, class Part, class N>
auto stage_split(const Warp& warp, const X& x, const Part& part, const N& n) {
  using parts = block_parts<Format>;
  constexpr constant<parts::unit> unit;
  const staged_blocks tiles{tg::row(parts::heads(), warp.index), tg::row(parts::quants(), warp.index)};
  const auto last = tg::let(n / constant<Format::values>{} * constant<parts::numbers / parts::unit>{} - 1u);
  const auto read = parts::read(warp.lane, [&](const auto& at) {
    return tg::vec_at<parts::unit>(x, tg::min(part * constant<parts::units>{} + at, last) * unit).get();
  });
  parts::write(read, warp.lane, tiles.heads, tiles.quants);
  return tiles;
}

/// Copies the blocks of part `part` of n weights to shared memory as they are. 128 weights must lie in 32 banks.
template <class Format, class Warp, class X, class Part, class N>
auto stage_whole(const Warp& warp, const X& x, const Part& part, const N& n) {
  constexpr unsigned numbers = Format::bytes / 2, span = 8 * numbers;
  static_assert(4 * Format::bytes <= 128 && span % 8 == 0);
  const auto all = tg::shared<std::uint16_t>(tg::shape<8, span>);
  const auto own = tg::row(all, warp.index);
  const auto first = tg::let(part * constant<span>{});
  const auto is_whole = tg::let(part < n / 256_c);
  tg::if_(is_whole && warp.lane < constant<numbers>{},
          [&] { tg::vec_at<8>(own, warp.lane * 8_c) = tg::vec_at<8>(x, first + warp.lane * 8_c).get(); });
  warp.sync();
  tg::if_(!is_whole, [&] {
    // Behind the end, all numbers are the last one.
    const auto last = tg::let(n / constant<Format::values>{} * constant<numbers>{} - 1u);
    tg::unroll<(span + 31) / 32>([&](auto k) {
      const auto at = tg::let(warp.lane + k * 32_c);
      tg::if_(at < constant<span>{}, [&] { own(at) = x(tg::min(first + at, last)); });
    });
  });
  return staged_blocks{part_of_blocks<numbers, 0, std::remove_cvref_t<decltype(own)>>{own},
                       part_of_blocks<numbers, Format::head, std::remove_cvref_t<decltype(own)>>{own}};
}

template <class Format, class Warp, class X, class Part, class N>
auto stage_blocks(const Warp& warp, const X& x, const Part& part, const N& n) {
  if constexpr (Format::values == 32 && Format::rest == 8) return stage_whole<Format>(warp, x, part, n);
  else return stage_split<Format>(warp, x, part, n);
}

}  // namespace detail

/// y(i) = weight i of n, rounded to T. x: the bytes of the blocks, as 16-bit numbers. T: float, f16, bf16. Launch with
/// `dequantize_grid(n)`.
/// Requires: n is a multiple of `Format::values` and not 0; x has `block_numbers<Format>(n)` elements; n + 2048 < 2^32.
/// Units: as the format says in float, each product and sum rounded, then to T.
/// Cost: reads and writes each byte once.
template <class Format, class T>
inline constexpr auto dequantize =
    tg::kernel<"dequantize">(tg::block<256>, [](auto block, tg::in<std::uint16_t> x, tg::out<T> y,
                                                tg::scalar<unsigned, tg::multiple_of<Format::values>> n) {
      const auto warp = block.warp();
      const auto lane = warp.lane;
      const auto part = tg::let(block.index.x * 8_c + warp.index);
      const auto blocks = detail::stage_blocks<Format>(warp, x, part, n);
      warp.sync();
      tg::unroll<2>([&](auto run) {
        const auto v = tg::let(lane * 4_c + run * 128_c);
        const auto i = tg::let(part * 256_c + v);
        const auto weights = tg::cast<T>(Format::read(blocks.heads, blocks.quants, v, warp));
        tg::if_(i < n, [&] { y.template vec<4>(i) = weights; });
      });
    });

/// Blocks for `dequantize`.
constexpr auto dequantize_grid(unsigned n, source_location where = source_location::current()) {
  return tg::grid((n + 2047) / 2048, where);
}

}  // namespace tg::kernels
