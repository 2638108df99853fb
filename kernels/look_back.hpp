// Decoupled look-back: the parts of a line are combined in their order in one pass. A part publishes what it has alone, then
// looks back at the parts before it until one has published everything up to its own end.
// Source: Merrill and Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back", 2016.
#pragma once

#include <cstdint>
#include <limits>

#include <tg/dsl.hpp>
#include <tg/dsl/block/block_warp.hpp>
#include <tg/dsl/memory/atomic_access.hpp>
#include <tg/dsl/memory/scoped_atomic.hpp>
#include <tg/dsl/value/assume_uniform.hpp>
#include <tg/dsl/value/bit_cast.hpp>
#include <tg/dsl/value/bits.hpp>

namespace tg::kernels {

using literals::operator""_c;

/// The sum of two values.
struct addition {
  template <class A, class B> auto operator()(const A& a, const B& b) const { return a + b; }
  template <class T> static constexpr T identity() { return T(0); }
};
/// The larger of two values; of a float and NaN the float.
struct maximum {
  template <class A, class B> auto operator()(const A& a, const B& b) const { return tg::max(a, b); }
  template <class T> static constexpr T identity() {
    using limits = std::numeric_limits<T>;
    return limits::has_infinity ? -limits::infinity() : limits::lowest();
  }
};
/// The smaller of two values; of a float and NaN the float.
struct minimum {
  template <class A, class B> auto operator()(const A& a, const B& b) const { return tg::min(a, b); }
  template <class T> static constexpr T identity() {
    using limits = std::numeric_limits<T>;
    return limits::has_infinity ? limits::infinity() : limits::max();
  }
};

/// How many 64-bit words of scratch memory a launch of `parts` blocks takes, for values of T: all 0 before it, and so after it.
/// A 32-bit value and its state share one word; a 64-bit value takes three: the state, what the part has alone, and everything
/// up to its end.
template <class T> constexpr std::size_t look_back_words(std::size_t parts) { return 2 + parts * (sizeof(T) == 4 ? 1 : 3); }

namespace detail {

/// Words in front of those of the parts: blocks that have begun, and blocks that have ended.
inline constexpr unsigned look_back_head = 2;
/// What the word of a part says: nothing yet, its own value, or everything up to its end.
inline constexpr unsigned part_is_unknown = 0, part_has_own = 1, part_has_all = 2;

/// The number of the part that this block takes, the same in all threads. Parts are taken in the order in which blocks start,
/// so that all parts before this one are taken by blocks that run.
template <class Block, class Scratch> auto take_part(const Block& block, const Scratch& scratch) {
  auto part = tg::shared<unsigned>(tg::shape<1>);
  tg::if_(block.thread.x == 0u, [&] { part(0_c) = tg::cast<unsigned>(tg::atomic_add(scratch(0_c), std::uint64_t{1})); });
  block.sync();
  return tg::assume_uniform(part(0_c));
}

template <class T, class X> auto to_word(const X& x) {
  if constexpr (sizeof(T) == 4) return tg::cast<std::uint64_t>(tg::bit_cast<unsigned>(tg::value<T>(x)));
  else return tg::bit_cast<std::uint64_t>(tg::value<T>(x));
}
template <class T, class W> tg::value<T> from_word(const W& word) {
  if constexpr (sizeof(T) == 4) return tg::bit_cast<T>(tg::cast<unsigned>(word));
  else return tg::bit_cast<T>(word);
}

/// The words of a launch in scratch memory.
template <class T, class Block, class Scratch> struct part_words {
  const Block& block;
  const Scratch& scratch;

  template <class P, class X> void publish(const P& part, unsigned state, const X& x) const {
    if constexpr (sizeof(T) == 4) {
      tg::atomic_store(scratch(part + look_back_head), to_word<T>(x) | std::uint64_t{state} << 32);
    } else {
      const auto slot = part + look_back_head + block.grid.x * (state == part_has_own ? 1u : 2u);
      tg::atomic_store(scratch(slot), to_word<T>(x));
      tg::atomic_store<tg::order::release>(scratch(part + look_back_head), std::uint64_t{state});
    }
  }
  /// The state word of a part that other lanes do not ask for.
  template <class P> auto load(const P& part) const {
    if constexpr (sizeof(T) == 4) return tg::atomic_load(scratch(tg::gather(part + look_back_head)));
    else return tg::atomic_load<tg::order::acquire>(scratch(tg::gather(part + look_back_head)));
  }
  template <class W> auto state_of(const W& word) const {
    if constexpr (sizeof(T) == 4) return tg::cast<unsigned>(word >> 32u);
    else return tg::cast<unsigned>(word);
  }
  template <class P, class W> tg::value<T> value_of(const P& part, const W& word) const {
    if constexpr (sizeof(T) == 4) return from_word<T>(word);
    else return from_word<T>(tg::atomic_load(scratch(tg::gather(part + look_back_head + block.grid.x * state_of(word)))));
  }
};

/// `f` over all parts before this one, in their order; `identity` for the first. Called by the 32 lanes of one warp; right in
/// lane 0. `own`: what this part has, in lane 0. Cost: a warp looks at 32 parts at a time.
template <class T, class Block, class Scratch, class P, class X, class F>
auto look_back(const Block& block, const Scratch& scratch, const P& part, const X& own, T identity, F f) {
  const part_words<T, Block, Scratch> words{block, scratch};
  const auto warp = block.warp();
  tg::var<T> before = identity;
  tg::if_(part > 0u && warp.lane == 0u, [&] { words.publish(part, part_has_own, own); });
  tg::var<unsigned> rest = part;  // parts that are still to be looked at
  tg::while_([&] { return tg::assume_warp_uniform(rest) > 0u; },
             [&] {
               const auto is_there = tg::let(warp.lane < rest);
               const auto other = tg::let(tg::select(is_there, rest - 1u - warp.lane, 0u));
               tg::var<std::uint64_t> word = words.load(other);
               tg::while_([&] { return tg::assume_warp_uniform(warp.ballot(words.state_of(word) == part_is_unknown)) != 0u; },
                          [&] { word = words.load(other); });
               const auto complete = tg::let(warp.ballot(is_there && words.state_of(word) == part_has_all));
               const auto nearest = tg::let(tg::trailing_zeros(complete));
               tg::var<T> all = words.value_of(other, word);
               all = tg::select(is_there && warp.lane <= nearest, all, identity);
               for (unsigned distance = 1; distance < 32; distance *= 2) {
                 const auto earlier = warp.shuffle_down(all, distance);
                 all = tg::select(warp.lane + distance < 32u, f(earlier, all.get()), all);
               }
               before = f(all.get(), before.get());
               rest = tg::select(complete != 0u, 0u, rest - tg::min(rest, 32u));
             });
  tg::if_(warp.lane == 0u, [&] { words.publish(part, part_has_all, f(before.get(), tg::value<T>(own))); });
  return before.get();
}

/// Makes the words of scratch memory 0 again: the last block to end does, when no other looks at them any more. Called by all
/// threads of each block, after `look_back` by its first warp and a `block.sync()`, which orders what all its lanes have read
/// before the end of the block that thread 0 announces. Cost: an atomic for each block.
template <class T, class Block, class Scratch> void end_part(const Block& block, const Scratch& scratch) {
  auto ended = tg::shared<unsigned>(tg::shape<1>);
  tg::if_(block.thread.x == 0u,
          [&] { ended(0_c) = tg::cast<unsigned>(tg::atomic_add<tg::order::acq_rel>(scratch(1_c), std::uint64_t{1})); });
  block.sync();
  tg::if_(tg::assume_uniform(ended(0_c)) == block.grid.x - 1u, [&] {
    const auto words = tg::let(block.grid.x * (sizeof(T) == 4 ? 1u : 3u) + look_back_head);
    tg::for_(tg::range(block.thread.x, words, constant<Block::shape::threads>{}),
             [&](auto i) { scratch(i) = std::uint64_t{0}; });
  });
}

}  // namespace detail

}  // namespace tg::kernels
