// Tiles of a problem of any size: the full ones run without a guard, the ragged one at the end with.
#pragma once

#include <tg/dsl/block/block.hpp>
#include <tg/dsl/flow/for_.hpp>
#include <tg/dsl/flow/unroll.hpp>
#include <tg/dsl/value/argument.hpp>

namespace tg {

/// A tile of `for_tiles`: Items elements for each thread, those of neighbouring threads side by side.
template <int Items, int Threads, bool IsFull, class First> struct thread_tile {
  static constexpr int items = Items;
  static constexpr bool is_full = IsFull;  ///< all its elements are below n, so nothing is compared

  value<unsigned, First> first;  ///< this thread's first element
  value<unsigned> end;           ///< n

  /// `body(i)` for each element of this thread below n.
  template <class Body> void each(Body&& body, source_location where = source_location::current()) const {
    each_item([&](auto, const auto& i) { body(i); }, where);
  }

  /// `body(k, i)` for them, with the number k = 0_c, 1_c, ... among this thread's elements.
  template <class Body> void each_item(Body&& body, source_location where = source_location::current()) const {
    unroll<Items>([&](auto k) {
      const auto i = first + constant<k.value * Threads>{};
      if constexpr (IsFull) body(k, i);
      else if_(i < end, [&] { body(k, i); }, where);
    });
  }
};

/// `body(tile)` for tiles of Items elements per thread, shared out over a one-dimensional grid:
/// `tg::for_tiles<4>(block, n, [&](auto tile) { tile.each([&](auto i) { y(i) = x(i); }); })`. The statements are
/// written twice: for full tiles, in a loop, and once for the ragged one, which one block gets. Whole blocks enter
/// either, so barriers may stand in it. Requires: n is the same in all threads; n + the elements of a tile, and n /
/// tile + the blocks of the grid, fit 32 bits. Errors: TG101.
template <int Items, class Shape, operand_like N, class Body>
void for_tiles(const block_handle<Shape>& block, const N& n, Body&& body, source_location where = source_location::current()) {
  constexpr int threads = Shape::threads;
  using size = constant<Items * threads>;
  using uniform = value<unsigned, index::single<index::uniform<1>>>;
  detail::tracer::current(where).at(where);
  const value<unsigned> end{detail::argument<unsigned>(n)};
  const auto full_tiles = end / size{};
  const auto run = [&](auto is_full, const auto& tile) {
    const auto first = tile * size{} + block.thread_index();
    body(thread_tile<Items, threads, is_full.value != 0, typename decltype(first)::form>{first, end});
  };
  for_(range(block.index.x, full_tiles, block.grid.x), [&](auto tile) { run(constant<1>{}, tile); }, where);
  if_(
      end % size{} != 0u && full_tiles % block.grid.x == block.index.x,
      [&] { run(constant<0>{}, uniform{full_tiles.operand}); }, where);
}

}  // namespace tg
