// Data-dependent addresses, said aloud.
#pragma once

#include <tg/dsl/value/value.hpp>

namespace tg {

/// An index that comes from data: nothing is claimed about the requests it makes, but what the other indices of the access
/// add to it is judged, and so is the alignment of vectors. See `gather` and `scatter`.
template <scalar_type T, long long Multiple = 1> struct data_index {
  static constexpr long long multiple = Multiple;

  ptx::operand operand;
};

/// Reads at an index that depends on data: `x(tg::gather(index(i)))`, `a(tg::gather(row(i)), column)`. Of a vector,
/// `x.vec<4>(tg::gather<4>(index(i)))` says that the index is a multiple of 4 where its own instructions do not.
/// Requires: a multiple of Multiple in every lane.
template <long long Multiple = 1, device_value X> auto gather(const X& x) {
  using T = device_type_of<X>;
  static_assert(Multiple > 0, "TG126: tg::gather needs a positive number");
  (void)sizeof(diagnosis::integer_index < is_integer<T> && is_arithmetic<T>, T >);
  return data_index<T, (Multiple > 0 ? Multiple : 1)>{x.get().operand};
}

/// An index that is known is no gather. Returns: the index.
template <long long Multiple = 1, class X> requires(host_number<X> || is_constant<X>)
constexpr X gather(const X& x) {
  return x;
}

/// Writes at an index that depends on data: `y(tg::scatter(index(i))) = v`.
template <long long Multiple = 1, operand_like X> auto scatter(const X& x) { return gather<Multiple>(x); }

/// Whether X is the index that `gather` or `scatter` makes.
template <class X> inline constexpr bool is_data_index = false;
template <class T, long long M> inline constexpr bool is_data_index<data_index<T, M>> = true;

/// What can stand between the parentheses of an access.
template <class X>
concept index_like = device_value<X> || std::is_integral_v<X> || is_constant<X> || is_data_index<X>;

}  // namespace tg
