// Scans along an axis: the sum, product, largest or smallest of the elements up to each element.
#pragma once

#include <tg/array/reduce.hpp>

namespace tg {

namespace detail {

template <class Op, int... Axis, class X> auto scan_along(X&& x) {
  return with_axes<Axis...>(static_cast<X&&>(x), []<class A>(A&& a, auto mask) {
    using found = diagnosis::array_axis<count_bits(mask.value) == 1, diagnosis::types<diagnosis::rank_of_array<A::rank>>>;
    if constexpr (diagnosis::is_ok<sizeof(found), found>) return array_reduction<Op, mask.value, A, true>(static_cast<A&&>(a));
    else return A(a);
  });
}

}  // namespace detail

/// The sums of the elements up to each element along an axis, that one included: `tg::cumsum<1>(x)`, of a line
/// `tg::cumsum(x)`; `tg::cumsum<1>(x) - x` are
/// those without it. Halves and bytes are added in float, small integers in 32 bits, and give that. It is part of its
/// expression's kernel: `y = tg::cumsum<1>(tg::softmax<1>(x))`. Cost: each element is read once and written
/// once; rows that fit no block are shared by blocks, but not in a graph, nor beside another reduction.
/// Errors: TG705, TG712, TG713, TG721.
template <int... Axis, array_like X> auto cumsum(X&& x) {
  return detail::scan_along<detail::sum_reduction, Axis...>(static_cast<X&&>(x));
}
/// The products of the elements up to each.
template <int... Axis, array_like X> auto cumprod(X&& x) {
  return detail::scan_along<detail::product_reduction, Axis...>(static_cast<X&&>(x));
}
/// The largest of the elements up to each; of those that are numbers.
template <int... Axis, array_like X> auto cummax(X&& x) {
  return detail::scan_along<detail::max_reduction, Axis...>(static_cast<X&&>(x));
}
/// The smallest of the elements up to each.
template <int... Axis, array_like X> auto cummin(X&& x) {
  return detail::scan_along<detail::min_reduction, Axis...>(static_cast<X&&>(x));
}

}  // namespace tg
