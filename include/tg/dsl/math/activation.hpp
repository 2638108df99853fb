// Activation functions of networks.
//
// Source of the tanh form of gelu: Hendrycks and Gimpel, "Gaussian Error Linear Units", 2016; with
// (1 + tanh z) / 2 = 1 / (1 + exp(-2 z)).
#pragma once

#include <tg/dsl/math/approx.hpp>
#include <tg/dsl/math/erf.hpp>
#include <tg/dsl/math/exp.hpp>
#include <tg/dsl/math/reciprocal.hpp>

namespace tg {

namespace detail {

// The z of gelu_tanh, twice: sqrt(8 / pi) * (x + 0.044715 x^3).
template <class X> auto doubled_gelu_argument(const X& x) {
  return x * tg::fma(x * x, 0.07135481282630825f, 1.5957691216057308f);
}

}  // namespace detail

/// max(x, 0); 0 for NaN. PTX: max.
template <device_value X> auto relu(const X& x) { return tg::max(detail::float_operand(x), device_type_of<X>{}); }

/// x where it is above 0, else slope * x; NaN for NaN.
template <device_value X, class S> auto leaky_relu(const X& x, const S& slope) {
  const auto own = detail::float_operand(x);
  return tg::select(own > device_type_of<X>{}, own, own * slope);
}

/// 1 / (1 + exp(-x)). Units: within 4 ulp.
template <device_value X> auto sigmoid(const X& x) {
  const auto own = detail::float_operand(x);
  return tg::rcp(device_type_of<X>{1} + tg::exp(-own));
}

/// x / (1 + exp(-x)); NaN for minus infinity. Units: within 5 ulp.
template <device_value X> auto silu(const X& x) {
  const auto own = detail::float_operand(x);
  return own * tg::sigmoid(own);
}

/// x times the share of a normal distribution that lies below x: x / 2 * (1 + erf(x / sqrt 2)). Units: within 6 + x^2 ulp.
template <device_value X> auto gelu(const X& x) {
  using T = device_type_of<X>;
  const auto own = detail::float_operand(x);
  return own * T(0.5) * tg::erfc(own * T(-0.70710678118654752440));
}

/// x / 2 * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 x^3))): within 5e-4 of `gelu`. Float. Units: within 6 + 2 x^2 ulp of itself.
template <device_value X> auto gelu_tanh(const X& x) {
  const auto own = detail::float_operand(x);
  return own * tg::sigmoid(detail::doubled_gelu_argument(own));
}

/// silu(gate) * x: the gate of a feed-forward layer.
template <device_value G, device_value X> auto swiglu(const G& gate, const X& x) { return tg::silu(gate) * x; }
/// gelu(gate) * x.
template <device_value G, device_value X> auto geglu(const G& gate, const X& x) { return tg::gelu(gate) * x; }

// By ex2.approx and rcp.approx. Float.
namespace approx {

/// 1 / (1 + exp(-x)). Units: relative error within 2^-21 * (1 + |x|). PTX: ex2.approx, rcp.approx.
template <device_value X> auto sigmoid(const X& x) {
  const auto own = tg::detail::float_operand(x);
  return tg::approx::rcp(1.0f + tg::approx::exp2(own * -0x1.715476p0f));
}
/// x / (1 + exp(-x)); NaN for minus infinity. Units: as approx::sigmoid.
template <device_value X> auto silu(const X& x) {
  const auto own = tg::detail::float_operand(x);
  return own * tg::approx::sigmoid(own);
}
/// As tg::gelu_tanh. Units: relative error within 2^-21 * (2 + 4 x^2).
template <device_value X> auto gelu_tanh(const X& x) {
  const auto own = tg::detail::float_operand(x);
  return own * tg::approx::sigmoid(tg::detail::doubled_gelu_argument(own));
}

}  // namespace approx

}  // namespace tg
