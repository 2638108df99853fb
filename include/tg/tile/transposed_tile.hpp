// The transpose of a tile or an expression: nothing is moved, rows are called columns.
#pragma once

#include <tg/tile/shared_part.hpp>
#include <tg/tile/tree.hpp>

namespace tg {

namespace detail {

namespace held {

template <class Of> struct transposed_node : tile_node {
  static constexpr int rows = Of::columns;
  static constexpr int columns = Of::rows;
  static constexpr bool is_spread = Of::is_spread;
  using spread = transposed_spread<typename joint_spread<Of::rows, Of::columns, Of>::type>;
  template <class D> static constexpr bool accepts = Of::template accepts<transposed_spread<D>>;

  Of of;

  explicit transposed_node(Of of) : of(static_cast<Of&&>(of)) {}
  const transposed_node& node() const { return *this; }
  const auto& team() const requires has_team<Of>
  {
    return of.team();
  }
  void require_unchanged() const { of.require_unchanged(); }
  bool reads(const change_count& tile) const { return of.reads(tile); }
  template <class D, class Team> auto bind(const Team& team) const { return of.template bind<transposed_spread<D>>(team); }
};

}  // namespace held

}  // namespace detail

/// The transpose of an expression: `tg::tile_at<64, 128>(c, row, column) = tg::transposed(sum)`. Cost: none of its own.
template <tile_like X> auto transposed(const X& x) { return detail::transposed_node<detail::node_of<X>>(detail::to_node(x)); }

}  // namespace tg
