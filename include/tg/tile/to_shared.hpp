// Operands of products that stay in shared memory: rectangles of views, and tiles and expressions.
#pragma once

#include <tg/base/fixed_array.hpp>
#include <tg/dsl/async/async_groups.hpp>
#include <tg/dsl/recorder/repetition.hpp>
#include <tg/dsl/value/uniform.hpp>
#include <tg/tile/memory_tile.hpp>
#include <tg/tile/operand_ring.hpp>
#include <tg/tile/register_tile.hpp>
#include <tg/tile/spread_like.hpp>

namespace tg {

/// A rectangle of a view in shared memory, ready to be read: the operand of a product that stays. Called by all threads of the
/// block. In a loop all of them wait first until the rectangle of the round before has been read. PTX: cp.async and a barrier.
template <class Shape, class View, int Rows, int Columns, class Row, class Column>
auto to_shared(const block_handle<Shape>& block, const memory_tile<View, Rows, Columns, Row, Column>& from,
               source_location where = source_location::current()) {
  const detail::operand_ring<Shape, 1, memory_tile<View, Rows, Columns, Row, Column>> ring(where);
  if (detail::is_repeated()) block.sync(where);
  async_groups start;
  ring.fetch(block, constant<0>{}, from, where);
  auto landed = start.commit(where).wait(constant<0>{}, where);
  detail::show_to_products<Shape>(where);
  block.sync(where);
  return ring.read(landed, constant<0>{});
}

namespace detail {

/// Elements of T that a ring is made for.
template <class T, int Rows, int Columns> struct kept_elements {
  using element_type = T;
  static constexpr int rows = Rows;
  static constexpr int columns = Columns;
};

/// The largest power of two that the rows, or the columns, of all runs of `run` registers are multiples of.
constexpr int step_of_registers(const distribution& d, bool of_rows, int run) {
  int out = 1 << 15;
  for (int b = 0; b < d.register_bits; ++b) {
    const int step = of_rows ? d.bits[b].row : d.bits[b].column;
    if (step != 0 && !(step < run && !of_rows) && step < out) out = step;
  }
  return out;
}
/// The bits of columns that lanes and warps move by.
constexpr int thread_columns(const distribution& d) {
  int out = 0;
  for (int b = 0; b < distribution::lane_bits + d.warp_bits; ++b) out |= d.bits[d.register_bits + b].column;
  return out;
}

/// Writes registers that are spread as D says to an operand whose columns lie in panels of `Width`, `Run` at a time.
template <class D, class T, int Run, int Width, class Stage, class Team>
void put_operand(const Stage& to, const Team& team, const ptx::operand* from, source_location where) {
  constexpr distribution d = D::value;
  constexpr int row_step = step_of_registers(d, true, Run), column_step = step_of_registers(d, false, Run);
  constexpr bool crosses_panels = thread_columns(d) >= Width;
  in_one_holder<D>(
      team,
      [&] {
        const auto row = own_row<D>(team);
        const auto column = own_column<D>(team);
        for (int r = 0; r < d.registers(); r += Run) {
          const tile_place at = d.at(r);
          const auto in_panel = row + tg::uniform<row_step>(at.row);
          const auto panel = tg::uniform<Stage::rows>(at.column / Width * Stage::rows);
          const auto rest = tg::uniform<column_step>(at.column % Width);
          if constexpr (d.columns <= Width) {
            put_run<T, Run>(to, in_panel, column + rest, from + r);
          } else if constexpr (crosses_panels) {
            put_run<T, Run>(to, in_panel + panel + column / constant<Width>{} * constant<Stage::rows>{},
                            column % constant<Width>{} + rest, from + r);
          } else {
            put_run<T, Run>(to, in_panel + panel, column + rest, from + r);
          }
        }
      },
      where);
}

}  // namespace detail

/// A tile or an expression in shared memory, ready to be read: an operand of `tg::dot` on either side, transposed or not, or of
/// an expression: `const auto kept = tg::to_shared(block, tg::cast<tg::bf16>(sum));`. Called by all threads of the block. In a
/// loop all of them wait first until what was kept the round before has been read. Cost: 2 bytes or 16 bytes of each store, and
/// a barrier. PTX: st.shared; for sm_90 fence.proxy.async.
template <class Shape, tile_like X>
requires(std::remove_cvref_t<decltype(detail::to_node(std::declval<const X&>()))>::is_spread)
auto to_shared(const block_handle<Shape>& block, const X& x, source_location where = source_location::current()) {
  const auto tree = detail::to_node(x);
  using tree_type = std::remove_const_t<decltype(tree)>;
  using team = std::remove_cvref_t<decltype(tree.team())>;
  using from = typename tree_type::spread;
  using T = device_type_of<decltype(tree.template bind<from>(tree.team())(0))>;
  constexpr int rows = tree_type::rows, columns = tree_type::columns, run = 16 / static_cast<int>(sizeof(T));
  const detail::operand_ring<Shape, 1, detail::kept_elements<T, rows, columns>> ring(where);
  const auto stage = ring.stages().fill(constant<0>{});
  constexpr int width = std::remove_const_t<decltype(stage)>::columns;
  const auto put = [&]<class D, long long Run>(std::type_identity<D>, constant<Run>, const auto& tile) {
    tile.require_unchanged();
    const auto bound = tile.template bind<D>(tile.team());
    fixed_array<ptx::operand, D::value.registers()> own;
    for (int r = 0; r < D::value.registers(); ++r) own[static_cast<std::size_t>(r)] = detail::argument<T>(bound(r));
    detail::put_operand<D, T, static_cast<int>(Run), width>(stage, tile.team(), own.data(), where);
  };
  if (detail::is_repeated()) block.sync(where);
  // Sums of 16 bits are written as they lie: 8 rows of 16 bytes, which the swizzle keeps in different banks.
  constexpr bool are_sums = sizeof(T) == 2 && from::value == team::template sums<rows, columns>::value &&
                            !std::is_same_v<typename team::unit, cuda_cores>;
  if constexpr (are_sums) {
    put(std::type_identity<from>{}, constant<2>{}, tree);
  } else {
    using by_rows = run_spread<rows, columns, team::warps, run>;
    const auto moved = detail::spread_as<by_rows, T>(tree, tree.team(), where);
    put(std::type_identity<by_rows>{}, constant<run>{}, moved.node());
  }
  detail::show_to_products<Shape>(where);
  block.sync(where);
  return ring.read(detail::landed_slot{constant<0>{}});
}

}  // namespace tg
