// The smooth form of relu.
#pragma once

#include <tg/dsl/math/exp.hpp>
#include <tg/dsl/math/log1p.hpp>

namespace tg {

/// ln(1 + exp(x)), without overflow; NaN for NaN. Requires: float or double. Units: within 4 ulp. Cost: an exponential and a
/// logarithm.
template <device_value X> auto softplus(const X& x) {
  const auto own = detail::float_operand(x);
  using T = device_type_of<decltype(own)>;
  const auto positive = tg::select(own > T{}, own, T{});
  return tg::select(own == own, positive + tg::log1p(tg::exp(-tg::abs(own))), own);
}

}  // namespace tg
