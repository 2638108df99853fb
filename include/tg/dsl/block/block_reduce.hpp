// One value per thread becomes one value per block. Called by all threads of the block; the shared memory and the
// barriers are part of the word, and it may stand in a loop. A C++ number is one that each thread has.
#pragma once

#include <tg/dsl/block/block_warp.hpp>
#include <tg/dsl/memory/shared.hpp>
#include <tg/dsl/recorder/repetition.hpp>
#include <tg/dsl/value/argument.hpp>
#include <tg/dsl/value/var.hpp>

namespace tg {

namespace detail {

template <class Block> struct block_reductions {};

// f(a, b) as a T. Errors: TG101 for a function that gives another type.
template <class T, class F, class FormA, class FormB>
value<T> combined(F& f, const value<T, FormA>& a, const value<T, FormB>& b) {
  return {argument<T>(f(a, b))};
}

template <class Block> inline constexpr int warps_of = (Block::shape::threads + 31) / 32;

// The lanes' values combined in their order: right in lane 0.
template <class Block, class Warp, class T, class F>
value<T> combine_lanes(const Block&, const Warp& warp, value<T> own, F& f) {
  constexpr int threads = Block::shape::threads;
  for (int distance = 1; distance < 32 && distance < threads; distance *= 2) {
    const value<T> both = combined(f, own, warp.shuffle_down(own, distance));
    if constexpr (threads % 32 == 0) own.operand = both.operand;
    else own.operand = select(warp.lane + static_cast<unsigned>(distance) <= value<unsigned>{warp.last}, both, own).operand;
  }
  return own;
}

// Whoever comes round again must not write before all have read.
template <class Block> void end_of_partials(const Block& block, source_location where) {
  if (is_repeated()) block.sync(where);
}

template <class T, class Block, class F>
value<T> block_combine_in_order(const Block& block, const value<T>& x, F& f, source_location where) {
  constexpr int warps = warps_of<Block>;
  const auto warp = block_warp(block);
  const value<T> own = combine_lanes(block, warp, x, f);
  if constexpr (warps == 1) {
    return warp.shuffle(own, 0);
  } else {
    const auto partials = shared<T>(shape<warps>, {}, where);
    if_(warp.lane == 0, [&] { partials(warp.index, {}, where) = own; }, where);
    block.sync(where);
    value<T> all = partials(constant<0>{}, {}, where).get();
    for (unsigned w = 1; w < warps; ++w) all.operand = combined(f, all, partials(w, {}, where).get()).operand;
    end_of_partials(block, where);
    return all;
  }
}

// Two trees of exchanges, each of which ends in every lane.
template <class T, class Block, class F>
value<T> block_combine_any_order(const Block& block, const value<T>& x, F& f, source_location where) {
  constexpr int warps = warps_of<Block>;
  if constexpr (Block::shape::threads % 32 != 0 || (warps & (warps - 1)) != 0) {
    return block_combine_in_order(block, x, f, where);
  } else {
    const auto warp = block.warp();
    if constexpr (warps == 1) {
      return warp.combine(x, f);
    } else {
      // In front of the exchanges ptxas takes the address as uniform, behind them it spends two registers on it.
      const auto partials = shared<T>(shape<warps>, {}, where);
      const value<T> own = warp.combine(x, f);
      if_(warp.lane == 0, [&] { partials(warp.index, {}, where) = own; }, where);
      block.sync(where);
      // Each group of `warps` lanes reads all partial results, so the second tree needs no guard.
      value<T> all = partials(warp.lane % constant<warps>{}, {}, where).get();
      for (int distance = warps / 2; distance > 0; distance /= 2)
        all.operand = combined(f, all, warp.shuffle_xor(all, distance)).operand;
      end_of_partials(block, where);
      return all;
    }
  }
}

}  // namespace detail

/// `f` over the values of all threads in their order, in every thread: `tg::block_combine(block, x, [](auto a, auto b)
/// {...})`. Requires: `f` is associative and gives the type of `x`. Errors: TG101, TG110. Cost: a tree of five
/// shuffles, one barrier (two in a loop), one read of shared memory per warp.
template <class Block, operand_like X, class F>
auto block_combine(const Block& block, const X& x, F f, source_location where = source_location::current()) {
  using T = detail::lane_type<X>;
  return detail::block_combine_in_order<T>(block, detail::lane_value<T>(x), f, where);
}

/// As block_combine, but only thread 0 gets the whole result, other threads a part of it. Cost: the reads happen in one warp.
template <class Block, operand_like X, class F>
auto block_combine_to_first(const Block& block, const X& x, F f, source_location where = source_location::current()) {
  using T = detail::lane_type<X>;
  constexpr int warps = detail::warps_of<Block>;
  const auto warp = detail::block_warp(block);
  const value<T> own = detail::combine_lanes(block, warp, value<T>(detail::lane_value<T>(x)), f);
  if constexpr (warps == 1) {
    return own;
  } else {
    const auto partials = shared<T>(shape<warps>, {}, where);
    var<T> all(own, where);
    if_(warp.lane == 0, [&] { partials(warp.index, {}, where) = own; }, where);
    block.sync(where);
    if_(
        block.thread_index() == 0,
        [&] {
          for (unsigned w = 1; w < warps; ++w) all = detail::combined(f, all.get(), partials(w, {}, where).get());
        },
        where);
    detail::end_of_partials(block, where);
    return all.get();
  }
}

/// The sum over the block, in every thread. Sums of floats are added in an order that depends on the block size alone.
/// Errors: TG110. Cost: two trees of shuffles and one barrier, two in a loop.
template <class Block, operand_like X>
auto block_sum(const Block& block, const X& x, source_location where = source_location::current()) {
  using T = detail::lane_type<X>;
  const auto f = [](const auto& a, const auto& b) { return a + b; };
  return detail::block_combine_any_order<T>(block, detail::lane_value<T>(x), f, where);
}

/// The largest over the block, in every thread; see `block_sum`.
template <class Block, operand_like X>
auto block_max(const Block& block, const X& x, source_location where = source_location::current()) {
  using T = detail::lane_type<X>;
  const auto f = [](const auto& a, const auto& b) { return tg::max(a, b); };
  return detail::block_combine_any_order<T>(block, detail::lane_value<T>(x), f, where);
}

/// The smallest over the block, in every thread; see `block_sum`.
template <class Block, operand_like X>
auto block_min(const Block& block, const X& x, source_location where = source_location::current()) {
  using T = detail::lane_type<X>;
  const auto f = [](const auto& a, const auto& b) { return tg::min(a, b); };
  return detail::block_combine_any_order<T>(block, detail::lane_value<T>(x), f, where);
}

/// The sum over the block, in thread 0 alone; see `block_combine_to_first`.
template <class Block, operand_like X>
auto block_sum_to_first(const Block& block, const X& x, source_location where = source_location::current()) {
  return block_combine_to_first(block, x, [](const auto& a, const auto& b) { return a + b; }, where);
}

}  // namespace tg
