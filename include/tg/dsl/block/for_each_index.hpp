// All elements of a problem by a grid of any size.
#pragma once

#include <tg/dsl/block/block.hpp>
#include <tg/dsl/flow/for_.hpp>

namespace tg {

/// `body(i)` for i = 0 ... n - 1, shared out over a one-dimensional grid so that neighbouring lanes have neighbouring
/// elements: `tg::for_each_index(block, n, [&](auto i) { y(i) = x(i); })`. `i` keeps its lane pattern.
/// Requires: n + the threads of the grid fits 32 bits. Errors: TG101.
template <class Shape, operand_like N, class Body>
void for_each_index(const block_handle<Shape>& block, const N& n, Body&& body,
                    source_location where = source_location::current()) {
  detail::tracer::current(where).at(where);
  for_(range(block.global_index(), n, block.grid.x * block.size.x), static_cast<Body&&>(body), where);
}

}  // namespace tg
