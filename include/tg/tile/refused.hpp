// What people write first and mean otherwise: overloads for it that say so, in place of a list of what does not match.
#pragma once

#include <concepts>
#include <type_traits>

#include <tg/tile/pipeline.hpp>
#include <tg/tile/tile_at.hpp>

namespace tg {

namespace diagnosis {
template <bool Ok, class Facts = void> struct extents_of_view {
  static_assert(Ok, "TG605: a matrix is tg::sized(x, rows, columns), a view of one dimension is tg::sized(x, elements)");
};
template <bool Ok, class Facts = void> struct tile_beside_view {
  static_assert(Ok,
                "TG605: a view beside a tile: cut a rectangle from it, tg::tile_at<64, 64>(tg::sized(x, m, n), row, column); "
                "of one number for each column, tg::tile_at<64>(tg::sized(x, n), column), for each row, tg::column_at<64>");
};
template <bool Ok, class Facts = void> struct type_of_tile {
  static_assert(Ok, "TG606: a tile has a type of elements, rows and columns: tg::zeros<float, 64, 64>(block)");
};
template <bool Ok, class Facts = void> struct steps_of_pipeline {
  static_assert(Ok, "TG606: a pipeline goes in steps: tg::pipeline<3>(block, tg::steps(n, 64_c), what, body)");
};
}  // namespace diagnosis

namespace detail {

template <class X> inline constexpr bool is_sized = false;
template <class View> inline constexpr bool is_sized<sized_view<View>> = true;
/// A view of memory, with extents or without.
template <class X>
concept whole_view = is_sized<X> || requires {
  X::rank;
  X::access;
};

}  // namespace detail

/// Extents of another rank. Errors: TG605.
template <class View, operand_like C> requires(View::rank == 2)
sized_view<View> sized(const View& view, const C& columns) {
  (void)sizeof(diagnosis::extents_of_view<sizeof(C) == 0, View>);
  return tg::sized(view, columns, columns);
}
/// Extents of another rank. Errors: TG605.
template <class View, operand_like R, operand_like C> requires(View::rank == 1)
sized_view<View> sized(const View& view, const R& /*rows*/, const C& columns) {
  (void)sizeof(diagnosis::extents_of_view<sizeof(C) == 0, View>);
  return tg::sized(view, columns);
}

/// A rectangle that nobody loads. Errors: TG605.
template <tile_like X> const X& load(const X& x) {
  (void)sizeof(diagnosis::known_spread<sizeof(X) == 0, X>);
  return x;
}

/// A tile without a type. Errors: TG606.
template <int Rows, int Columns, class Scope> auto zeros(const Scope& scope) {
  (void)sizeof(diagnosis::type_of_tile<Rows == 0, diagnosis::tile_extents<Rows, Columns>>);
  return tg::zeros<float, Rows, Columns>(scope);
}
/// A tile without a type. Errors: TG606.
template <int Rows, int Columns, class Scope, operand_like X> auto full(const Scope& scope, const X& x) {
  (void)sizeof(diagnosis::type_of_tile<Rows == 0, diagnosis::tile_extents<Rows, Columns>>);
  return tg::full<float, Rows, Columns>(scope, x);
}

/// A pipeline over a length that is not cut in steps. Errors: TG606.
template <int Stages, class Shape, operand_like Length, class What, class Body>
void pipeline(const block_handle<Shape>&, const Length&, What&&, Body&&,
              source_location /*where*/ = source_location::current()) {
  (void)sizeof(diagnosis::steps_of_pipeline<Stages == 0, Length>);
}
/// As `pipeline`. Errors: TG606.
template <int Stages, class Shape, class Sum, operand_like Length, class What, class Product>
void add_products(const block_handle<Shape>&, Sum&, const Length&, What&&, Product&&,
                  source_location /*where*/ = source_location::current()) {
  (void)sizeof(diagnosis::steps_of_pipeline<Stages == 0, Length>);
}

/// As `pipeline`. Errors: TG606.
template <int Stages, class Shape, class Sum, operand_like Length, class What, class Product, class Segment, class Take>
void add_segments(const block_handle<Shape>&, Sum&, const Length&, What&&, Product&&, Segment&&, Take&&,
                  source_location /*where*/ = source_location::current()) {
  (void)sizeof(diagnosis::steps_of_pipeline<Stages == 0, Length>);
}

// A whole view as an operand. Errors: TG605.
#define TG_REFUSED_OPERATOR(sign)                                                      \
  template <tile_like A, detail::whole_view B> A operator sign(const A& a, const B&) { \
    (void)sizeof(diagnosis::tile_beside_view<sizeof(A) == 0, diagnosis::types<A, B>>); \
    return a;                                                                          \
  }                                                                                    \
  template <detail::whole_view A, tile_like B> B operator sign(const A&, const B& b) { \
    (void)sizeof(diagnosis::tile_beside_view<sizeof(A) == 0, diagnosis::types<A, B>>); \
    return b;                                                                          \
  }
TG_REFUSED_OPERATOR(+)
TG_REFUSED_OPERATOR(-)
TG_REFUSED_OPERATOR(*)
TG_REFUSED_OPERATOR(/)
#undef TG_REFUSED_OPERATOR

}  // namespace tg
