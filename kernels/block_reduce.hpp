// One value per thread becomes one value per block.
#pragma once

#include <tg/tg.hpp>

namespace tg::kernels {

using literals::operator""_c;

/// `f` over the values of all threads of a block of 32, 64, 128, 256, 512 or 1024 threads, in every thread. Called by
/// all threads, once per `partials`, which has one element per warp.
/// Requires: `f` is associative and commutative.
/// Cost: two trees of shuffles, one barrier.
template <class Block, class Tile, class X, class F>
auto block_combine(const Block& block, const Tile& partials, const X& x, F f) {
  constexpr int warps = Block::shape::threads / 32;
  const auto warp = block.warp();
  const auto own = warp.combine(x, f);
  tg::if_(warp.lane == 0, [&] { partials(warp.index) = own; });
  block.sync();
  // Each group of `warps` lanes reads all partial results, so the second tree needs no guard.
  auto all = tg::let(partials(warp.lane % constant<warps>{}));
  for (int distance = warps / 2; distance > 0; distance /= 2) all = f(all, warp.shuffle_xor(all, distance));
  return all;
}

/// The partial results of the warps of a block.
template <class T, class Block>
auto block_partials(const Block&) {
  return tg::shared<T>(tg::shape<Block::shape::threads / 32>);
}

/// The sum over the block; see `block_combine`.
template <class Block, class X>
auto block_sum(const Block& block, const X& x) {
  return block_combine(block, block_partials<device_type_of<X>>(block), x,
                       [](const auto& a, const auto& b) { return a + b; });
}

/// The largest over the block; see `block_combine`.
template <class Block, class X>
auto block_max(const Block& block, const X& x) {
  return block_combine(block, block_partials<device_type_of<X>>(block), x,
                       [](const auto& a, const auto& b) { return tg::max(a, b); });
}

}  // namespace tg::kernels
