// Means, variances and norms along axes.
#pragma once

#include <tg/array/reduce.hpp>
#include <tg/tree/functions.hpp>

namespace tg {

namespace detail {

namespace held {

/// How many elements are reduced, as a T.
template <class T> struct array_count : array_node {
  using element_type = T;
  using operand_type = value<T>;
  static constexpr int rank = 0;
  static constexpr tree_counts counts{};

  static constexpr void add_to(expression_facts& f, const axis_list&, bool) { f.uses_count = true; }
  static value<T> emit(element_reader& r) { return {tg::cast<T>(value<std::uint64_t>{r.count}).operand}; }
  const array_count& node() const { return *this; }
  void collect(operand_list&) const {}
};

}  // namespace held

/// What a mean has: double of doubles, else float.
template <class T> using mean_type = std::conditional_t<std::is_same_v<T, double>, double, float>;
template <class X> auto to_mean_type(X&& x) {
  using T = element_of_operand<X>;
  if constexpr (std::is_same_v<T, mean_type<T>>) return to_array_node(static_cast<X&&>(x));
  else return tg::cast<mean_type<T>>(static_cast<X&&>(x));
}

namespace held {

/// The square of an element. Its operand stands in the tree once: `x * x` would hold, and copy, the tree of x twice.
struct square_of_element : element_word {
  template <class A> auto operator()(const A& a) const { return a * a; }
};

}  // namespace held

template <class X> auto squared(X&& x) { return array_kind::map(square_of_element{}, static_cast<X&&>(x)); }

}  // namespace detail

#define TG_ARRAY_REDUCTION(word)                                                    \
  template <int... Axes, array_like X> auto word(X&& x) {                           \
    return detail::squeezed<Axes...>(tg::word<Axes...>(static_cast<X&&>(x), keep)); \
  }
/// The mean, in double of doubles and else in float.
template <int... Axes, array_like X> auto mean(X&& x, keep_t) {
  using T = detail::mean_type<detail::element_of_operand<X>>;
  return tg::sum<Axes...>(detail::to_mean_type(static_cast<X&&>(x)), keep) / detail::array_count<T>{};
}
TG_ARRAY_REDUCTION(mean)
/// The mean of the squares of the distances to the mean, which is found first.
template <int... Axes, array_like X> auto variance(X&& x, keep_t) {
  auto own = detail::to_mean_type(static_cast<X&&>(x));
  const detail::borrowed_copies from_here;
  auto mean = tg::mean<Axes...>(own, keep);
  return tg::mean<Axes...>(detail::squared(std::move(own) - std::move(mean)), keep);
}
TG_ARRAY_REDUCTION(variance)
/// The root of the sum of squares.
template <int... Axes, array_like X> auto norm(X&& x, keep_t) {
  return tg::sqrt(tg::sum<Axes...>(detail::squared(detail::to_mean_type(static_cast<X&&>(x))), keep));
}
TG_ARRAY_REDUCTION(norm)
#undef TG_ARRAY_REDUCTION

}  // namespace tg
