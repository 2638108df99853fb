// Expressions over tiles: trees of types that hold their operands by value and compute nothing until they reach an assignment,
// a reduction, a product or `tg::eval`. The whole tree is then walked once per register.
//
// A tree reads its tiles and views when it is evaluated. Where a tile that it reads is assigned in between, the recording ends
// with TG603: name the value with `tg::eval` where it is written.
#pragma once

// Before all others, so that compiler output about a diagnosis does not begin with a tower of headers.
#include <tg/tile/diagnosis.hpp>

#include <concepts>

#include <tg/dsl/math/math.hpp>
#include <tg/tile/change_count.hpp>
#include <tg/tile/team.hpp>
#include <tg/tree/tree.hpp>

namespace tg {

namespace detail {

struct tile_kind;

namespace held {

/// What every node of a tree of tiles derives from.
struct tile_node : tree_node {
  using kind = tile_kind;
  /// Whether the node can be evaluated by threads that are spread as D says.
  template <class D> static constexpr bool accepts = true;
  /// Whether the node reads the tile whose changes `tile` counts.
  bool reads(const change_count&) const { return false; }
  // C++ cannot ask a tile. Errors: TG114.
  template <class Dummy = tile_kind> explicit operator bool() const {
    (void)sizeof(diagnosis::tile_as_condition<sizeof(Dummy) == 0>);
    return false;
  }
};

}  // namespace held

}  // namespace detail

/// A tile, a rectangle of a view, or an expression of them.
template <class X>
concept tile_like = std::derived_from<std::remove_cvref_t<X>, detail::tile_node>;

namespace detail {

namespace held {

/// A number that stands for every element.
template <class X> struct scalar_node : tile_node {
  static constexpr int rows = 1;
  static constexpr int columns = 1;
  static constexpr bool is_spread = false;

  X x;

  explicit scalar_node(X x) : x(x) {}
  const scalar_node& node() const { return *this; }
  void require_unchanged() const {}
  template <class, class Team> auto bind(const Team&) const {
    return [x = x](int) { return x; };
  }
};

}  // namespace held

template <class X> auto to_node(const X& x) {
  if constexpr (tile_like<X>) return x.node();
  else if constexpr (device_value<X>) return scalar_node(x.get());
  else return scalar_node(x);
}
template <class X> using node_of = decltype(to_node(std::declval<const X&>()));

constexpr int joint_extent(int a, int b) { return a > b ? a : b; }
constexpr bool extents_fit(int a, int b) { return a == b || a == 1 || b == 1; }
/// Whether an operand of `own` rows or columns can be assigned to a tile of `wanted`.
constexpr bool is_extent_of(int own, int wanted) { return own == wanted || own == 1; }

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

namespace held {
struct sum_of;
struct difference_of;
struct product_of;
struct quotient_of;
}  // namespace held

/// What stands for an element of a node in a check: a value, or a number of C++. `void`: the node does not say.
template <class N> struct node_element { using type = void; };
template <class N> requires requires { typename N::element_type; }
struct node_element<N> {
  using type = value<typename N::element_type>;
};
template <class X> struct node_element<scalar_node<X>> { using type = X; };

/// What is wrong with the types of the elements of a sum, difference, product or quotient, as a diagnosis. It is asked here,
/// where the expression is written, because compilers print each step from there to where it is evaluated.
template <class F, class... A> struct node_elements_check { using type = diagnosis::none; };
template <class F, class A, class B>
inline constexpr bool is_checked = (std::is_same_v<F, sum_of> || std::is_same_v<F, difference_of> ||
                                    std::is_same_v<F, product_of> || std::is_same_v<F, quotient_of>) &&
                                   operands<typename node_element<A>::type, typename node_element<B>::type>;
template <class F, class A, class B> requires is_checked<F, A, B>
struct node_elements_check<F, A, B> : operand_check<std::is_same_v<F, quotient_of> ? demand::division : demand::arithmetic,
                                                    typename node_element<A>::type, typename node_element<B>::type> {};

/// Whether a node is a tree plus a product.
template <class F, class... A> inline constexpr bool ends_in_product_of = false;
template <class A, class B> requires requires { B::is_product; }
inline constexpr bool ends_in_product_of<sum_of, A, B> = true;

namespace held {

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
  using spread = typename joint_spread<rows, columns, A...>::type;
  static constexpr bool is_spread = spread::value.rows != 0;
  static constexpr bool fits = ((extents_fit(A::rows, rows) && extents_fit(A::columns, columns)) && ...);
  template <class D> static constexpr bool accepts = (A::template accepts<D> && ...);

