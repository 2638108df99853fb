// Scans along an axis: the sum, product, largest or smallest of the elements up to each element.
#pragma once

#include <tg/array/reduce.hpp>

namespace tg {

namespace detail {

template <class Op, int... Axis, class X> auto scan_along(const X& x) {
  return with_axes<Axis...>(x, []<class A>(const A& a, auto mask) {
    using found = diagnosis::array_axis<count_bits(mask.value) == 1, diagnosis::types<diagnosis::rank_of_array<A::rank>>>;
    if constexpr (diagnosis::is_ok<sizeof(found), found>) return array_reduction<Op, mask.value, A, true>(a);
    else return a;
  });
}

}  // namespace detail

/// The sums of the elements up to each element along an axis, that one included: `tg::cumsum<1>(x)`, of a line
/// `tg::cumsum(x)`; `tg::cumsum<1>(x) - x` are
/// those without it. Halves and bytes are added in float, small integers in 32 bits, and give that. It is part of its
/// expression's kernel: `y = tg::cumsum<1>(tg::softmax<1>(x))`. Cost: a row is one block's, so a single long row is slow.
/// Errors: TG705, TG712, TG713, TG721.
template <int... Axis, array_like X> auto cumsum(const X& x) { return detail::scan_along<detail::sum_reduction, Axis...>(x); }
/// The products of the elements up to each.
template <int... Axis, array_like X> auto cumprod(const X& x) {
  return detail::scan_along<detail::product_reduction, Axis...>(x);
}
/// The largest of the elements up to each; of those that are numbers.
template <int... Axis, array_like X> auto cummax(const X& x) { return detail::scan_along<detail::max_reduction, Axis...>(x); }
/// The smallest of the elements up to each.
template <int... Axis, array_like X> auto cummin(const X& x) { return detail::scan_along<detail::min_reduction, Axis...>(x); }

}  // namespace tg
