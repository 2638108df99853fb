// Norms of layers along the last axis, and how an error at their result goes back to their operand. Each is an expression: part
// of the kernel of the assignment that it stands in.
#pragma once

#include <tg/array/mean.hpp>

namespace tg {

namespace detail {

template <class X> inline constexpr int last_axis_of = array_node_of<X>::rank - 1;
template <class X> using norm_type = mean_type<element_of_operand<X>>;

/// 1 / sqrt(mean of x^2 + epsilon) along the last axis, which stays.
template <class X> auto reciprocal_norm(X&& x, float epsilon) {
  using T = norm_type<X>;
  return tg::rsqrt(tg::mean<last_axis_of<X>>(squared(static_cast<X&&>(x)), keep) + T(epsilon));
}
/// How an error g at x * reciprocal_norm(x) goes back to x: that of RMSNorm, or of LayerNorm where `Centred`.
template <bool Centred, class X, class G> auto norm_gradient(X&& x, G&& g, float epsilon) {
  constexpr int last = last_axis_of<X>;
  auto scale = reciprocal_norm(x, epsilon);
  auto normal = static_cast<X&&>(x) * scale;
  auto along = tg::mean<last>(g * normal, keep);
  if constexpr (Centred) {
    auto shift = tg::mean<last>(g, keep);
    return (static_cast<G&&>(g) - std::move(shift) - std::move(normal) * std::move(along)) * std::move(scale);
  } else {
    return (static_cast<G&&>(g) - std::move(normal) * std::move(along)) * std::move(scale);
  }
}
/// x without its mean along the last axis.
template <class X> auto centred(X&& x) {
  auto own = to_mean_type(static_cast<X&&>(x));
  auto mean = tg::mean<last_axis_of<X>>(own, keep);
  return std::move(own) - std::move(mean);
}

}  // namespace detail

/// (x - mean) / sqrt(variance + epsilon) * gamma + beta along the last axis. Shapes: x any, gamma and beta a row of it. Float,
/// double of doubles: `y = tg::cast<tg::bf16>(tg::layer_norm(x, gamma, beta))`. Cost: a row that fits is read once.
template <array_like X, array_like W, array_like B> auto layer_norm(X&& x, W&& gamma, B&& beta, float epsilon = 1e-5f) {
  auto apart = detail::centred(static_cast<X&&>(x));
  auto scale = detail::reciprocal_norm(apart, epsilon);
  return std::move(apart) * std::move(scale) * detail::to_mean_type(static_cast<W&&>(gamma)) +
         detail::to_mean_type(static_cast<B&&>(beta));
}
/// x / sqrt(mean of x^2 + epsilon) * gamma along the last axis; of a sum with what is carried past the layer:
/// `tg::assign(tg::into(h) = x + r, tg::into(y) = tg::rms_norm(x + r, gamma))`, which reads both once.
template <array_like X, array_like W> auto rms_norm(X&& x, W&& gamma, float epsilon = 1e-6f) {
  auto own = detail::to_mean_type(static_cast<X&&>(x));
  auto scale = detail::reciprocal_norm(own, epsilon);
  return std::move(own) * std::move(scale) * detail::to_mean_type(static_cast<W&&>(gamma));
}

/// (x - mean) / sqrt(variance + epsilon) * gamma + beta over the channels and pixels of each group. Shapes: x is images x
/// groups x channels of a group x pixels, as `x.reshape({n, groups, channels / groups, pixels})` views it, and the result goes
/// to such a view; gamma and beta are groups x channels of a group. With one channel in each group it is the norm of instances.
/// Cost: a group that fits is read once.
template <array_like X, array_like W, array_like B> auto group_norm(X&& x, W&& gamma, B&& beta, float epsilon = 1e-5f) {
  using T = detail::norm_type<X>;
  auto own = detail::to_mean_type(static_cast<X&&>(x));
  auto mean = tg::mean<2, 3>(own, keep);
  auto apart = std::move(own) - std::move(mean);
  auto scale = tg::rsqrt(tg::mean<2, 3>(detail::squared(apart), keep) + T(epsilon));
  return std::move(apart) * std::move(scale) * tg::expand<2>(detail::to_mean_type(static_cast<W&&>(gamma))) +
         tg::expand<2>(detail::to_mean_type(static_cast<B&&>(beta)));
}

/// How an error dy at `layer_norm(x, gamma, beta)` goes back to x. Those of gamma and beta are sums along the rows:
/// `tg::sum<0>(dy * normal)` of a named `normal`, and `tg::sum<0>(dy)`.
template <array_like X, array_like W, array_like G> auto layer_norm_gradient(X&& x, W&& gamma, G&& dy, float epsilon = 1e-5f) {
  return detail::norm_gradient<true>(detail::centred(static_cast<X&&>(x)),
                                     detail::to_mean_type(static_cast<G&&>(dy)) * detail::to_mean_type(static_cast<W&&>(gamma)),
                                     epsilon);
}
/// How an error dy at `rms_norm(x, gamma)` goes back to x.
template <array_like X, array_like W, array_like G> auto rms_norm_gradient(X&& x, W&& gamma, G&& dy, float epsilon = 1e-6f) {
  return detail::norm_gradient<false>(
      detail::to_mean_type(static_cast<X&&>(x)),
      detail::to_mean_type(static_cast<G&&>(dy)) * detail::to_mean_type(static_cast<W&&>(gamma)), epsilon);
}
/// How an error dy at y = softmax(x) along the last axis goes back to x.
template <array_like Y, array_like G> auto softmax_gradient(Y&& y, G&& dy) {
  auto own = detail::to_mean_type(static_cast<Y&&>(y));
  auto error = detail::to_mean_type(static_cast<G&&>(dy));
  auto along = tg::sum<detail::last_axis_of<Y>>(error * own, keep);
  return std::move(own) * (std::move(error) - std::move(along));
}
/// How an error dy at y = log_softmax(x) along the last axis goes back to x.
template <array_like Y, array_like G> auto log_softmax_gradient(Y&& y, G&& dy) {
  auto error = detail::to_mean_type(static_cast<G&&>(dy));
  auto total = tg::sum<detail::last_axis_of<Y>>(error, keep);
  return std::move(error) - tg::exp(detail::to_mean_type(static_cast<Y&&>(y))) * std::move(total);
}

}  // namespace tg
