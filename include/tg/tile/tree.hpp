// Expressions over tiles: trees of types that hold their operands by value and compute nothing until they reach an assignment,
// a reduction, a product or `tg::eval`. The whole tree is then walked once per register.
//
// A tree reads its tiles and views when it is evaluated. Where a tile that it reads is assigned in between, the recording ends
// with TG603: name the value with `tg::eval` where it is written.
#pragma once

#include <concepts>
#include <tuple>
#include <utility>

#include <tg/dsl/math/math.hpp>
#include <tg/tile/team.hpp>

namespace tg {

namespace detail {

/// What every node of a tree derives from.
struct tile_node {};

}  // namespace detail

/// A tile, a rectangle of a view, or an expression of them.
template <class X>
concept tile_like = std::derived_from<std::remove_cvref_t<X>, detail::tile_node>;

namespace diagnosis {

template <int Rows, int Columns> struct tile_extents {};

template <bool Ok, class Facts = void> struct fitting_tiles {
  static_assert(Ok, "TG602: tiles of one expression have the same rows and columns, or one row or column that stands for all");
};
template <bool Ok, class Facts = void> struct equally_spread {
  static_assert(Ok,
                "TG604: these tiles are spread over the threads in different ways; convert one with tg::spread_like(x, other)");
};
template <bool Ok, class Facts = void> struct known_spread {
  static_assert(Ok, "TG605: nothing here says how the tile is spread over the threads; name it with tg::load(block, x)");
};

}  // namespace diagnosis

namespace detail {

/// A number that stands for every element.
template <class X> struct scalar_node : tile_node {
  static constexpr int rows = 1;
  static constexpr int columns = 1;
  static constexpr bool is_spread = false;

  X x;

  explicit scalar_node(X x) : x(x) {}
  void require_unchanged() const {}
  template <class, class Team> auto bind(const Team&) const {
    return [x = x](int) { return x; };
  }
};

template <class X> auto to_node(const X& x) {
  if constexpr (tile_like<X>) return x.node();
  else if constexpr (device_value<X>) return scalar_node(x.get());
  else return scalar_node(x);
}
template <class X> using node_of = decltype(to_node(std::declval<const X&>()));

constexpr int joint_extent(int a, int b) { return a > b ? a : b; }
constexpr bool extents_fit(int a, int b) { return a == b || a == 1 || b == 1; }

/// The distribution that all operands of these extents share; none where none has them.
template <int Rows, int Columns, class... A> struct joint_spread { using type = no_spread; };
template <int Rows, int Columns, class First, class... Rest>
struct joint_spread<Rows, Columns, First, Rest...> : joint_spread<Rows, Columns, Rest...> {};
template <int Rows, int Columns, class First, class... Rest>
requires(First::is_spread && First::rows == Rows && First::columns == Columns)
struct joint_spread<Rows, Columns, First, Rest...> {
  using type = typename First::spread;
};

template <class N> inline constexpr bool has_team = requires(const N& n) { n.team(); };

/// The team of the first operand that has one.
template <class First, class... Rest> const auto& first_team(const First& first, const Rest&... rest) {
  if constexpr (has_team<First>) return first.team();
  else return first_team(rest...);
}

struct sum_of;
/// Whether a node is a tree plus a product.
template <class F, class... A> inline constexpr bool ends_in_product_of = false;
template <class A, class B> requires requires { B::is_product; }
inline constexpr bool ends_in_product_of<sum_of, A, B> = true;

/// `F` of the elements of some operands.
template <class F, class... A> struct map_node : tile_node {
  static constexpr int rows = [] {
    int out = 1;
    ((out = joint_extent(out, A::rows)), ...);
    return out;
  }();
  static constexpr int columns = [] {
    int out = 1;
    ((out = joint_extent(out, A::columns)), ...);
    return out;
  }();
  static_assert(sizeof(diagnosis::fitting_tiles<((extents_fit(A::rows, rows) && extents_fit(A::columns, columns)) && ...),
                                                diagnosis::types<diagnosis::tile_extents<A::rows, A::columns>...>>) != 0);
  using spread = typename joint_spread<rows, columns, A...>::type;
  static constexpr bool is_spread = spread::value.rows != 0;

  F f;
  std::tuple<A...> operands;
  static constexpr bool ends_in_product = ends_in_product_of<F, A...>;

  map_node(F f, A... a) : f(std::move(f)), operands(std::move(a)...) {}

  const map_node& node() const { return *this; }
  const auto& team() const requires(has_team<A> || ...)
  {
    return std::apply([](const auto&... a) -> const auto& { return first_team(a...); }, operands);
  }
  void require_unchanged() const {
    std::apply([](const auto&... a) { (a.require_unchanged(), ...); }, operands);
  }
  /// The tree for threads spread as D says: a function from the number of a register to its value.
  template <class D, class Team> auto bind(const Team& team) const {
    return std::apply(
        [&](const auto&... a) { return [f = f, ... bound = a.template bind<D>(team)](int r) { return f(bound(r)...); }; },
        operands);
  }
};

template <class F, class... X> auto make_map(F f, const X&... x) {
  return map_node<F, node_of<X>...>(std::move(f), to_node(x)...);
}

template <class X>
concept tile_operand = tile_like<X> || operand_like<X>;
template <class A, class B>
concept tile_operands = tile_operand<A> && tile_operand<B> && (tile_like<A> || tile_like<B>);

}  // namespace detail

/// `f` of corresponding elements: `tg::map([](auto a, auto b) { return tg::max(a, b); }, x, y)`. One row, one column or one
/// number stands for all.
template <class F, class... X> requires(tile_like<X> || ...)
auto map(F f, const X&... x) {
  return detail::make_map(std::move(f), x...);
}

#define TG_TILE_OPERATOR(op, name)                                                               \
  namespace detail {                                                                             \
  struct name {                                                                                  \
    template <class A, class B> auto operator()(const A& a, const B& b) const { return a op b; } \
  };                                                                                             \
  }                                                                                              \
  template <class A, class B> requires detail::tile_operands<A, B>                               \
  auto operator op(const A& a, const B& b) {                                                     \
    return detail::make_map(detail::name{}, a, b);                                               \
  }
TG_TILE_OPERATOR(+, sum_of)
TG_TILE_OPERATOR(-, difference_of)
TG_TILE_OPERATOR(*, product_of)
TG_TILE_OPERATOR(/, quotient_of)
TG_TILE_OPERATOR(%, remainder_of)
TG_TILE_OPERATOR(&, bit_and_of)
TG_TILE_OPERATOR(|, bit_or_of)
TG_TILE_OPERATOR(^, bit_xor_of)
TG_TILE_OPERATOR(<<, shifted_left)
TG_TILE_OPERATOR(>>, shifted_right)
TG_TILE_OPERATOR(<, is_less)
TG_TILE_OPERATOR(<=, is_at_most)
TG_TILE_OPERATOR(>, is_greater)
TG_TILE_OPERATOR(>=, is_at_least)
TG_TILE_OPERATOR(==, is_equal)
TG_TILE_OPERATOR(!=, is_unequal)
TG_TILE_OPERATOR(&&, are_both)
TG_TILE_OPERATOR(||, is_either)
#undef TG_TILE_OPERATOR

template <tile_like X> auto operator-(const X& x) {
  return detail::make_map([](const auto& a) { return -a; }, x);
}
template <tile_like X> auto operator!(const X& x) {
  return detail::make_map([](const auto& a) { return !a; }, x);
}

}  // namespace tg
