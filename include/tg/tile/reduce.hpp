// Reductions of tiles along rows or columns: registers first, then exchanges within a warp, then shared memory where several
// warps share a row.
#pragma once

#include <tg/base/fixed_array.hpp>
#include <tg/dsl/flow/if_.hpp>
#include <tg/dsl/memory/shared.hpp>
#include <tg/dsl/recorder/repetition.hpp>
#include <tg/dsl/value/argument.hpp>
#include <tg/dsl/value/uniform.hpp>
#include <tg/tile/register_tile.hpp>

namespace tg {

namespace detail {

/// Bits of the lane (`part` 1) or warp (2) that move along the axis that is reduced.
constexpr int reduced_bits(const distribution& d, int part, bool along_row) {
  const int begin = part == 1 ? d.register_bits : d.register_bits + distribution::lane_bits;
  const int bits = part == 1 ? distribution::lane_bits : d.warp_bits;
  int out = 0;
  for (int b = 0; b < bits; ++b)
    if ((along_row ? d.bits[begin + b].column : d.bits[begin + b].row) != 0) out |= 1 << b;
  return out;
}

/// What a thread has of a reduction.
template <class T, std::size_t Count> struct own_results {
  using element_type = T;
  fixed_array<ptx::operand, Count> registers;
};

/// `f` over the elements of each row (`AlongRow`) or each column that this thread holds. The registers that share a result are
/// combined as a tree of two halves, so that sums do not wait for each other.
template <bool AlongRow, class D, class Tree, class Team, class F>
auto reduce_registers(const Tree& tree, const Team& team, const F& f) {
  tree.require_unchanged();
  const auto bound = tree.template bind<D>(team);
  using T = device_type_of<decltype(bound(0))>;
  constexpr auto count = static_cast<std::size_t>(slice_spread<D, AlongRow>::value.registers());
  fixed_array<int, count> seen{};
  constexpr int chains = 2;
  fixed_array<fixed_array<ptx::operand, chains>, count> partial;
  for (int r = 0; r < D::value.registers(); ++r) {
    const auto to = static_cast<std::size_t>(D::value.in_slice(AlongRow, r));
    const auto chain = static_cast<std::size_t>(seen[to] % chains);
    const value<T> own{bound(r).get().operand};
    partial[to][chain] = seen[to]++ < chains ? own.operand : argument<T>(f(value<T>{partial[to][chain]}, own));
  }
  own_results<T, count> out;
  for (std::size_t k = 0; k < count; ++k)
    out.registers[k] = seen[k] > 1 ? argument<T>(f(value<T>{partial[k][0]}, value<T>{partial[k][1]})) : partial[k][0];
  return out;
}

/// `f` over the elements of each row (`AlongRow`) or each column.
template <bool AlongRow, class D, class Tree, class Team, class F>
auto reduce_tile(const Tree& tree, const Team& team, F f, source_location where) {
  using left_spread = slice_spread<D, AlongRow>;
  constexpr distribution left = left_spread::value;
  auto own = reduce_registers<AlongRow, D>(tree, team, f);
  using T = typename decltype(own)::element_type;
  auto& out = own.registers;
  const auto warp = team.warp();
  for (std::size_t k = 0; k < out.size(); ++k) {
    value<T> all{out[k]};
    for (int b = 0; b < distribution::lane_bits; ++b)
      if (reduced_bits(D::value, 1, AlongRow) >> b & 1)
        all.operand = argument<T>(f(all, value<T>{warp.shuffle_xor(all, 1 << b).operand}));
    out[k] = all.operand;
  }
  constexpr int shared_bits = reduced_bits(D::value, 2, AlongRow);
  if constexpr (shared_bits != 0) {
    // A word of each warp, slice register and lane that holds another element of the result.
    const auto partials = tg::shared<T>(tg::shape<Team::warps, left.registers(), 32>, {}, where);
    for (int k = 0; k < left.registers(); ++k)
      partials(warp.index, static_cast<unsigned>(k), warp.lane, {}, where) = value<T>{out[static_cast<std::size_t>(k)]};
    team.block.sync(where);
    constexpr unsigned own_bits = Team::warps - 1 - shared_bits;
    for (int k = 0; k < left.registers(); ++k) {
      ptx::operand all;
      bool is_first = true;
      for (unsigned w = 0; w < Team::warps; ++w) {
        if ((w & own_bits) != 0) continue;
        const auto from = (warp.index & tg::constant<own_bits>{}) + tg::uniform(w);
        const value<T> one{partials(from, static_cast<unsigned>(k), warp.lane, {}, where).get().operand};
        all = is_first ? one.operand : argument<T>(f(value<T>{all}, one));
        is_first = false;
      }
      out[static_cast<std::size_t>(k)] = all;
    }
    if (is_repeated()) team.block.sync(where);
  }
  return fixed_tile<T, left_spread, Team>(team, out);
}

}  // namespace detail

/// Which way a reduction goes: over the elements of a row, or of a column.
enum class axis { row, column };

/// `f` over the elements of each row, one number per row (`axis::row`), or of each column:
/// `tg::reduce<tg::axis::row>(x, [](auto a, auto b) { return a * b; })`. Every thread that holds an element of the row holds
/// the result. Requires: `f` is associative and commutative, and gives the type of its arguments. Errors: TG101, TG605.
template <axis Axis, tile_like X, class F> auto reduce(const X& x, F f, source_location where = source_location::current()) {
  detail::tracer::current(where).at(where);
  const auto tree = detail::to_node(x);
  using tree_type = std::remove_const_t<decltype(tree)>;
  using found = diagnosis::known_spread<tree_type::is_spread, X>;
  if constexpr (diagnosis::is_ok<sizeof(found), found>)
    return detail::reduce_tile<Axis == axis::row, typename tree_type::spread>(tree, tree.team(), f, where);
}

#define TG_TILE_REDUCTION(name, Axis, expression)                                                    \
  template <tile_like X> auto name(const X& x, source_location where = source_location::current()) { \
    return tg::reduce<Axis>(x, [](const auto& a, const auto& b) { return expression; }, where);      \
  }
/// One number per row: the sum, the largest, the smallest of its elements.
TG_TILE_REDUCTION(row_sum, axis::row, a + b)
TG_TILE_REDUCTION(row_max, axis::row, tg::max(a, b))
TG_TILE_REDUCTION(row_min, axis::row, tg::min(a, b))
/// One number per column.
TG_TILE_REDUCTION(column_sum, axis::column, a + b)
TG_TILE_REDUCTION(column_max, axis::column, tg::max(a, b))
TG_TILE_REDUCTION(column_min, axis::column, tg::min(a, b))
#undef TG_TILE_REDUCTION

/// Sums whose sum is that of the row, one for each thread that holds a part of it, as a tile with a column for each of these:
/// what a loop adds up, `total = total * shrink + tg::partial_row_sums(weight)`, with `tg::row_sum(total)` behind it. Cost: no
/// exchange between threads.
template <tile_like X> auto partial_row_sums(const X& x, source_location where = source_location::current()) {
  detail::tracer::current(where).at(where);
  const auto tree = detail::to_node(x);
  using tree_type = std::remove_const_t<decltype(tree)>;
  using found = diagnosis::known_spread<tree_type::is_spread, X>;
  if constexpr (diagnosis::is_ok<sizeof(found), found>) {
    using d = typename tree_type::spread;
    using team_type = std::remove_cvref_t<decltype(tree.team())>;
    const auto own = detail::reduce_registers<true, d>(tree, tree.team(), [](const auto& a, const auto& b) { return a + b; });
    using T = typename decltype(own)::element_type;
    return fixed_tile<T, row_parts_spread<d>, team_type>(tree.team(), own.registers);
  }
}
/// Partial sums of the rows of `like`, all `x`, to be added up.
template <class Like, operand_like X>
auto full_partial_row_sums(const Like& like, const X& x, source_location where = source_location::current()) {
  return register_tile<typename Like::element_type, row_parts_spread<typename Like::spread>, typename Like::team_type>(
      like.team(), x, where);
}

/// Whether a condition holds for some element that a lane of this warp has: `tg::if_(tg::any_in_warp(shrink < 1.0f), ...)`.
/// Warps may differ. PTX: or, vote.sync.any.
template <tile_like X> value<bool> any_in_warp(const X& x, source_location where = source_location::current()) {
  detail::tracer::current(where).at(where);
  const auto tree = detail::to_node(x);
  using tree_type = std::remove_const_t<decltype(tree)>;
  using found = diagnosis::known_spread<tree_type::is_spread, X>;
  if constexpr (!diagnosis::is_ok<sizeof(found), found>) return {ptx::operand{}};
  else {
    tree.require_unchanged();
    const auto bound = tree.template bind<typename tree_type::spread>(tree.team());
    value<bool> own{bound(0).get().operand};
    for (int r = 1; r < tree_type::spread::value.registers(); ++r) own.operand = (own || bound(r)).operand;
    return tree.team().warp().any(own);
  }
}

}  // namespace tg
