// What the threads before each thread of a block have. Called by all threads of the block; the shared memory and the
// barriers are part of the word, and it may stand in a loop.
#pragma once

#include <tg/dsl/block/block_reduce.hpp>

namespace tg {

/// What `block_scan` gives each thread; what is not used costs nothing.
template <scalar_type T> struct scanned {
  value<T> before;   ///< over all threads with lower numbers; the identity in thread 0
  value<T> through;  ///< the same and this thread
  value<T> total;    ///< over all threads of the block
};

/// `f` over the threads up to each thread, in their order. Requires: `f` is associative, gives the type of `x`, and
/// `identity` beside y gives y. Errors: TG101, TG102, TG110.
/// Cost: five shuffles, one barrier (two in a loop), one read of shared memory per warp.
template <class Block, operand_like X, operand_like Identity, class F>
scanned<detail::lane_type<X>> block_scan(const Block& block, const X& x, const Identity& identity, F f,
                                         source_location where = source_location::current()) {
  using T = detail::lane_type<X>;
  constexpr int warps = detail::warps_of<Block>;
  const auto warp = detail::block_warp(block);
  const value<T> none{detail::argument<T>(identity)};
  value<T> through(detail::lane_value<T>(x));
  for (unsigned distance = 1; distance < 32 && distance < Block::shape::threads; distance *= 2) {
    const value<T> below = warp.shuffle_up(through, distance);
    through.operand = select(warp.lane >= distance, detail::combined(f, below, through), through).operand;
  }
  const value<T> before = select(warp.lane == 0, none, warp.shuffle_up(through, 1));
  if constexpr (warps == 1) {
    return {before, through, warp.shuffle(through, value<unsigned>{warp.last})};
  } else {
    const auto partials = shared<T>(shape<warps>, {}, where);
    if_(warp.lane == value<unsigned>{warp.last}, [&] { partials(warp.index, {}, where) = through; }, where);
    block.sync(where);
    value<T> total = none, below = none;
    for (unsigned w = 0; w < warps; ++w) {
      below.operand = select(warp.index == w, total, below).operand;
      total.operand = detail::combined(f, total, partials(w, {}, where).get()).operand;
    }
    detail::end_of_partials(block, where);
    return {detail::combined(f, below, before), detail::combined(f, below, through), total};
  }
}

/// Sums over the threads up to each thread.
template <class Block, operand_like X>
auto block_scan_sum(const Block& block, const X& x, source_location where = source_location::current()) {
  using T = detail::lane_type<X>;
  return block_scan(block, x, T{0}, [](const auto& a, const auto& b) { return a + b; }, where);
}

}  // namespace tg
