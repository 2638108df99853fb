// Rectangles whose rows are picked one by one, as an operand of a product: rows that an index says, or the pixels that lie
// under one weight of a convolution. They go through the rings of a pipeline like other rectangles.
#pragma once

#include <type_traits>

#include <tg/tile/memory_tile.hpp>

namespace tg {

/// Columns elements, from `column` on, of each of Rows rows of a matrix; made by `rows_by`.
template <class View, int Rows, int Columns, class Pick, class Column> struct picked_rows {
  using view_type = View;
  using element_type = typename View::element_type;
  static constexpr int rows = Rows;
  static constexpr int columns = Columns;
  static constexpr bool is_picked = true;

  sized_view<View> from;
  Pick pick;
  Column column;
};

/// What a stage of a pipeline holds: row r is row `pick(r)` of the matrix, or zeros where that is not below its rows:
/// `tg::stage(tg::rows_by<128, 32>(tg::sized(x, pixels, channels), [&](const auto& r) { return places(tg::gather(first + r));
/// }, channel), ...)`. Only pipelines and `tg::add_products` read it; tensor copies do not. `pick` gives an unsigned, the same
/// each time that it is asked for a row of a stage.
template <int Rows, int Columns, class View, class Pick, operand_like C> requires(View::rank == 2)
auto rows_by(const sized_view<View>& from, const Pick& pick, const C& column) {
  const auto c = detail::to_value<unsigned>(column);
  return picked_rows<View, Rows, Columns, Pick, std::remove_const_t<decltype(c)>>{from, pick, c};
}

}  // namespace tg
