// Decoupled look-back: the parts of a line are combined in their order in one pass. A part publishes what it has alone, then
// looks back at the parts before it until one has published everything up to its own end.
// Source: Merrill and Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back", 2016.
//
// Scratch memory is a view of 64-bit words: all 0 before a launch, and so after it. Each block does, in this order:
// `take_part`, `look_back` by its first warp, a barrier, `end_part`.
#pragma once

#include <cstddef>
#include <cstdint>

#include <tg/dsl/block/block_warp.hpp>
#include <tg/dsl/flow/assume.hpp>
#include <tg/dsl/flow/for_.hpp>
#include <tg/dsl/flow/while_.hpp>
#include <tg/dsl/math/math.hpp>
#include <tg/dsl/memory/atomic_access.hpp>
#include <tg/dsl/memory/scoped_atomic.hpp>
#include <tg/dsl/memory/shared.hpp>
#include <tg/dsl/value/assume_uniform.hpp>
#include <tg/dsl/value/bit_cast.hpp>
#include <tg/dsl/value/bits.hpp>
#include <tg/dsl/value/gather.hpp>
#include <tg/dsl/value/let.hpp>
#include <tg/dsl/value/var.hpp>

namespace tg {

/// How many 64-bit words of scratch memory a launch of `parts` blocks takes, for values of T. A 32-bit value and its state
/// share one word; a 64-bit value takes three: the state, what the part has alone, and everything up to its end.
template <class T> constexpr std::size_t look_back_words(std::size_t parts) { return 2 + parts * (sizeof(T) == 4 ? 1 : 3); }

namespace detail {

/// Words in front of those of the parts: blocks that have begun, and blocks that have ended.
inline constexpr unsigned look_back_head = 2;
/// What the word of a part says: nothing yet, its own value, or everything up to its end.
inline constexpr unsigned part_is_unknown = 0, part_has_own = 1, part_has_all = 2;

template <class T, class X> auto to_word(const X& x) {
  if constexpr (sizeof(T) == 4) return tg::cast<std::uint64_t>(bit_cast<unsigned>(value<T>(x)));
  else return bit_cast<std::uint64_t>(value<T>(x));
}
template <class T, class W> value<T> from_word(const W& word) {
  if constexpr (sizeof(T) == 4) return bit_cast<T>(tg::cast<unsigned>(word));
  else return bit_cast<T>(word);
}

/// The words of a launch in scratch memory.
template <class T, class Block, class Scratch> struct part_words {
  const Block& block;
  const Scratch& scratch;
  source_location where;

  template <class P, class X> void publish(const P& part, unsigned state, const X& x) const {
    if constexpr (sizeof(T) == 4) {
      atomic_store(scratch(part + look_back_head, {}, where), to_word<T>(x) | std::uint64_t{state} << 32, where);
    } else {
      const auto slot = part + look_back_head + block.grid.x * (state == part_has_own ? 1u : 2u);
      atomic_store(scratch(slot, {}, where), to_word<T>(x), where);
      atomic_store<order::release>(scratch(part + look_back_head, {}, where), std::uint64_t{state}, where);
    }
  }
  /// The state word of a part that other lanes do not ask for.
  template <class P> auto load(const P& part) const {
    if constexpr (sizeof(T) == 4) return atomic_load(scratch(gather(part + look_back_head), {}, where), where);
    else return atomic_load<order::acquire>(scratch(gather(part + look_back_head), {}, where), where);
  }
  template <class W> auto state_of(const W& word) const {
    if constexpr (sizeof(T) == 4) return tg::cast<unsigned>(word >> 32u);
    else return tg::cast<unsigned>(word);
  }
  template <class P, class W> value<T> value_of(const P& part, const W& word) const {
    if constexpr (sizeof(T) == 4) {
      return from_word<T>(word);
    } else {
      const auto slot = let(part + look_back_head + block.grid.x * state_of(word));
      assume(slot < block.grid.x * 3u + look_back_head, where);
      return from_word<T>(atomic_load(scratch(gather(slot), {}, where), where));
    }
  }
};

}  // namespace detail

/// The number of the part that this block takes, the same in all threads. Parts are taken in the order in which blocks start,
/// so that all parts before this one are taken by blocks that run. Requires: all threads of the block call it.
template <class Block, class Scratch>
auto take_part(const Block& block, const Scratch& scratch, source_location where = source_location::current()) {
  constexpr constant<0> first{};
  auto part = shared<unsigned>(shape<1>, {}, where);
  if_(
      block.thread_index() == 0,
      [&] { part(first, {}, where) = tg::cast<unsigned>(atomic_add(scratch(first, {}, where), std::uint64_t{1}, where)); },
      where);
  block.sync(where);
  return assume_uniform(part(first, {}, where).get());
}

/// `f` over all parts before this one, in their order; `identity` for the first. Right in lane 0. `own`: what this part has, in
/// lane 0. Requires: the 32 lanes of one warp call it; T has 4 or 8 bytes; `f` is associative. Cost: a warp looks at 32 parts
/// at a time.
template <class T, class Block, class Scratch, class P, class X, class F>
auto look_back(const Block& block, const Scratch& scratch, const P& part, const X& own, const value<T>& identity, F f,
               source_location where = source_location::current()) {
  const detail::part_words<T, Block, Scratch> words{block, scratch, where};
  const auto warp = detail::block_warp(block);
  var<T> before(identity, where);
  if_(part > 0u && warp.lane == 0u, [&] { words.publish(part, detail::part_has_own, own); }, where);
  const auto distance = let(warp.lane + 1u);
  var<unsigned> rest(part, where);  // parts that are still to be looked at
  while_([&] { return assume_warp_uniform(rest) > 0u; },
         [&] {
           const auto is_there = let(warp.lane < rest);
           const auto other = let(tg::max(rest, distance) - distance);
           assume(other < block.grid.x, where);
           var<std::uint64_t> word(words.load(other), where);
           while_([&] { return assume_warp_uniform(warp.ballot(words.state_of(word) == detail::part_is_unknown)) != 0u; },
                  [&] { word = words.load(other); }, where);
           const auto complete = let(warp.ballot(is_there && words.state_of(word) == detail::part_has_all));
           const auto nearest = let(trailing_zeros(complete));
           var<T> all(words.value_of(other, word), where);
           all = select(is_there && warp.lane <= nearest, all, identity);
           for (unsigned step = 1; step < 32; step *= 2) {
             const auto earlier = warp.shuffle_down(all, step);
             all = select(warp.lane + step < 32u, f(earlier, all.get()), all);
           }
           before = f(all.get(), before.get());
           rest = select(complete != 0u, 0u, rest - tg::min(rest, 32u));
         },
         where);
  if_(warp.lane == 0u, [&] { words.publish(part, detail::part_has_all, f(before.get(), value<T>(own))); }, where);
  return before.get();
}
template <class T, class Block, class Scratch, class P, class X, class F>
auto look_back(const Block& block, const Scratch& scratch, const P& part, const X& own, T identity, F f,
               source_location where = source_location::current()) {
  return tg::look_back<T>(block, scratch, part, own, value<T>{detail::argument<T>(identity)}, f, where);
}

/// Makes the words of scratch memory 0 again: the last block to end does, when no other looks at them any more. Requires: all
/// threads of each block call it, after `look_back` by the first warp and a `block.sync()`, which orders what all its lanes
/// have read before the end of the block that thread 0 announces. Cost: an atomic for each block.
template <class T, class Block, class Scratch>
void end_part(const Block& block, const Scratch& scratch, source_location where = source_location::current()) {
  constexpr constant<0> first{};
  auto ended = shared<unsigned>(shape<1>, {}, where);
  if_(
      block.thread_index() == 0,
      [&] {
        const auto others = atomic_add<order::acq_rel>(scratch(constant<1>{}, {}, where), std::uint64_t{1}, where);
        ended(first, {}, where) = tg::cast<unsigned>(others);
      },
      where);
  block.sync(where);
  if_(
      assume_uniform(ended(first, {}, where).get()) == block.grid.x - 1u,
      [&] {
        const auto words = let(block.grid.x * (sizeof(T) == 4 ? 1u : 3u) + detail::look_back_head);
        for_(
            range(block.thread_index(), words, constant<Block::shape::threads>{}),
            [&](auto i) { scratch(i, {}, where) = std::uint64_t{0}; }, where);
      },
      where);
}

}  // namespace tg
