// Losses of networks and their gradients. Each is an expression: part of the kernel of the assignment that it stands in.
#pragma once

#include <limits>

#include <tg/array/expression.hpp>
#include <tg/array/softmax.hpp>
#include <tg/array/take.hpp>

namespace tg {

namespace detail {

/// TG700, TG705.
[[noreturn]] void refuse_targets(std::int64_t rows, std::int64_t classes, std::int64_t targets, source_location where);

/// The targets of all rows as a column of signed numbers: of 64 bits where they have so many, else of 32. Errors: TG109.
template <class I> auto column_of_targets(const I& targets) {
  using given = element_of_operand<I>;
  using wanted = std::conditional_t<is_integer<given> && sizeof(given) == 8, std::int64_t, int>;
  (void)sizeof(diagnosis::integer_index<is_integer<given>, given>);
  if constexpr (std::is_same_v<given, wanted>) return tg::expand<1>(targets);
  else return tg::expand<1>(tg::cast<wanted>(targets));
}

/// The number of classes, where there is a target for each row. Errors: TG700 for another number of targets, TG705 for rows
/// without classes.
template <class X, class I> auto classes_of(const X& logits, const I& targets, source_location where) {
  using number = element_of_operand<decltype(column_of_targets(targets))>;
  const auto all = assigned_expression<element_of_operand<X>, array_node_of<X>::rank>(logits.node(), where).shape();
  const auto given = assigned_expression<element_of_operand<I>, array_node_of<I>::rank>(targets.node(), where).shape();
  static_assert(all.extents.size() == 2 && given.extents.size() == 1,
                "TG722: losses take a matrix of logits, a row for each target, and a vector of targets");
  if (all[0] != given[0] || (all[0] > 0 && all[1] == 0)) refuse_targets(all[0], all[1], given[0], where);
  return static_cast<number>(all[1]);
}

}  // namespace detail

/// -log(softmax(x))[target] of each row: losses of a matrix of logits, one for each row. A row whose target is below 0 is left
/// out: its loss is 0. A target that is no class makes its loss NaN. Shapes: logits (rows, classes), targets (rows) of integers
/// below classes; the loss (rows). Float, double of doubles. Cost: a row that fits is read once, and one element more. Errors:
/// TG109, TG700, TG705, TG722, TG723.
template <array_like X, array_like I>
auto cross_entropy(const X& logits, const I& targets, source_location where = source_location::current()) {
  const auto classes = detail::classes_of(logits, targets, where);
  auto target = detail::column_of_targets(targets);
  auto own = tg::take_along<1>(logits, tg::clamp(target, 0, classes - 1));
  using T = detail::mean_type<detail::element_of_operand<X>>;
  auto loss = tg::logsumexp<1>(logits, keep) - detail::to_mean_type(std::move(own));
  auto of_class = tg::where(target < classes, std::move(loss), std::numeric_limits<T>::quiet_NaN());
  return detail::squeezed<1>(tg::where(std::move(target) >= 0, std::move(of_class), T(0)));
}
/// How an error of `scale` at each loss of `cross_entropy` goes back to the logits: (softmax(x) - 1 at the target) * scale, 0
/// in rows that are left out, NaN in those whose target is no class. Errors: as those of `cross_entropy`.
template <array_like X, array_like I>
auto cross_entropy_gradient(const X& logits, const I& targets, float scale = 1,
                            source_location where = source_location::current()) {
  const auto classes = detail::classes_of(logits, targets, where);
  using T = detail::mean_type<detail::element_of_operand<X>>;
  auto target = detail::column_of_targets(targets);
  using number = detail::element_of_operand<decltype(target)>;
  auto hot = tg::where(tg::cast<number>(tg::index_of<1>(logits)) == target, T(1), T(0));
  auto of_class =
      tg::where(target < classes, (tg::softmax<1>(logits) - std::move(hot)) * T(scale), std::numeric_limits<T>::quiet_NaN());
  return tg::where(target >= 0, std::move(of_class), T(0));
}
/// The divergence of Kullback and Leibler along the last axis: the sum of p * (log p - log q); an element of p that is 0 adds
/// nothing. q is given by its logarithm, as `tg::log_softmax` makes it.
template <array_like P, array_like Q> auto kl_divergence(P&& p, Q&& log_q) {
  constexpr int last = detail::array_node_of<P>::rank - 1;
  auto own = detail::to_mean_type(static_cast<P&&>(p));
  using T = detail::element_of_operand<decltype(own)>;
  auto term = own * (tg::log(own) - detail::to_mean_type(static_cast<Q&&>(log_q)));
  return tg::sum<last>(tg::where(std::move(own) > T(0), std::move(term), T(0)));
}

}  // namespace tg
