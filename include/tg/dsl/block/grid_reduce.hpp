// One value per thread of the grid becomes one value.
#pragma once

#include <tg/dsl/block/block_reduce.hpp>
#include <tg/dsl/block/block_vote.hpp>
#include <tg/dsl/flow/for_.hpp>
#include <tg/dsl/memory/scoped_atomic.hpp>

namespace tg {

/// Adds the sum over the grid to an element: `tg::grid_sum(block, total(0_c), x)`. Floats are added in no fixed order.
/// Errors: TG105, TG118. Cost: a block reduction and one atomic per block.
template <class Block, scalar_type T, mode M, operand_like X>
void grid_sum(const Block& block, const element<T, M>& total, const X& x, source_location where = source_location::current()) {
  const auto own = block_sum_to_first(block, detail::lane_value<T>(x), where);
  if_(block.thread_index() == 0, [&] { atomic_add(total, own, where); }, where);
}

/// Replaces an element by the largest of itself and all values of the grid; integers. Errors: TG105, TG118.
template <class Block, scalar_type T, mode M, operand_like X>
void grid_max(const Block& block, const element<T, M>& peak, const X& x, source_location where = source_location::current()) {
  const auto own = block_max(block, detail::lane_value<T>(x), where);
  if_(block.thread_index() == 0, [&] { atomic_max(peak, own, where); }, where);
}

/// Replaces an element by the smallest of itself and all values of the grid; integers. Errors: TG105, TG118.
template <class Block, scalar_type T, mode M, operand_like X>
void grid_min(const Block& block, const element<T, M>& lowest, const X& x, source_location where = source_location::current()) {
  const auto own = block_min(block, detail::lane_value<T>(x), where);
  if_(block.thread_index() == 0, [&] { atomic_min(lowest, own, where); }, where);
}

/// `f` over all threads of a one-dimensional grid, in the same order every time; the block that comes last calls
/// `then(result)` in all its threads:
/// `tg::grid_combine(block, x, 0.0f, add, partial, ticket(0_c), [&](auto sum) { tg::if_(block.thread.x == 0, [&] {
/// y(0_c) = sum; }); })`. Requires: `f` is associative and commutative, `identity` beside y gives y; `partial` has an
/// element per block; `ticket` is an unsigned that is 0 before the launch, and is so after it; once per launch for each
/// of them. Errors: TG101, TG102, TG105, TG106. Cost: two block reductions, one atomic per block. PTX:
/// atom.acq_rel.gpu, sm_70.
template <class Block, operand_like X, operand_like Identity, class F, class Partial, mode M, class Then>
void grid_combine(const Block& block, const X& x, const Identity& identity, F f, const Partial& partial,
                  const element<unsigned, M>& ticket, Then&& then, source_location where = source_location::current()) {
  using T = detail::lane_type<X>;
  const auto own = block_combine_to_first(block, x, f, where);
  var<bool> is_last(false, where);
  if_(
      block.thread_index() == 0,
      [&] {
        partial(block.index.x, {}, where) = own;
        const auto last = block.grid.x - 1u;
        is_last = atomic_increment<order::acq_rel>(ticket, last, where) == last;
      },
      where);
  if_(
      block_any(block, is_last, where),
      [&] {
        var<T> all(value<T>{detail::argument<T>(identity)}, where);
        for_(
            range(block.thread_index(), block.grid.x, constant<Block::shape::threads>{}),
            [&](auto k) { all = detail::combined(f, all.get(), partial(k, {}, where).get()); }, where);
        static_cast<Then&&>(then)(block_combine(block, all, f, where));
      },
      where);
}

}  // namespace tg
