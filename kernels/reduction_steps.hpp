// The sum of n floats, in four steps towards `sum`. Each leaves one partial sum per block, which a second launch adds up.
//
//   interleaved   a tree over shared memory; the threads that still add lie ever further apart, so warps diverge
//   sequential    the same tree with the adding threads side by side: idle warps leave
//   first_add     each thread adds two elements while loading: half the blocks
//   shuffled      warps add up among themselves: one barrier instead of eight
#pragma once

#include <tg/dsl.hpp>
#include <tg/dsl/block/block_reduce.hpp>
#include <tg/runtime/grid.hpp>

namespace tg::kernels {

using literals::operator""_c;

/// Partial sums of 256 elements: partial(b) of block b. Launch with `tg::cover(n)`.
inline constexpr auto sum_interleaved = tg::kernel<"sum_interleaved">(
    tg::block<256>, [](auto block, tg::in<float> x, tg::out<float> partial, tg::scalar<unsigned> n) {
      const auto tile = tg::shared<float>(tg::shape<256>);
      const auto t = block.thread.x;
      const auto i = block.global_index();
      tg::var<float> own = 0.0f;
      tg::if_(i < n, [&] { own = x(i); });
      tile(t) = own;
      tg::unroll<8>([&](auto level) {
        constexpr auto distance = constant<(1 << level.value)>{};
        block.sync();
        tg::if_(t % (distance * 2_c) == 0, [&] { tile(t) += tile(t + distance); });
      });
      tg::if_(t == 0, [&] { partial(block.index.x) = tile(t); });
    });

namespace detail {

template <class Block, class Tile> void add_halves(const Block& block, const Tile& tile) {
  const auto t = block.thread.x;
  tg::unroll<8>([&](auto level) {
    constexpr auto distance = constant<(128 >> level.value)>{};
    block.sync();
    tg::if_(t < distance, [&] { tile(t) += tile(t + distance); });
  });
}

}  // namespace detail

/// Partial sums of 256 elements. Launch with `tg::cover(n)`.
inline constexpr auto sum_sequential = tg::kernel<"sum_sequential">(
    tg::block<256>, [](auto block, tg::in<float> x, tg::out<float> partial, tg::scalar<unsigned> n) {
      const auto tile = tg::shared<float>(tg::shape<256>);
      const auto t = block.thread.x;
      const auto i = block.global_index();
      tg::var<float> own = 0.0f;
      tg::if_(i < n, [&] { own = x(i); });
      tile(t) = own;
      detail::add_halves(block, tile);
      tg::if_(t == 0, [&] { partial(block.index.x) = tile(t); });
    });

/// Partial sums of 512 elements. Launch with `tg::cover((n + 1) / 2)`.
inline constexpr auto sum_first_add = tg::kernel<"sum_first_add">(
    tg::block<256>, [](auto block, tg::in<float> x, tg::out<float> partial, tg::scalar<unsigned> n) {
      const auto tile = tg::shared<float>(tg::shape<256>);
      const auto t = block.thread.x;
      const auto i = block.index.x * 512_c + t;
      tg::var<float> own = 0.0f;
      tg::if_(i < n, [&] { own += x(i); });
      tg::if_(i + 256_c < n, [&] { own += x(i + 256_c); });
      tile(t) = own;
      detail::add_halves(block, tile);
      tg::if_(t == 0, [&] { partial(block.index.x) = tile(t); });
    });

/// Partial sums of 512 elements. Launch with `tg::cover((n + 1) / 2)`.
inline constexpr auto sum_shuffled =
    tg::kernel<"sum_shuffled">(tg::block<256>, [](auto block, tg::in<float> x, tg::out<float> partial, tg::scalar<unsigned> n) {
      const auto i = block.index.x * 512_c + block.thread.x;
      tg::var<float> own = 0.0f;
      tg::if_(i < n, [&] { own += x(i); });
      tg::if_(i + 256_c < n, [&] { own += x(i + 256_c); });
      const auto total = block_sum(block, own);
      tg::if_(block.thread.x == 0, [&] { partial(block.index.x) = total; });
    });

}  // namespace tg::kernels