  F f;
  node_operands<A...> operands;
  static constexpr bool ends_in_product = ends_in_product_of<F, A...>;

  map_node(F f, const A&... a) : f(static_cast<F&&>(f)), operands{a...} {}
  map_node(const map_node&) = default;
  // It is not assigned, see `fixed_tile`. Errors: TG127.
  void operator=(const map_node&) { (void)sizeof(diagnosis::fixed_tile<sizeof(F) == 0, map_node>); }

  const map_node& node() const { return *this; }
  const auto& team() const requires(has_team<A> || ...)
  {
    return operands.pass_to([](const auto&... a) -> const auto& { return first_team(a...); });
  }
  void require_unchanged() const {
    operands.pass_to([](const auto&... a) { (a.require_unchanged(), ...); });
  }
  bool reads(const change_count& tile) const {
    return operands.pass_to([&](const auto&... a) { return (a.reads(tile) || ...); });
  }
  /// The tree for threads spread as D says: a function from the number of a register to its value.
  template <class D, class Team> auto bind(const Team& team) const {
    return operands.pass_to(
        [&](const auto&... a) { return [f = f, ... bound = a.template bind<D>(team)](int r) { return f(bound(r)...); }; });
  }
};

}  // namespace held

/// The first thing that is wrong with an expression of these, as a diagnosis.
template <class Map, class F, class... A> consteval auto check_map() {
  using of_elements = typename node_elements_check<F, A...>::type;
  if constexpr (!std::is_same_v<of_elements, diagnosis::none>) return std::type_identity<of_elements>{};
  else if constexpr (!Map::fits)
    return std::type_identity<
        diagnosis::fitting_tiles<false, diagnosis::types<diagnosis::tile_extents<A::rows, A::columns>...>>>{};
  else if constexpr (Map::is_spread && !Map::template accepts<typename Map::spread>)
    return std::type_identity<diagnosis::equally_spread<
        false, diagnosis::types<typename Map::spread, typename joint_spread<A::rows, A::columns, A>::type...>>>{};
  else return std::type_identity<diagnosis::none>{};
}
/// Stands for an expression that was refused, so that its error is the only one.
template <class First, class... Rest> const auto& first_spread(const First& first, const Rest&... rest) {
  if constexpr (First::is_spread || sizeof...(Rest) == 0) return first;
  else return first_spread(rest...);
}

namespace held { template <class T, class Of> struct cast_node; }  // namespace held

/// Makes nodes of trees of tiles.
struct tile_kind {
  template <class F, class... X> static auto map(F f, const X&... x) {
    using map = map_node<F, node_of<X>...>;
    using found = typename decltype(check_map<map, F, node_of<X>...>())::type;
    using operands = diagnosis::tile_operands<(!host_elements<X> && ...), diagnosis::types<X...>>;
    if constexpr (diagnosis::is_ok<sizeof(operands), operands> && diagnosis::is_ok<sizeof(found), found>)
      return map(static_cast<F&&>(f), to_node(x)...);
    else return first_spread(to_node(x)...);
  }
  template <class T, class X> static auto cast(const X& x) { return cast_node<T, node_of<X>>(to_node(x)); }
};

}  // namespace detail

}  // namespace tg
