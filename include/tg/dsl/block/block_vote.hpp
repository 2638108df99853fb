// In how many threads of a block a condition holds. Each is a barrier too, called by all threads.
#pragma once

#include <tg/dsl/block/block.hpp>
#include <tg/dsl/value/argument.hpp>

namespace tg {

namespace detail {

template <class Out, class C> Out block_vote(ptx::token kind, ptx::token type, const C& c, source_location where) {
  auto& t = tracer::current(where);
  t.at(where);
  const ptx::operand holds = condition_of(lane_value<lane_type<C>>(c));
  return {t.compute(type == ptx::token::pred ? type : ptx::token::b32, ptx::opcode::bar, {ptx::token::red, kind, type},
                    {ptx::operand::integer(0), holds})};
}

}  // namespace detail

/// How many threads of the block the condition holds in, in every thread. Errors: TG104. PTX: bar.red.popc.
template <class Shape, operand_like C>
value<unsigned> block_count(const block_handle<Shape>&, const C& c, source_location where = source_location::current()) {
  return detail::block_vote<value<unsigned>>(ptx::token::popc, ptx::token::u32, c, where);
}
/// Whether it holds in any thread of the block. Errors: TG104. PTX: bar.red.or.
template <class Shape, operand_like C>
value<bool> block_any(const block_handle<Shape>&, const C& c, source_location where = source_location::current()) {
  return detail::block_vote<value<bool>>(ptx::token::or_, ptx::token::pred, c, where);
}
/// Whether it holds in all threads of the block. Errors: TG104. PTX: bar.red.and.
template <class Shape, operand_like C>
value<bool> block_all(const block_handle<Shape>&, const C& c, source_location where = source_location::current()) {
  return detail::block_vote<value<bool>>(ptx::token::and_, ptx::token::pred, c, where);
}

}  // namespace tg
