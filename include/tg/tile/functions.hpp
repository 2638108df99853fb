// Functions of elements, over tiles: the same words as for single values.
#pragma once

#include <tg/dsl/math/approx.hpp>
#include <tg/dsl/math/exp.hpp>
#include <tg/dsl/math/log.hpp>
#include <tg/dsl/math/reciprocal.hpp>
#include <tg/dsl/math/tanh.hpp>
#include <tg/dsl/vector/packed.hpp>
#include <tg/tile/operators.hpp>
#include <tg/tile/tree.hpp>

namespace tg {

// A function of one element.
#define TG_TILE_FUNCTION(word)                                             \
  template <tile_like X> auto word(const X& x) {                           \
    return detail::make_map([](const auto& a) { return tg::word(a); }, x); \
  }
TG_TILE_FUNCTION(abs)
TG_TILE_FUNCTION(exp)
TG_TILE_FUNCTION(exp2)
TG_TILE_FUNCTION(log)
TG_TILE_FUNCTION(log2)
TG_TILE_FUNCTION(rcp)
TG_TILE_FUNCTION(rsqrt)
TG_TILE_FUNCTION(sqrt)
TG_TILE_FUNCTION(tanh)
#undef TG_TILE_FUNCTION

namespace approx {

#define TG_TILE_FUNCTION(word)                                                         \
  template <tile_like X> auto word(const X& x) {                                       \
    return tg::detail::make_map([](const auto& a) { return tg::approx::word(a); }, x); \
  }
TG_TILE_FUNCTION(exp)
TG_TILE_FUNCTION(exp2)
TG_TILE_FUNCTION(exp2_ftz)
TG_TILE_FUNCTION(log)
TG_TILE_FUNCTION(log2)
TG_TILE_FUNCTION(rcp)
TG_TILE_FUNCTION(rsqrt)
TG_TILE_FUNCTION(sqrt)
TG_TILE_FUNCTION(tanh)
#undef TG_TILE_FUNCTION

}  // namespace approx

/// The larger of two elements.
template <class A, class B> requires detail::tile_operands<A, B>
auto max(const A& a, const B& b) {
  return detail::make_map([](const auto& x, const auto& y) { return tg::max(x, y); }, a, b);
}
/// The smaller of two elements.
template <class A, class B> requires detail::tile_operands<A, B>
auto min(const A& a, const B& b) {
  return detail::make_map([](const auto& x, const auto& y) { return tg::min(x, y); }, a, b);
}
/// a where the condition holds, else b.
template <class C, class A, class B> requires(tile_like<C> || tile_like<A> || tile_like<B>)
auto where(const C& condition, const A& a, const B& b) {
  return detail::make_map([](const auto& c, const auto& x, const auto& y) { return tg::select(c, x, y); }, condition, a, b);
}
/// a * b + c, rounded once.
template <class A, class B, class C> requires(tile_like<A> || tile_like<B> || tile_like<C>)
auto fma(const A& a, const B& b, const C& c) {
  return detail::make_map([](const auto& x, const auto& y, const auto& z) { return tg::fma(x, y, z); }, a, b, c);
}
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
template <class T, class Of> struct cast_node : tile_node {
  static constexpr int rows = Of::rows;
  static constexpr int columns = Of::columns;
  static constexpr bool is_spread = Of::is_spread;
  using spread = typename joint_spread<rows, columns, Of>::type;
  template <class D> static constexpr bool accepts = Of::template accepts<D>;

  Of of;

  explicit cast_node(Of of) : of(std::move(of)) {}
  const cast_node& node() const { return *this; }
  const auto& team() const requires has_team<Of>
  {
    return of.team();
  }
  void require_unchanged() const { of.require_unchanged(); }
  template <class D, class Team> auto bind(const Team& team) const {
    using bound = decltype(of.template bind<D>(team));
    return bound_cast<T, bound>{of.template bind<D>(team)};
  }
};

}  // namespace detail

/// Each element as a T, as `tg::cast` of one does.
template <class T, tile_like X> auto cast(const X& x) { return detail::cast_node<T, detail::node_of<X>>(detail::to_node(x)); }

namespace detail {

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
