// Axes that stand as arguments, as NumPy has them: each word says how they are written here. `tg::max(x, 1)` is not among
// them: it is the larger one of each element and 1.
#pragma once

// Before all others, so that compiler output about a diagnosis does not begin with a tower of headers.
#include <tg/array/diagnosis.hpp>

#include <concepts>

#include <tg/array/node.hpp>

namespace tg {

// Written out, because compilers print two more notes for what a macro made.

/// Does not compile: an axis is written `tg::sum<1>(x)`. Errors: TG713.
template <int... Axes, array_like X, std::integral Axis> auto sum(const X& x, Axis) {
  (void)sizeof(diagnosis::axis_as_argument<sizeof(X) == 0>);
  return x.node();
}
/// Does not compile: an axis is written `tg::product<1>(x)`. Errors: TG713.
template <int... Axes, array_like X, std::integral Axis> auto product(const X& x, Axis) {
  (void)sizeof(diagnosis::axis_as_argument<sizeof(X) == 0>);
  return x.node();
}
/// Does not compile: an axis is written `tg::any<1>(x)`. Errors: TG713.
template <int... Axes, array_like X, std::integral Axis> auto any(const X& x, Axis) {
  (void)sizeof(diagnosis::axis_as_argument<sizeof(X) == 0>);
  return x.node();
}
/// Does not compile: an axis is written `tg::all<1>(x)`. Errors: TG713.
template <int... Axes, array_like X, std::integral Axis> auto all(const X& x, Axis) {
  (void)sizeof(diagnosis::axis_as_argument<sizeof(X) == 0>);
  return x.node();
}
/// Does not compile: an axis is written `tg::argmax<1>(x)`. Errors: TG713.
template <int... Axes, array_like X, std::integral Axis> auto argmax(const X& x, Axis) {
  (void)sizeof(diagnosis::axis_as_argument<sizeof(X) == 0>);
  return x.node();
}
/// Does not compile: an axis is written `tg::argmin<1>(x)`. Errors: TG713.
template <int... Axes, array_like X, std::integral Axis> auto argmin(const X& x, Axis) {
  (void)sizeof(diagnosis::axis_as_argument<sizeof(X) == 0>);
  return x.node();
}
/// Does not compile: an axis is written `tg::mean<1>(x)`. Errors: TG713.
template <int... Axes, array_like X, std::integral Axis> auto mean(const X& x, Axis) {
  (void)sizeof(diagnosis::axis_as_argument<sizeof(X) == 0>);
  return x.node();
}
/// Does not compile: an axis is written `tg::variance<1>(x)`. Errors: TG713.
template <int... Axes, array_like X, std::integral Axis> auto variance(const X& x, Axis) {
  (void)sizeof(diagnosis::axis_as_argument<sizeof(X) == 0>);
  return x.node();
}
/// Does not compile: an axis is written `tg::norm<1>(x)`. Errors: TG713.
template <int... Axes, array_like X, std::integral Axis> auto norm(const X& x, Axis) {
  (void)sizeof(diagnosis::axis_as_argument<sizeof(X) == 0>);
  return x.node();
}
/// Does not compile: an axis is written `tg::logsumexp<1>(x)`. Errors: TG713.
template <int... Axes, array_like X, std::integral Axis> auto logsumexp(const X& x, Axis) {
  (void)sizeof(diagnosis::axis_as_argument<sizeof(X) == 0>);
  return x.node();
}
/// Does not compile: an axis is written `tg::softmax<1>(x)`. Errors: TG713.
template <int... Axes, array_like X, std::integral Axis> auto softmax(const X& x, Axis) {
  (void)sizeof(diagnosis::axis_as_argument<sizeof(X) == 0>);
  return x.node();
}
/// Does not compile: an axis is written `tg::log_softmax<1>(x)`. Errors: TG713.
template <int... Axes, array_like X, std::integral Axis> auto log_softmax(const X& x, Axis) {
  (void)sizeof(diagnosis::axis_as_argument<sizeof(X) == 0>);
  return x.node();
}
/// Does not compile: an axis is written `tg::cumsum<1>(x)`. Errors: TG713.
template <int... Axes, array_like X, std::integral Axis> auto cumsum(const X& x, Axis) {
  (void)sizeof(diagnosis::axis_as_argument<sizeof(X) == 0>);
  return x.node();
}

}  // namespace tg
