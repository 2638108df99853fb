// Functions of elements, over trees of tiles or arrays: the same words as for single values.
#pragma once

#include <tg/dsl/math/approx.hpp>
#include <tg/dsl/math/exp.hpp>
#include <tg/dsl/math/log.hpp>
#include <tg/dsl/math/reciprocal.hpp>
#include <tg/dsl/math/tanh.hpp>
#include <tg/tree/operators.hpp>

namespace tg {

// A function of one element.
#define TG_TREE_FUNCTION(word)                                             \
  template <tree_like X> auto word(const X& x) {                           \
    return detail::make_map([](const auto& a) { return tg::word(a); }, x); \
  }
TG_TREE_FUNCTION(abs)
TG_TREE_FUNCTION(exp)
TG_TREE_FUNCTION(exp2)
TG_TREE_FUNCTION(log)
TG_TREE_FUNCTION(log2)
TG_TREE_FUNCTION(rcp)
TG_TREE_FUNCTION(rsqrt)
TG_TREE_FUNCTION(sqrt)
TG_TREE_FUNCTION(tanh)
#undef TG_TREE_FUNCTION

namespace approx {

#define TG_TREE_FUNCTION(word)                                                         \
  template <tree_like X> auto word(const X& x) {                                       \
    return tg::detail::make_map([](const auto& a) { return tg::approx::word(a); }, x); \
  }
TG_TREE_FUNCTION(exp)
TG_TREE_FUNCTION(exp2)
TG_TREE_FUNCTION(exp2_ftz)
TG_TREE_FUNCTION(log)
TG_TREE_FUNCTION(log2)
TG_TREE_FUNCTION(rcp)
TG_TREE_FUNCTION(rsqrt)
TG_TREE_FUNCTION(sqrt)
TG_TREE_FUNCTION(tanh)
#undef TG_TREE_FUNCTION

}  // namespace approx

/// The larger of two elements.
template <class A, class B> requires detail::tree_operands<A, B>
auto max(const A& a, const B& b) {
  return detail::make_map([](const auto& x, const auto& y) { return tg::max(x, y); }, a, b);
}
/// The smaller of two elements.
template <class A, class B> requires detail::tree_operands<A, B>
auto min(const A& a, const B& b) {
  return detail::make_map([](const auto& x, const auto& y) { return tg::min(x, y); }, a, b);
}
/// a where the condition holds, else b.
template <class C, class A, class B> requires(tree_like<C> || tree_like<A> || tree_like<B>)
auto where(const C& condition, const A& a, const B& b) {
  return detail::make_map([](const auto& c, const auto& x, const auto& y) { return tg::select(c, x, y); }, condition, a, b);
}
/// a * b + c, rounded once.
template <class A, class B, class C> requires(tree_like<A> || tree_like<B> || tree_like<C>)
auto fma(const A& a, const B& b, const C& c) {
  return detail::make_map([](const auto& x, const auto& y, const auto& z) { return tg::fma(x, y, z); }, a, b, c);
}
/// Each element as a T, as `tg::cast` of one does.
template <class T, tree_like X> auto cast(const X& x) { return X::kind::template cast<T>(x); }

}  // namespace tg
