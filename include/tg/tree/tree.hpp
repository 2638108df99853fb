// Expressions as trees of types, over tiles or over arrays: what both have in common. The words for elements, such as `a + b`
// and `tg::exp(x)`, are written once, for trees of any kind.
#pragma once

#include <concepts>

#include <tg/dsl/value/operators.hpp>
#include <tg/dsl/value/standard_functions.hpp>

namespace tg {

/// Makes the compiler look for operators of trees in this namespace.
struct tree_words {};

namespace detail {

namespace held {

/// What every node of a tree derives from. A node has a type `kind`, which makes trees of its kind: `kind::map(f, x...)` and
/// `kind::template cast<T>(x)`.
struct tree_node : tree_words, many_values {};

}  // namespace held

}  // namespace detail

/// A tile, an array, or an expression of them.
template <class X>
concept tree_like = std::derived_from<std::remove_cvref_t<X>, detail::tree_node>;

namespace detail {

namespace held {

/// What the language's own functions of elements derive from: their operands have one type.
struct element_word {};

}  // namespace held

template <class X>
concept tree_operand = tree_like<X> || operand_like<std::remove_cvref_t<X>>;
/// Elements of the host: no operand, which the kind of the tree says. Errors: TG138.
template <class X>
concept host_elements = !tree_operand<X> && requires(const std::remove_cvref_t<X>& x) {
  x.begin();
  x.end();
};
template <class A, class B>
concept tree_operands =
    (tree_like<A> && (tree_operand<B> || host_elements<B>)) || (tree_like<B> && (tree_operand<A> || host_elements<A>));

/// The kind of the first tree of some operands.
template <class First, class... Rest> struct kind_of_trees : kind_of_trees<Rest...> {};
template <tree_like First, class... Rest> struct kind_of_trees<First, Rest...> {
  using type = typename std::remove_cvref_t<First>::kind;
};

template <class... X> using tree_kind = typename kind_of_trees<X...>::type;

/// The operands of a node. A plain struct: std::tuple would be ten functions for each node.
template <class... A> struct node_operands;
template <class A> struct node_operands<A> {
  A first;
  template <class F> TG_ALWAYS_INLINE decltype(auto) pass_to(F&& f) const { return f(first); }
};
template <class A, class B> struct node_operands<A, B> {
  A first;
  B second;
  template <class F> TG_ALWAYS_INLINE decltype(auto) pass_to(F&& f) const { return f(first, second); }
};
template <class A, class B, class C> struct node_operands<A, B, C> {
  A first;
  B second;
  C third;
  template <class F> TG_ALWAYS_INLINE decltype(auto) pass_to(F&& f) const { return f(first, second, third); }
};
template <class A, class B, class C, class D, class... Rest> struct node_operands<A, B, C, D, Rest...> {
  node_operands<A, B, C> first;
  node_operands<D, Rest...> more;

  node_operands(A a, B b, C c, D d, Rest... rest)
      : first{static_cast<A&&>(a), static_cast<B&&>(b), static_cast<C&&>(c)},
        more{static_cast<D&&>(d), static_cast<Rest&&>(rest)...} {}
  template <class F> decltype(auto) pass_to(F&& f) const {
    return first.pass_to([&](const auto&... a) -> decltype(auto) {
      return more.pass_to([&](const auto&... b) -> decltype(auto) { return f(a..., b...); });
    });
  }
};

}  // namespace detail

/// `f` of corresponding elements: `tg::map([](auto a, auto b) { return tg::max(a, b); }, x, y)`. With arrays, `f` reads no
/// variables either: their values when the kernel is recorded would stay. One row, one column or one number stands for all.
template <class F, class... X> requires(tree_like<X> || ...)
auto map(F f, X&&... x) {
  return detail::tree_kind<X...>::map(static_cast<F&&>(f), static_cast<X&&>(x)...);
}

}  // namespace tg
