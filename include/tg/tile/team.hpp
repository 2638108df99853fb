// The warps that share a tile, and how they lie over it.
#pragma once

#include <tg/dsl/block/block.hpp>
#include <tg/dsl/flow/if_.hpp>
#include <tg/dsl/kernel/for_sm.hpp>
#include <tg/tile/distribution.hpp>

namespace tg {

/// Products of a team are made by tensor cores: of 8, 16 or 19 bits, see `tg::dot`.
struct tensor_cores {
  static constexpr int rows = 16;  // that a warp has at least
  static constexpr int columns = 8;
  template <int Rows, int Columns, int WarpRows, int WarpColumns>
  using sums = sums_spread<Rows, Columns, WarpRows, WarpColumns>;
  template <int Rows, int Columns, int WarpRows, int WarpColumns>
  using left = left_spread<Rows, Columns, WarpRows, WarpColumns>;
};
/// Products of a team are made by warpgroups: wgmma, where the block's kernel is meant for sm_90.
struct warpgroup_cores {
  static constexpr int rows = 16;
  static constexpr int columns = 8;
  template <int Rows, int Columns, int WarpRows, int WarpColumns>
  using sums = group_spread<Rows, Columns, WarpRows * WarpColumns / 4>;
  template <int Rows, int Columns, int WarpRows, int WarpColumns> using left = sums<Rows, Columns, WarpRows, WarpColumns>;
};
/// Products of a team are made by fused multiply-add: of floats.
struct cuda_cores {
  static constexpr int rows = 4;
  static constexpr int columns = 32;
  template <int Rows, int Columns, int WarpRows, int WarpColumns> using sums = fma_spread<Rows, Columns, WarpRows, WarpColumns>;
  template <int Rows, int Columns, int WarpRows, int WarpColumns> using left = sums<Rows, Columns, WarpRows, WarpColumns>;
};

namespace detail {
template <class Shape, int Rows, int Columns>
inline constexpr bool is_team = Rows * Columns * 32 == Shape::threads && is_power_of_two(Rows) && is_power_of_two(Columns);
}

/// The warps of a block as a grid of `Rows` x `Columns`: each has a rectangle of every tile that they share. `Unit` makes their
/// products.
template <class Shape, int Rows, int Columns, class Unit = tensor_cores> struct team {
  static_assert(detail::is_team<Shape, Rows, Columns>,
                "TG601: a team has all warps of its block, and the block has a power of two of whole warps");
  using shape = Shape;
  static constexpr int warp_rows = Rows;
  static constexpr int warp_columns = Columns;
  static constexpr int warps = Rows * Columns;
  using unit = Unit;
  /// How the sums of products lie over the threads.
  template <int R, int C> using sums = typename Unit::template sums<R, C, Rows, Columns>;
  /// How an expression lies that is the left operand of products.
  template <int R, int C> using left = typename Unit::template left<R, C, Rows, Columns>;

  block_handle<Shape> block;

  auto warp() const { return block.warp(); }
};

namespace detail {

/// What multiplies matrices where nothing else is said.
template <class Shape>
using default_unit = std::conditional_t<sm_of<Shape> == 90 && Shape::threads % 128 == 0, warpgroup_cores, tensor_cores>;

/// Warpgroups have their warps one below the other, whatever is asked for.
template <class Shape, int Rows, int Columns, class Unit>
using team_for = std::conditional_t<std::is_same_v<Unit, warpgroup_cores>, team<Shape, Rows * Columns, 1, Unit>,
                                    team<Shape, Rows, Columns, Unit>>;

/// A block by itself has its warps one below the other, so that a row of a tile lies in one warp.
template <class Shape> team<Shape, Shape::threads / 32, 1, default_unit<Shape>> team_of(const block_handle<Shape>& block) {
  return {block};
}
template <class Shape, int R, int C, class U> const team<Shape, R, C, U>& team_of(const team<Shape, R, C, U>& t) { return t; }
template <class Scope> using team_type = std::remove_cvref_t<decltype(team_of(std::declval<const Scope&>()))>;

}  // namespace detail

/// `tg::warps<2, 2>(block)`: four warps, two of them beside two others; where the kernel is meant for sm_90, whole warpgroups
/// one below the other.
template <int Rows, int Columns, class Shape>
detail::team_for<Shape, Rows, Columns, detail::default_unit<Shape>> warps(const block_handle<Shape>& block) {
  return {block};
}
/// `tg::warps<4, 2, tg::cuda_cores>(block)`: a team that multiplies floats as they are.
template <int Rows, int Columns, class Unit, class Shape>
detail::team_for<Shape, Rows, Columns, Unit> warps(const block_handle<Shape>& block) {
  return {block};
}

namespace detail {

/// Bits `first` to `first + count - 1` of a number move by `step`, the next bit by twice as much.
struct bit_run { int first = 0, count = 0, step = 0; };
struct bit_runs {
  bit_run run[8];
  int count = 0;
};

/// The runs of bits of a lane's number (`part` 1) or a warp's (`part` 2) that move along the rows or the columns.
constexpr bit_runs runs_of(const distribution& d, int part, bool of_rows) {
  bit_runs out;
  const int begin = part == 1 ? d.register_bits : d.register_bits + distribution::lane_bits;
  const int bits = part == 1 ? distribution::lane_bits : d.warp_bits;
  for (int b = 0; b < bits; ++b) {
    const int step = of_rows ? d.bits[begin + b].row : d.bits[begin + b].column;
    if (step == 0) continue;
    if (out.count > 0) {
      bit_run& last = out.run[out.count - 1];
      if (last.first + last.count == b && last.step << last.count == step) {
        ++last.count;
        continue;
      }
    }
    out.run[out.count++] = {b, 1, step};
  }
  return out;
}

template <bit_run Run, int Bits, class X> TG_ALWAYS_INLINE auto bits_of_run(const X& number) {
  constexpr constant<(1 << Run.first)> below{};
  constexpr constant<(1 << Run.count)> end{};
  if constexpr (Run.first == 0 && Run.count == Bits) return number;
  else if constexpr (Run.first == 0) return number % end;
  else if constexpr (Run.first + Run.count == Bits) return number / below;
  else return number / below % end;
}
template <bit_run Run, int Bits, class X> TG_ALWAYS_INLINE auto place_of_run(const X& number) {
  if constexpr (Run.step == 1) return bits_of_run<Run, Bits>(number);
  else return bits_of_run<Run, Bits>(number) * constant<Run.step>{};
}

/// Where the first element of a thread is along the rows or the columns: a sum of parts of its lane's and its warp's numbers.
template <class D, bool OfRows, int Part, int K = 0, class X> TG_ALWAYS_INLINE auto place_along(const X& number) {
  constexpr bit_runs runs = runs_of(D::value, Part, OfRows);
  constexpr int bits = Part == 1 ? distribution::lane_bits : D::value.warp_bits;
  if constexpr (K == runs.count) return constant<0>{};
  else if constexpr (K + 1 == runs.count) return place_of_run<runs.run[K], bits>(number);
  else return place_of_run<runs.run[K], bits>(number) + place_along<D, OfRows, Part, K + 1>(number);
}
template <class D, bool OfRows, class Team> auto own_place(const Team& t) {
  const auto warp = t.warp();
  const auto of_lane = place_along<D, OfRows, 1>(warp.lane);
  const auto of_warp = place_along<D, OfRows, 2>(warp.index);
  if constexpr (is_constant<std::remove_cvref_t<decltype(of_warp)>>) return of_lane;
  else if constexpr (is_constant<std::remove_cvref_t<decltype(of_lane)>>) return of_warp;
  else return of_warp + of_lane;
}
/// Bits of a lane's number (`part` 1) or a warp's (2) that move nowhere: who differs in them holds the same elements.
constexpr int copied_bits(const distribution& d, int part) {
  const int begin = part == 1 ? d.register_bits : d.register_bits + distribution::lane_bits;
  const int bits = part == 1 ? distribution::lane_bits : d.warp_bits;
  int out = 0;
  for (int b = 0; b < bits; ++b)
    if (d.bits[begin + b] == tile_place{}) out |= 1 << b;
  return out;
}
/// `body()` in one thread of those that hold the same elements, so that each is stored once.
template <class D, class Team, class Body> void in_one_holder(const Team& team, const Body& body, source_location where) {
  constexpr unsigned lanes = copied_bits(D::value, 1), warps = copied_bits(D::value, 2);
  const auto is_first = [](const auto& number, auto bits) { return (number & bits) == 0u; };
  if constexpr (lanes == 0 && warps == 0) body();
  else if constexpr (warps == 0) tg::if_(is_first(team.warp().lane, constant<lanes>{}), body, where);
  else if constexpr (lanes == 0) tg::if_(is_first(team.warp().index, constant<warps>{}), body, where);
  else tg::if_(is_first(team.warp().lane, constant<lanes>{}) && is_first(team.warp().index, constant<warps>{}), body, where);
}

/// The row of the thread's first element; a constant 0 where all threads begin at row 0.
template <class D, class Team> TG_ALWAYS_INLINE auto own_row(const Team& t) { return own_place<D, true>(t); }
/// The column of the thread's first element.
template <class D, class Team> TG_ALWAYS_INLINE auto own_column(const Team& t) { return own_place<D, false>(t); }

}  // namespace detail

}  // namespace tg
