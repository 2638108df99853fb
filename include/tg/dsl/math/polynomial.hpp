// Polynomials with constant coefficients.
#pragma once

#include <tg/base/fixed_array.hpp>
#include <tg/dsl/math/math.hpp>

namespace tg {

/// c[0] + c[1]·x + c[2]·x² + …, by Horner's rule. `c` is a std::array or a tg::fixed_array. Requires: at least two
/// coefficients of x's type.
/// Cost: N − 1 fma, each waiting for the one before.
template <device_value X, template <class, std::size_t> class Array, std::size_t N>
value<device_type_of<X>> polynomial(const X& x, const Array<device_type_of<X>, N>& c) {
  static_assert(N >= 2);
  const auto at = x.get();
  auto sum = tg::fma(at, c[N - 1], c[N - 2]);
  for (std::size_t k = N - 2; k-- > 0;) sum.operand = tg::fma(sum, at, c[k]).operand;
  return sum;
}

}  // namespace tg
