// Softmax along axes, its logarithm, and the logarithm of its sum. The largest element is subtracted first, so that nothing
// overflows.
#pragma once

#include <limits>

#include <tg/array/mean.hpp>

namespace tg {

/// log(sum(exp(x))), without overflow.
template <int... Axes, array_like X> auto logsumexp(X&& x, keep_t) {
  auto own = detail::to_mean_type(static_cast<X&&>(x));
  using T = detail::element_of_operand<decltype(own)>;
  const detail::borrowed_copies from_here;
  auto largest = tg::max<Axes...>(own, keep);
  auto is_infinite = tg::abs(largest) == std::numeric_limits<T>::infinity();
  auto peak = tg::where(std::move(is_infinite), T(0), std::move(largest));
  auto total = tg::sum<Axes...>(tg::exp(std::move(own) - peak), keep);
  return tg::log(std::move(total)) + std::move(peak);
}
template <int... Axes, array_like X> auto logsumexp(X&& x) {
  return detail::squeezed<Axes...>(tg::logsumexp<Axes...>(static_cast<X&&>(x), keep));
}
/// exp(x) / sum(exp(x)) along axes, without overflow; float, double of doubles.
template <int... Axes, array_like X> auto softmax(X&& x) {
  auto own = detail::to_mean_type(static_cast<X&&>(x));
  const detail::borrowed_copies from_here;
  auto largest = tg::max<Axes...>(own, keep);
  auto power = tg::exp(std::move(own) - std::move(largest));
  auto total = tg::sum<Axes...>(power, keep);
  return std::move(power) / std::move(total);
}
/// log(softmax(x)).
template <int... Axes, array_like X> auto log_softmax(X&& x) {
  auto own = detail::to_mean_type(static_cast<X&&>(x));
  const detail::borrowed_copies from_here;
  auto largest = tg::max<Axes...>(own, keep);
  auto apart = std::move(own) - std::move(largest);
  auto total = tg::sum<Axes...>(tg::exp(apart), keep);
  return std::move(apart) - tg::log(std::move(total));
}

}  // namespace tg
