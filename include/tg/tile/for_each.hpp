// The way from tiles down to lanes: each thread is given the elements that it holds, and where they are.
#pragma once

#include <tg/dsl/value/uniform.hpp>
#include <tg/tile/register_tile.hpp>
#include <tg/tile/tree.hpp>

namespace tg {

/// `body(row, column, element)` for each element of a tile or an expression, in one thread of those that hold it:
/// `tg::for_each(x, [&](auto row, auto column, auto e) { tg::atomic_add(count(tg::scatter(e)), 1u); })`. Row and column count
/// from the first element of the tile. The body is called once for each element of a thread, while the kernel is recorded; what
/// it does to C++ variables happens so often. Elements of rectangles beyond the edge of a matrix are among them. Errors: TG605.
/// Cost: what the body costs, times the elements of a thread.
template <tile_like X, class F> void for_each(const X& x, F&& body, source_location where = source_location::current()) {
  detail::tracer::current(where).at(where);
  const auto tree = detail::to_node(x);
  using tree_type = std::remove_const_t<decltype(tree)>;
  using found = diagnosis::known_spread<tree_type::is_spread, X>;
  if constexpr (diagnosis::is_ok<sizeof(found), found>) {
    using d = typename tree_type::spread;
    tree.require_unchanged();
    const auto& team = tree.team();
    const auto bound = tree.template bind<d>(team);
    detail::in_one_holder<d>(
        team,
        [&] {
          const auto row = detail::own_row<d>(team);
          const auto column = detail::own_column<d>(team);
          for (int r = 0; r < d::value.registers(); ++r) {
            const tile_place at = d::value.at(r);
            body(row + tg::uniform(at.row), column + tg::uniform(at.column), bound(r).get());
          }
        },
        where);
  }
}

}  // namespace tg
