// Data-dependent addresses, said aloud.
#pragma once

#include <tg/dsl/value.hpp>

namespace tg {

/// An index that comes from data: nothing is claimed about the requests it makes. See `gather` and `scatter`.
template <scalar_type T>
struct data_index {
  ptx::operand operand;
};

/// Reads at an index that depends on data: `x(tg::gather(index(i)))`.
template <device_value X>
auto gather(const X& x) {
  using T = device_type_of<X>;
  (void)sizeof(diagnosis::integer_index<is_integer<T> && is_arithmetic<T>, T>);
  return data_index<T>{x.get().operand};
}

/// Writes at an index that depends on data: `y(tg::scatter(index(i))) = v`.
template <device_value X>
auto scatter(const X& x) {
  return gather(x);
}

template <class X> inline constexpr bool is_data_index = false;
template <class T> inline constexpr bool is_data_index<data_index<T>> = true;

/// What can stand between the parentheses of an access.
template <class X>
concept index_like = device_value<X> || std::is_integral_v<X> || is_constant<X> || is_data_index<X>;

}  // namespace tg
