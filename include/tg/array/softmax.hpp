// Softmax along axes, its logarithm, and the logarithm of its sum. The largest element is subtracted first, so that nothing
// overflows.
#pragma once

#include <limits>

#include <tg/array/mean.hpp>

namespace tg {

/// log(sum(exp(x))), without overflow.
template <int... Axes, array_like X> auto logsumexp(const X& x, keep_t) {
  const auto own = detail::to_mean_type(x);
  using T = detail::element_of_operand<decltype(own)>;
  const auto largest = tg::max<Axes...>(own, keep);
  const auto peak = tg::where(tg::abs(largest) == std::numeric_limits<T>::infinity(), T(0), largest);
  return tg::log(tg::sum<Axes...>(tg::exp(own - peak), keep)) + peak;
}
template <int... Axes, array_like X> auto logsumexp(const X& x) {
  return detail::squeezed<Axes...>(tg::logsumexp<Axes...>(x, keep));
}
/// exp(x) / sum(exp(x)) along axes, without overflow; float, double of doubles.
template <int... Axes, array_like X> auto softmax(const X& x) {
  const auto own = detail::to_mean_type(x);
  const auto power = tg::exp(own - tg::max<Axes...>(own, keep));
  return power / tg::sum<Axes...>(power, keep);
}
/// log(softmax(x)).
template <int... Axes, array_like X> auto log_softmax(const X& x) {
  const auto own = detail::to_mean_type(x);
  const auto apart = own - tg::max<Axes...>(own, keep);
  return apart - tg::log(tg::sum<Axes...>(tg::exp(apart), keep));
}

}  // namespace tg
