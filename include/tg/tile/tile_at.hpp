// Rectangles by their first row and column, and tiles that are loaded from them.
#pragma once

#include <concepts>
#include <type_traits>

#include <tg/tile/memory_tile.hpp>

namespace tg {

namespace detail {

/// A number that is no place: of a float.
template <class X> inline constexpr bool is_float_place = std::floating_point<X>;
template <device_value X> inline constexpr bool is_float_place<X> = !is_integer<device_type_of<X>>;

/// How a rectangle is cut from what `tile_at` is given: Rows x Columns from (row, column) on.
template <class From> struct cut_from {};
template <class View> struct cut_from<sized_view<View>> {
  template <int Rows, int Columns, class R, class C>
  static auto make(const sized_view<View>& from, const R& row, const C& column, source_location) {
    const auto r = to_value<unsigned>(row);
    const auto c = to_value<unsigned>(column);
    return memory_tile<View, Rows, Columns, std::remove_const_t<decltype(r)>, std::remove_const_t<decltype(c)>>(from, r, c);
  }
};
// A view without extents. Errors: TG605.
template <class View> requires(View::rank == 2)
struct cut_from<View> {
  template <int Rows, int Columns, class R, class C>
  static auto make(const View& from, const R& row, const C& column, source_location where) {
    (void)sizeof(diagnosis::rectangle_of_view<Rows == 0, View>);
    const auto sized = tg::sized(from, constant<1>{}, constant<1>{});
    return cut_from<std::remove_const_t<decltype(sized)>>::template make<Rows, Columns>(sized, row, column, where);
  }
};

}  // namespace detail

/// The Rows x Columns elements of a matrix, or of a tile in shared memory, whose first one is (row, column): read as a tile of
/// an expression; of a matrix also assigned. Each evaluation reads them. Errors: TG109, TG605; TG201 where lanes meet in a
/// bank. Example: `tg::tile_at<128, 128>(c, at.row, at.column) = tg::cast<tg::bf16>(sum);`
template <int Rows, int Columns, class From, operand_like R, operand_like C>
auto tile_at(const From& from, const R& row, const C& column, source_location where = source_location::current()) {
  using found = diagnosis::place_of_rectangle<!detail::is_float_place<R> && !detail::is_float_place<C>, diagnosis::types<R, C>>;
  if constexpr (!diagnosis::is_ok<sizeof(found), found>) {
    return tg::tile_at<Rows, Columns>(from, constant<0>{}, constant<0>{}, where);
  } else {
    return detail::cut_from<From>::template make<Rows, Columns>(from, row, column, where);
  }
}
/// The Columns elements of a row from `column` on, which stand for all rows.
template <int Columns, class View, operand_like C> auto tile_at(const sized_view<View>& from, const C& column) {
  return tg::tile_at<1, Columns>(from, constant<0>{}, column);
}

/// The Rows elements of a view of one dimension from `row` on, which stand for all columns.
template <int Rows, class View, operand_like R> requires(View::rank == 1)
auto column_at(const sized_view<View>& from, const R& row) {
  static_assert(Rows > 1, "tg::column_at<Rows> has two rows at least");
  return tg::tile_at<Rows, 1>(from, row, constant<0>{});
}

namespace detail {
template <int Rows, int Columns>
using rectangle_in_registers =
    diagnosis::tile_of_rectangle<is_power_of_two(Rows) && is_power_of_two(Columns), diagnosis::tile_extents<Rows, Columns>>;
/// How `tg::load` spreads a rectangle over a team.
template <class Part, class Team>
using loaded_spread =
    run_spread<Part::rows, Part::columns, Team::warps, 16 / static_cast<int>(sizeof(typename Part::element_type))>;
}  // namespace detail

/// Loads a rectangle of a view, spread so that neighbouring threads read neighbours, 16 bytes at a time where its contracts
/// allow it. Errors: TG202, TG601, TG606.
template <class Scope, class View, int Rows, int Columns, class Row, class Column>
auto load(const Scope& scope, const memory_tile<View, Rows, Columns, Row, Column>& from,
          source_location where = source_location::current()) {
  detail::tracer::current(where).at(where);
  (void)sizeof(detail::rectangle_in_registers<Rows, Columns>);
  using part = memory_tile<View, Rows, Columns, Row, Column>;
  using team = detail::team_type<Scope>;
  using d = detail::loaded_spread<part, team>;
  using found = typename detail::rectangle_access<d, part, team>::finding;
  if constexpr (diagnosis::is_ok<sizeof(found), found>) return detail::evaluate<d>(from, detail::team_of(scope));
  else return fixed_tile<typename View::element_type, d, team>(detail::team_of(scope), {});
}

/// As many elements as the rectangle has, each `x`, spread as `tg::load` spreads it; nothing is read: what a loop over
/// rectangles collects.
template <scalar_type T, class Scope, class View, int Rows, int Columns, class Row, class Column, operand_like X>
auto full_like_load(const Scope& scope, const memory_tile<View, Rows, Columns, Row, Column>&, const X& x,
                    source_location where = source_location::current()) {
  (void)sizeof(detail::rectangle_in_registers<Rows, Columns>);
  using team = detail::team_type<Scope>;
  using d = detail::loaded_spread<memory_tile<View, Rows, Columns, Row, Column>, team>;
  return register_tile<T, d, team>(detail::team_of(scope), x, where);
}

}  // namespace tg
