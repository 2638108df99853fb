// Rectangles of tiles in shared memory as operands of expressions: each thread reads its own elements when the expression is
// evaluated.
#pragma once

#include <tg/base/fixed_array.hpp>
#include <tg/dsl/value/uniform.hpp>
#include <tg/tile/shared_part.hpp>
#include <tg/tile/tile_at.hpp>
#include <tg/tile/tree.hpp>

namespace tg {

namespace detail {

/// Where an element of a tile that lies in panels is: in which panel's rows, and in which of its columns.
template <class Memory, class R, class C> auto row_in_panels(const R& row, const C& column) {
  if constexpr (Memory::columns == Memory::panel_columns) return row;
  else return column / constant<Memory::panel_columns>{} * constant<Memory::rows>{} + row;
}
template <class Memory, class C> auto column_in_panels(const C& column) {
  if constexpr (Memory::columns == Memory::panel_columns) return column;
  else return column % constant<Memory::panel_columns>{};
}

/// N elements side by side of a stage.
template <int N, class Stage, class R, class C>
void read_shared(const Stage& from, const R& row, const C& column, ptx::operand* to, source_location where) {
  if constexpr (N == 1) {
    *to = from(row, column, checked{}, where).get().operand;
  } else {
    const auto some = from.template vec<N>(row, column, checked{}, where).get();
    for (int e = 0; e < N; ++e) to[e] = some(e).operand;
  }
}

namespace held {

/// Rows x Columns elements of `Part` from (row, column) on.
template <class Part, int Rows, int Columns, class Row, class Column> struct shared_rectangle : tile_node {
  using memory_type = decltype(Part::memory);
  using T = typename Part::element_type;
  static constexpr int rows = Rows;
  static constexpr int columns = Columns;
  static constexpr bool is_spread = false;

  Part from;
  Row row;
  Column column;
  source_location where;

  shared_rectangle(const Part& from, Row row, Column column, source_location where)
      : from(from), row(row), column(column), where(where) {}
  const shared_rectangle& node() const { return *this; }
  void require_unchanged() const {}

  /// What stands for all rows or columns is read once.
  template <class D, class Team> auto bind(const Team& team) const {
    using slice = operand_slice<D, Rows, Columns>;
    using own = typename slice::spread;
    fixed_array<ptx::operand, own::value.registers()> registers;
    constexpr int run = Part::is_transposed ? 1 : shared_run<own, T>;
    for (int r = 0; r < own::value.registers(); r += run) {
      const tile_place at = own::value.at(r);
      read<run>(row + own_row<own>(team) + tg::uniform(at.row), column + own_column<own>(team) + tg::uniform<run>(at.column),
                &registers[static_cast<std::size_t>(r)]);
    }
    return [registers](int r) { return value<T>{registers[static_cast<std::size_t>(slice::register_of(r))]}; };
  }

 private:
  template <int N, class R, class C> void read(const R& r, const C& c, ptx::operand* to) const {
    if constexpr (Part::is_transposed) read_in_memory<N>(c, r, to);
    else read_in_memory<N>(r, c, to);
  }
  template <int N, class R, class C> void read_in_memory(const R& r, const C& c, ptx::operand* to) const {
    if constexpr (is_panels<memory_type>)
      read_shared<N>(from.memory.first, row_in_panels<memory_type>(r, c), column_in_panels<memory_type>(c), to, where);
    else read_shared<N>(from.memory, r, c, to, where);
  }
};

}  // namespace held

/// Whether `Count` from `First` on stay below `most`, as far as the compiler knows.
template <class First, int Count> constexpr bool stays_below(int most) {
  if constexpr (is_constant<First>) return First::value >= 0 && First::value + Count <= most;
  else return Count <= most;
}

template <class X> inline constexpr bool is_part_in_shared = false;
template <class Memory> inline constexpr bool is_part_in_shared<shared_part<Memory>> = true;
template <class Memory> inline constexpr bool is_part_in_shared<transposed_part<Memory>> = true;

/// A tile in shared memory: `sum += tg::dot(tg::cast<tg::bf16>(tg::tile_at<64, 64>(quants, 0_c, 0_c)), x)`.
template <class Part> requires is_part_in_shared<Part>
struct cut_from<Part> {
  template <int Rows, int Columns, class R, class C>
  static auto make(const Part& from, const R& row, const C& column, source_location where) {
    static_assert(stays_below<R, Rows>(Part::rows) && stays_below<C, Columns>(Part::columns),
                  "TG606: this rectangle reaches beyond the tile that it is cut from");
    const auto r = to_value<unsigned>(row);
    const auto c = to_value<unsigned>(column);
    return shared_rectangle<Part, Rows, Columns, std::remove_const_t<decltype(r)>, std::remove_const_t<decltype(c)>>(from, r, c,
                                                                                                                     where);
  }
};

}  // namespace detail

// A tile in shared memory in an expression. Errors: TG605.
#define TG_REFUSED_OPERATOR(sign)                                                                    \
  template <class A, class B> requires(detail::is_part_in_shared<A> || detail::is_part_in_shared<B>) \
  value<float> operator sign(const A&, const B&) {                                                   \
    (void)sizeof(diagnosis::read_of_shared<sizeof(A) == 0, diagnosis::types<A, B>>);                 \
    return {ptx::operand::integer(0)};                                                               \
  }
TG_REFUSED_OPERATOR(+)
TG_REFUSED_OPERATOR(-)
TG_REFUSED_OPERATOR(*)
TG_REFUSED_OPERATOR(/)
#undef TG_REFUSED_OPERATOR

}  // namespace tg
