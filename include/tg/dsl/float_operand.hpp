// The operand of a function that is defined for float and double only.
#pragma once

#include <tg/dsl/value.hpp>

namespace tg::detail {

/// `x`, read. Anything that is no float is one error and stands as a float from there on. Errors: TG106, TG110.
template <device_value X>
auto float_operand(const X& x) {
  using T = device_type_of<X>;
  using found = std::conditional_t<is_readable<X>(), diagnosis::operation<is_float<T>, T>, diagnosis::readable<is_readable<X>(), X>>;
  if constexpr (diagnosis::is_ok<sizeof(found), found>) return value<T>{x.get().operand};
  else return value<float>{ptx::operand{}};
}

}  // namespace tg::detail
