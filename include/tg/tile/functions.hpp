// Conversions of tiles, and the numbers of their rows and columns.
#pragma once

#include <tg/dsl/vector/packed.hpp>
#include <tg/tile/tree.hpp>
#include <tg/tree/functions.hpp>

namespace tg {

namespace detail {

/// The elements of a tree as Ts, two at a time where an instruction does so.
template <class T, class Of> struct bound_cast {
  Of of;

  auto operator()(int r) const { return tg::cast<T>(of(r)); }
  /// Registers r and r + 1 side by side in a word.
  ptx::operand pair(int r) const requires(is_half<T>)
  {
    if constexpr (std::is_same_v<device_type_of<decltype(of(r))>, float>) return tg::pack<T>(of(r), of(r + 1)).operand;
    else return tg::pack<T>((*this)(r), (*this)(r + 1)).operand;
  }
  /// Two 8-bit floats in a 16-bit register.
  ptx::operand pair(int r) const requires(is_byte_float<T>)
  {
    if constexpr (std::is_same_v<device_type_of<decltype(of(r))>, float>)
      return narrow_to_byte_pair<T>(of(r).get().operand, of(r + 1).get().operand);
    else return to_half_register(tg::pack<T>((*this)(r), (*this)(r + 1)).operand);
  }
};

namespace held {

template <class T, class Of> struct cast_node : tile_node {
  using element_type = T;
  static constexpr int rows = Of::rows;
  static constexpr int columns = Of::columns;
  static constexpr bool is_spread = Of::is_spread;
  using spread = typename joint_spread<rows, columns, Of>::type;
  template <class D> static constexpr bool accepts = Of::template accepts<D>;

  Of of;

  explicit cast_node(Of of) : of(static_cast<Of&&>(of)) {}
  const cast_node& node() const { return *this; }
  const auto& team() const requires has_team<Of>
  {
    return of.team();
  }
  void require_unchanged() const { of.require_unchanged(); }
  bool reads(const change_count& tile) const { return of.reads(tile); }
  template <class D, class Team> auto bind(const Team& team) const {
    using bound = decltype(of.template bind<D>(team));
    return bound_cast<T, bound>{of.template bind<D>(team)};
  }
};

/// The number of the row or the column of each element, from `first` on.
template <bool OfRows, int Extent, class First> struct number_node : tile_node {
  static constexpr int rows = OfRows ? Extent : 1;
  static constexpr int columns = OfRows ? 1 : Extent;
  static constexpr bool is_spread = false;

  First first;

  explicit number_node(First first) : first(first) {}
  const number_node& node() const { return *this; }
  void require_unchanged() const {}
  template <class D, class Team> auto bind(const Team& team) const {
    const auto own = [&] {
      const auto place = own_place<D, OfRows>(team);
      if constexpr (is_constant<std::remove_cvref_t<decltype(place)>>) return value<unsigned>{argument<unsigned>(first)};
      else return value<unsigned>{(first + place).get().operand};
    }();
    return [own](int r) {
      const tile_place at = D::value.at(r);
      return own + static_cast<unsigned>(OfRows ? at.row : at.column);
    };
  }
};

}  // namespace held

}  // namespace detail

/// first, first + 1, ... down the rows of `like`: the numbers of its rows in the matrix that it was cut from.
template <tile_like Like, operand_like First> auto rows_of(const Like&, const First& first) {
  return detail::number_node<true, Like::rows, decltype(detail::to_value<unsigned>(first))>(detail::to_value<unsigned>(first));
}
/// first, first + 1, ... along the columns of `like`.
template <tile_like Like, operand_like First> auto columns_of(const Like&, const First& first) {
  return detail::number_node<false, Like::columns, decltype(detail::to_value<unsigned>(first))>(
      detail::to_value<unsigned>(first));
}

}  // namespace tg
