// Means, variances and norms along axes.
#pragma once

#include <tg/array/reduce.hpp>
#include <tg/tree/functions.hpp>

namespace tg {

namespace detail {

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

/// What a mean has: double of doubles, else float.
template <class T> using mean_type = std::conditional_t<std::is_same_v<T, double>, double, float>;
template <class X> auto to_mean_type(const X& x) {
  using T = element_of_operand<X>;
  if constexpr (std::is_same_v<T, mean_type<T>>) return x.node();
  else return tg::cast<mean_type<T>>(x);
}

}  // namespace detail

#define TG_ARRAY_REDUCTION(word) \
  template <int... Axes, array_like X> auto word(const X& x) { return detail::squeezed<Axes...>(tg::word<Axes...>(x, keep)); }
/// The mean, in double of doubles and else in float.
template <int... Axes, array_like X> auto mean(const X& x, keep_t) {
  using T = detail::mean_type<detail::element_of_operand<X>>;
  return tg::sum<Axes...>(detail::to_mean_type(x), keep) / detail::array_count<T>{};
}
TG_ARRAY_REDUCTION(mean)
/// The mean of the squares of the distances to the mean, which is found first.
template <int... Axes, array_like X> auto variance(const X& x, keep_t) {
  const auto own = detail::to_mean_type(x);
  const auto apart = own - tg::mean<Axes...>(own, keep);
  return tg::mean<Axes...>(apart * apart, keep);
}
TG_ARRAY_REDUCTION(variance)
/// The root of the sum of squares.
template <int... Axes, array_like X> auto norm(const X& x, keep_t) {
  const auto own = detail::to_mean_type(x);
  return tg::sqrt(tg::sum<Axes...>(own * own, keep));
}
TG_ARRAY_REDUCTION(norm)
#undef TG_ARRAY_REDUCTION

}  // namespace tg
