// Tiles spread in another way over the threads.
#pragma once

#include <tg/dsl/memory/shared.hpp>
#include <tg/dsl/recorder/repetition.hpp>
#include <tg/dsl/value/uniform.hpp>
#include <tg/tile/register_tile.hpp>

namespace tg {

namespace detail {

/// The elements that a thread has side by side, 16 bytes at most.
template <class D, class T>
inline constexpr int shared_run = D::value.run() * int(sizeof(T)) > 16 ? 16 / int(sizeof(T)) : D::value.run();

/// How far rows are moved apart so that lanes in rows below each other meet other banks: by what the lanes of one row hold.
template <class D, class T>
inline constexpr int row_gap = [] {
  int piece = shared_run<D, T>;
  for (int b = 0; b < distribution::lane_bits; ++b)
    if (D::value.bits[D::value.register_bits + b] == tile_place{0, piece}) piece *= 2;
  return piece * int(sizeof(T)) < 128 ? piece : 0;
}();
constexpr int larger_of(int a, int b) { return a > b ? a : b; }

/// `body(register, row, column)` for each run of registers.
template <class D, int Width, class Team, class Body> void each_run(const Team& team, const Body& body) {
  for (int r = 0; r < D::value.registers(); r += Width) {
    const tile_place at = D::value.at(r);
    body(r, own_row<D>(team) + tg::uniform(at.row), own_column<D>(team) + tg::uniform<Width>(at.column));
  }
}

template <class T, int Run, class Memory, class R, class C>
void put_run(const Memory& to, const R& row, const C& column, const ptx::operand* from) {
  if constexpr (Run == 1) {
    to(row, column) = value<T>{*from};
  } else {
    std::array<ptx::operand, Run> some;
    for (std::size_t e = 0; e < Run; ++e) some[e] = from[e];
    to.template vec<Run>(row, column) = to_vec<T>(some);
  }
}
template <class T, int Run, class Memory, class R, class C>
void get_run(const Memory& from, const R& row, const C& column, ptx::operand* to) {
  if constexpr (Run == 1) {
    *to = from(row, column).get().operand;
  } else {
    const auto some = from.template vec<Run>(row, column).get();
    for (int e = 0; e < Run; ++e) to[e] = some(e).operand;
  }
}

/// The tree as Ts spread as To says, by way of shared memory whose rows are apart so that neither side meets a bank twice.
template <class To, class T, class Tree, class Team> auto spread_as(const Tree& tree, const Team& team, source_location where) {
  using from_spread = typename Tree::spread;
  constexpr distribution from = from_spread::value;
  static_assert(from.rows == To::value.rows && from.columns == To::value.columns);
  constexpr int out = shared_run<from_spread, T>, in = shared_run<To, T>;
  constexpr int pad = larger_of(16 / int(sizeof(T)), larger_of(row_gap<from_spread, T>, row_gap<To, T>));
  const auto staged = tg::shared<T>(tg::shape<To::value.rows, To::value.columns>, tg::pitch<To::value.columns + pad>, where);
  tree.require_unchanged();
  const auto bound = tree.template bind<from_spread>(team);
  std::array<ptx::operand, from.registers()> own;
  for (int r = 0; r < from.registers(); ++r) own[static_cast<std::size_t>(r)] = argument<T>(bound(r));
  const auto put = [&](int r, const auto& row, const auto& column) {
    put_run<T, out>(staged, row, column, &own[std::size_t(r)]);
  };
  in_one_holder<from_spread>(team, [&] { each_run<from_spread, out>(team, put); }, where);
  team.block.sync(where);
  std::array<ptx::operand, To::value.registers()> registers;
  each_run<To, in>(team, [&](int r, const auto& row, const auto& column) {
    get_run<T, in>(staged, row, column, &registers[std::size_t(r)]);
  });
  if (is_repeated()) team.block.sync(where);
  return fixed_tile<T, To, Team>(team, registers);
}

}  // namespace detail

/// `x` spread over the threads as `like` is. Cost: a pass through shared memory and a barrier. Errors: TG602.
template <tile_like X, tile_like Like>
auto spread_like(const X& x, const Like&, source_location where = source_location::current()) {
  const auto tree = detail::to_node(x);
  using tree_type = std::remove_const_t<decltype(tree)>;
  using T = device_type_of<decltype(tree.template bind<typename tree_type::spread>(tree.team())(0))>;
  return detail::spread_as<typename Like::spread, T>(tree, tree.team(), where);
}

}  // namespace tg
