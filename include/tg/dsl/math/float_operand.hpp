// The operand of a function that is defined for float and double only.
#pragma once

#include <tg/dsl/value/value.hpp>

namespace tg::detail {

/// `x`, read. Anything that is no float is one error and stands as a float from there on. Errors: TG106, TG110.
template <device_value X> auto float_operand(const X& x) {
  using T = device_type_of<X>;
  using found =
      std::conditional_t<is_readable<X>(), diagnosis::operation<is_float<T>, T>, diagnosis::readable<is_readable<X>(), X>>;
  if constexpr (diagnosis::is_ok<sizeof(found), found>) return value<T>{x.get().operand};
  else return value<float>{ptx::operand{}};
}

/// Two operands of one float type: two device values, or one and a C++ number. Errors: TG101, TG102, TG106, TG110.
template <class A, class B> struct float_pair {
  using given = first_type<A, B>;
  using type = std::conditional_t<is_float<given>, given, float>;
  using found = typename operand_check<demand::arithmetic, A, B>::type;
  using defined = diagnosis::operation<is_float<given>, given>;

  /// Says what is wrong, where something is.
  static constexpr bool fits() {
    if constexpr (!diagnosis::is_ok<sizeof(found), found>) return false;
    else return diagnosis::is_ok<sizeof(defined), defined>;
  }
  template <class X> static value<type> read(const X& x) {
    if constexpr (fits()) return {to_value<type>(x).operand};
    else return {ptx::operand{}};
  }
};

}  // namespace tg::detail
