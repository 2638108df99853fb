// Losses of networks and their gradients. Each is an expression: part of the kernel of the assignment that it stands in.
#pragma once

#include <tg/array/softmax.hpp>
#include <tg/array/take.hpp>

namespace tg {

namespace detail {

/// The targets of all rows as a column of signed numbers: of 64 bits where they have so many, else of 32. Errors: TG109.
template <class I> auto column_of_targets(const I& targets) {
  using given = element_of_operand<I>;
  using wanted = std::conditional_t<is_integer<given> && sizeof(given) == 8, std::int64_t, int>;
  (void)sizeof(diagnosis::integer_index<is_integer<given>, given>);
  if constexpr (std::is_same_v<given, wanted>) return tg::expand<1>(targets);
  else return tg::expand<1>(tg::cast<wanted>(targets));
}

}  // namespace detail

/// -log(softmax(x))[target] of each row: losses of a matrix of logits, one for each row. A row whose target is below 0 is left
/// out: its loss is 0. Shapes: logits (rows, classes), targets (rows) of integers below classes; the loss (rows). Float, double
/// of doubles. Cost: a row that fits is read once, and one element more. Errors: TG109, TG723.
template <array_like X, array_like I> auto cross_entropy(const X& logits, const I& targets) {
  auto target = detail::column_of_targets(targets);
  auto own = tg::take_along<1>(logits, tg::max(target, 0));
  using T = detail::mean_type<detail::element_of_operand<X>>;
  auto loss = tg::logsumexp<1>(logits, keep) - detail::to_mean_type(std::move(own));
  return detail::squeezed<1>(tg::where(std::move(target) >= 0, std::move(loss), T(0)));
}
/// How an error of `scale` at each loss of `cross_entropy` goes back to the logits: (softmax(x) - 1 at the target) * scale, 0
/// in rows that are left out. Errors: TG109, TG723.
template <array_like X, array_like I> auto cross_entropy_gradient(const X& logits, const I& targets, float scale = 1) {
  using T = detail::mean_type<detail::element_of_operand<X>>;
  auto target = detail::column_of_targets(targets);
  using number = detail::element_of_operand<decltype(target)>;
  auto hot = tg::where(tg::cast<number>(tg::index_of<1>(logits)) == target, T(1), T(0));
  return tg::where(target >= 0, (tg::softmax<1>(logits) - std::move(hot)) * T(scale), T(0));
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
