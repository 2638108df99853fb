// Rectangles of views: what tiles are loaded from and stored to. Where the matrix ends inside a rectangle, what lies outside is
// the fill value when it is read, and is not written. Whether a rectangle lies inside is asked once; rectangles that do carry
// no guards.
#pragma once

#include <tg/base/fixed_array.hpp>
#include <tg/dsl/memory/subview.hpp>
#include <tg/dsl/memory/view.hpp>
#include <tg/dsl/recorder/rectangle_changes.hpp>
#include <tg/dsl/value/uniform.hpp>
#include <tg/tile/rectangle_edge.hpp>
#include <tg/tile/register_tile.hpp>
#include <tg/tile/spread_like.hpp>

namespace tg {

/// A view of rank 1 or 2 and how many rows and columns it has.
template <class View> struct sized_view {
  using view_type = View;
  using element_type = typename View::element_type;

  View view;
  value<unsigned> rows, columns;
};

/// A matrix of `rows` x `columns`: edges of its tiles mask themselves.
template <class View, operand_like R, operand_like C> requires(View::rank == 2)
sized_view<View> sized(const View& view, const R& rows, const C& columns) {
  return {view, {detail::argument<unsigned>(rows)}, {detail::argument<unsigned>(columns)}};
}
/// A row of `columns` elements: a view of one dimension, or `tg::row(matrix, r)`.
template <class View, operand_like C> requires(View::rank == 1)
sized_view<View> sized(const View& view, const C& columns) {
  return {view, {detail::argument<unsigned>(constant<1>{})}, {detail::argument<unsigned>(columns)}};
}

namespace detail {

constexpr int smaller(int a, int b) { return a < b ? a : b; }

/// An access of N elements of a view at indices of these types: what is wrong with it, as a diagnosis. A row of a matrix is
/// judged as the matrix.
template <class View, int N, class... I> struct rectangle_judgement : global_judgement<View, N, checked, I...> {};
template <class Whole, class Row, int N, class I>
struct rectangle_judgement<subview_t<Whole, Row, full_extent_t>, N, I> : global_judgement<Whole, N, checked, Row, I> {};

/// Whether a view can be written, as far as its own type says.
template <class View> inline constexpr bool is_written_view = true;
template <class View> requires(View::access == mode::read)
inline constexpr bool is_written_view<View> = false;

/// Whether what is read of a view may have been written in the kernel.
template <class View> inline constexpr bool is_read_and_written = false;
template <class View> requires(View::access == mode::read_write)
inline constexpr bool is_read_and_written<View> = true;
template <class Whole, class... I>
inline constexpr bool is_read_and_written<subview_t<Whole, I...>> = is_read_and_written<Whole>;

/// What is known of assignments to rectangles of a view.
template <class View> rectangle_change& changes_of(const View& v) {
  if constexpr (requires { v.whole(); }) return changes_of(v.whole());
  else return changes_at(v.address().id);
}
template <class View> void add_change(const View& v, source_location where) {
  rectangle_change& own = changes_of(v);
  ++own.count;
  own.where = where;
}

/// What is said of a rectangle instead of what is said of one access to it.
template <class Found> struct rectangle_finding { using type = diagnosis::none; };
template <class Cost> struct rectangle_finding<diagnosis::global_access<false, Cost>> {
  using type = diagnosis::sectors_of_rectangle<false, Cost>;
};

/// The accesses of one thread to a rectangle whose elements are spread as D says.
template <class D, class Part, class Team> struct rectangle_access {
  using view_type = typename Part::view_type;
  using T = typename Part::element_type;

  static auto row_at(const Part& part, const Team& team, int down) { return part.row + own_row<D>(team) + tg::uniform(down); }
  template <int Run> static auto column_at(const Part& part, const Team& team, int across) {
    return part.column + own_column<D>(team) + tg::uniform<Run>(across);
  }
  static constexpr int most = smaller(D::value.run(), 16 / static_cast<int>(sizeof(T)));
  using row_type = decltype(row_at(std::declval<const Part&>(), std::declval<const Team&>(), 0));
  using column_type = decltype(column_at<most>(std::declval<const Part&>(), std::declval<const Team&>(), 0));
  template <int N> static consteval auto judge() {
    if constexpr (Part::is_row) return rectangle_judgement<view_type, N, column_type>{};
    else if constexpr (Part::is_column) return rectangle_judgement<view_type, N, row_type>{};
    else return rectangle_judgement<view_type, N, row_type, column_type>{};
  }
  /// What is wrong with an access of N elements, as a diagnosis.
  template <int N> using judgement = typename decltype(judge<N>())::type;
  template <int N> static consteval int find_width() {
    if constexpr (N == 1) return 1;
    else if constexpr (std::is_same_v<judgement<N>, diagnosis::none>) return N;
    else return find_width<N / 2>();
  }
  /// Elements that one access moves: as many as lie side by side on both sides, 16 bytes at most.
  static constexpr int width = find_width<most>();
  /// What is wrong with the accesses together, as a diagnosis. Errors: TG202.
  using finding = typename rectangle_finding<judgement<width>>::type;

  /// Whether threads that are spread so fill sectors. Of a row that only the recorder knows, any row stands for it: a matrix
  /// has its rows at the same places of sectors.
  static consteval bool find_coalesced() {
    if constexpr (!std::is_same_v<judgement<width>, diagnosis::none>) return false;
    else if constexpr (Part::is_row || Part::is_column) return true;
    else {
      using form = linear_form<view_type, row_type, column_type>;
      constexpr int bytes = sizeof(T);
      using check = global_check<form, bytes, width * bytes, view_type::alignment_bytes>;
      using some_row = value<unsigned, index::single<index::uniform<1>>>;
      if constexpr (std::is_same_v<form, index::data> || !is_left_to_recorder<check, form>()) return true;
      else if constexpr (std::is_same_v<std::remove_cvref_t<decltype(std::declval<Part>().row)>, some_row>) return true;
      else return rectangle_access<D, typename Part::template in_row<some_row>, Team>::find_coalesced();
    }
  }
};

}  // namespace detail

/// Rows x Columns elements of a view from (row, column) on; made by `tg::tile_at`.
template <class View, int Rows, int Columns, class Row, class Column> class memory_tile : public detail::tile_node {
 public:
  using view_type = View;
  using element_type = typename View::element_type;
  using T = element_type;
  static constexpr int rows = Rows;
  static constexpr int columns = Columns;
  static constexpr bool is_spread = false;
  /// The rectangle from another row on.
  template <class Other> using in_row = memory_tile<View, Rows, Columns, Other, Column>;

  /// A view of one dimension lies along the columns of the tile, or down its rows.
  static constexpr bool is_row = View::rank == 1 && Rows == 1, is_column = View::rank == 1 && Rows != 1;

  sized_view<View> from;
  Row row;
  Column column;

  memory_tile(const sized_view<View>& from, Row row, Column column) : from(from), row(row), column(column) {}
  memory_tile(const memory_tile&) = default;

  /// As an operand of a tree, which reads it when it is evaluated.
  memory_tile node() const {
    memory_tile out = *this;
    if constexpr (detail::is_read_and_written<View>)
      out.changes_ = static_cast<std::int64_t>(detail::changes_of(from.view).count);
    return out;
  }
  /// Errors: TG603 where a rectangle of the view was assigned since the tree was written.
  void require_unchanged() const {
    if constexpr (detail::is_read_and_written<View>)
      if (const auto& now = detail::changes_of(from.view); changes_ >= 0 && changes_ != static_cast<std::int64_t>(now.count))
        detail::refuse_stale("an expression reads a rectangle of a view that was assigned after the expression was written",
                             now.where);
  }

  /// Where the matrix ends inside the rectangle, reads give zeros. What stands for all rows or columns is read once.
  template <class D, class Team> auto bind(const Team& team) const {
    using slice = detail::operand_slice<D, Rows, Columns>;
    using own = typename slice::spread;
    const source_location where = detail::tracer::current().where();
    fixed_array<ptx::operand, own::value.registers()> registers;
    if constexpr (is_coalesced<own, Team> || std::is_same_v<own, rows_first<Team>>) {
      using found = typename access<own, Team>::finding;
      if constexpr (diagnosis::is_ok<sizeof(found), found>) load<own>(team, registers.data(), where);
    } else {
      const auto loaded = detail::evaluate<rows_first<Team>>(*this, team);
      const auto moved = detail::spread_as<own, T>(loaded.node(), team, where);
      for (int r = 0; r < own::value.registers(); ++r) registers[static_cast<std::size_t>(r)] = moved(r).operand;
    }
    return [registers](int r) { return value<T>{registers[static_cast<std::size_t>(slice::register_of(r))]}; };
  }

  template <class X> requires detail::tree_operand<X>
  void operator=(const X& x) const {
    store(x, source_location{});
  }
  void operator=(const memory_tile& x) const { store(x, source_location{}); }

 private:
  template <class D, class Team> using access = detail::rectangle_access<D, memory_tile, Team>;
  // The sums of products lie in pieces too short for elements of 16 bits: those pass through shared memory, and rows are moved
  // as `rows_first` spreads them.
  template <class D, class Team> static constexpr bool is_coalesced = access<D, Team>::find_coalesced();
  template <class Team> using rows_first = run_spread<Rows, Columns, Team::warps, 16 / static_cast<int>(sizeof(T))>;

  value<bool> is_inside() const {
    if constexpr (is_column) return {(row + constant<Rows>{} <= from.columns).operand};
    else if constexpr (is_row) return {(column + constant<Columns>{} <= from.columns).operand};
    else return {(row + constant<Rows>{} <= from.rows && column + constant<Columns>{} <= from.columns).operand};
  }
  // An element, or some side by side.
  template <int N, class R, class C, class Excuse = detail::checked>
  auto element(const R& r, const C& c, source_location where, Excuse excuse = {}) const {
    if constexpr (is_column) return from.view(r, excuse, where);
    else if constexpr (is_row && N == 1) return from.view(c, excuse, where);
    else if constexpr (is_row) return from.view.template vec<N>(c, excuse, where);
    else if constexpr (N == 1) return from.view(r, c, excuse, where);
    else return from.view.template vec<N>(r, c, excuse, where);
  }
  // An element of a rectangle that the matrix ends in: its vectors are taken apart.
  template <class R, class C> auto edge_element(const R& r, const C& c, source_location where) const {
    return element<1>(r, c, where, allow<TG202>("the edge of a matrix"));
  }
  detail::rectangle_edge edge() const {
    using of = detail::rectangle_edge::of;
    return {is_row      ? of::row
            : is_column ? of::column
                        : of::matrix,
            from.rows, from.columns, detail::operand_of<unsigned>(column + constant<Columns>{})};
  }

  template <class D, class Team> void load(const Team& team, ptx::operand* registers, source_location where) const {
    using how = access<D, Team>;
    auto& t = detail::tracer::current();
    t.new_registers(registers, D::value.registers(), register_type<T>, move_type<T>, detail::to_value<T>(T(0)).operand);
    const auto assign = [&](int r, const value<T>& x) { t.assign(move_type<T>, registers[r], x.operand); };
    const auto load_vectors = [&](const detail::rectangle_edge& edge) {
      each<D, how::width>(team, edge, [&](int r, const auto& row, const auto& column) {
        const auto some = element<how::width>(row, column, where).get();
        for (int e = 0; e < how::width; ++e) {
          if constexpr (how::width == 1) assign(r, {some.operand});
          else assign(r + e, some(e));
        }
      });
    };
    const auto load_inside = [&] {
      detail::rectangle_edge own = edge();
      if (own.keeps_vectors(how::width)) return load_vectors(own);
      own.take_apart(D::value, how::template column_at<1>(*this, team, 0).operand);
      each<D, 1>(team, own, [&](int r, const auto& row, const auto& column) {
        assign(r, {edge_element(row, column, where).get().operand});
      });
    };
    tg::if_(is_inside(), [&] { load_vectors({}); }, where).else_(load_inside, where);
  }

  template <class X> void store(const X& x, source_location where) const {
    where = detail::tracer::current().where();
    const auto tree = detail::to_node(x);
    using tree_type = std::remove_const_t<decltype(tree)>;
    using writes = diagnosis::writable<detail::is_written_view<View>, memory_tile>;
    constexpr bool fits = !tree_type::is_spread || (tree_type::rows == Rows && tree_type::columns == Columns);
    using extents =
        diagnosis::fitting_tiles<fits, diagnosis::types<diagnosis::tile_extents<Rows, Columns>,
                                                        diagnosis::tile_extents<tree_type::rows, tree_type::columns>>>;
    using found = diagnosis::known_spread<tree_type::is_spread, X>;
    if constexpr (diagnosis::is_ok<sizeof(writes), writes> && diagnosis::is_ok<sizeof(extents), extents> &&
                  diagnosis::is_ok<sizeof(found), found>) {
      using d = typename tree_type::spread;
      using team = std::remove_cvref_t<decltype(tree.team())>;
      if constexpr (is_coalesced<d, team> || std::is_same_v<d, rows_first<team>>) {
        using sectors = typename access<d, team>::finding;
        if constexpr (diagnosis::is_ok<sizeof(sectors), sectors>) store_as_spread<d>(tree, tree.team(), where);
      } else {
        const auto moved = detail::spread_as<rows_first<team>, T>(tree, tree.team(), where);
        using sectors = typename access<rows_first<team>, team>::finding;
        if constexpr (diagnosis::is_ok<sizeof(sectors), sectors>)
          store_as_spread<rows_first<team>>(moved.node(), moved.team(), where);
      }
    }
  }

  template <class D, class Tree, class Team>
  void store_as_spread(const Tree& tree, const Team& team, source_location where) const {
    using how = access<D, Team>;
    tree.require_unchanged();
    const auto bound = tree.template bind<D>(team);
    fixed_array<ptx::operand, D::value.registers()> registers;
    for (int r = 0; r < D::value.registers(); ++r) registers[static_cast<std::size_t>(r)] = detail::argument<T>(bound(r));
    const auto own = [&](int r) { return value<T>{registers[static_cast<std::size_t>(r)]}; };
    const auto store_vectors = [&](const detail::rectangle_edge& edge) {
      each<D, how::width>(team, edge, [&](int r, const auto& row, const auto& column) {
        if constexpr (how::width == 1) {
          element<1>(row, column, where) = own(r);
        } else {
          fixed_array<ptx::operand, how::width> some;
          for (int e = 0; e < how::width; ++e) some[static_cast<std::size_t>(e)] = own(r + e).operand;
          element<how::width>(row, column, where) = detail::to_vec<T>(some);
        }
      });
    };
    const auto store_all = [&] { store_vectors({}); };
    const auto store_inside = [&] {
      detail::rectangle_edge inside = edge();
      if (inside.keeps_vectors(how::width)) return store_vectors(inside);
      inside.take_apart(D::value, how::template column_at<1>(*this, team, 0).operand);
      each<D, 1>(team, inside, [&](int r, const auto& row, const auto& column) { edge_element(row, column, where) = own(r); });
    };
    const auto is_whole = is_inside();
    detail::in_one_holder<D>(team, [&] { tg::if_(is_whole, store_all, where).else_(store_inside, where); }, where);
    if constexpr (detail::is_read_and_written<View>) detail::add_change(from.view, where);
  }

  // `body(register, row, column)` for each `Width` registers, where they lie inside the edge.
  template <class D, int Width, class Team, class Body>
  void each(const Team& team, const detail::rectangle_edge& edge, const Body& body) const {
    using how = access<D, Team>;
    for (int r = 0; r < D::value.registers(); r += Width) {
      const tile_place at = D::value.at(r);
      const auto row = how::row_at(*this, team, at.row);
      const auto column = how::template column_at<Width>(*this, team, at.column);
      edge.enter(row.operand, column.operand, D::value.in_slice(false, r));
      body(r, row, column);
      edge.leave();
    }
  }

  std::int64_t changes_ = -1;  // of the view, when the tree was written; -1: it is read where it stands
};

}  // namespace tg
