// A number in a register of the kernel.
#pragma once

#include <concepts>
#include <limits>
#include <string>
#include <type_traits>

#include <tg/base/constant.hpp>
#include <tg/dsl/diagnosis.hpp>
#include <tg/dsl/index/form.hpp>
#include <tg/dsl/tracer.hpp>
#include <tg/dsl/type.hpp>

namespace tg {

/// A computed number of type T, fixed once computed. `Form` is what the compiler knows about it as an index.
template <scalar_type T, class Form = index::data>
struct value {
  using device_type = T;
  using form = Form;

  ptx::operand operand;

  const value& get() const { return *this; }

  /// A device value has no truth while C++ runs. Errors: TG114.
  template <class Dummy = T>
  explicit operator bool() const {
    return sizeof(diagnosis::host_condition<!std::is_same_v<Dummy, T>, value>) != 0;
  }
};

/// A value, variable, element or scalar parameter: anything with a device type that can be read.
template <class X>
concept device_value = requires(const std::remove_cvref_t<X>& x) {
  typename std::remove_cvref_t<X>::device_type;
  x.get();
};

/// A plain C++ number: a constant of this build of the kernel.
template <class X>
concept host_number = std::is_arithmetic_v<std::remove_cvref_t<X>>;

/// Anything that can stand beside a device value in an expression.
template <class X>
concept operand_like = device_value<X> || host_number<X> || is_constant<std::remove_cvref_t<X>>;

template <class X>
using device_type_of = typename std::remove_cvref_t<X>::device_type;

namespace detail {

template <class T>
ptx::operand immediate(T number) {
  if constexpr (std::is_same_v<T, float>) return ptx::operand::f32(number);
  else if constexpr (std::is_same_v<T, double>) return ptx::operand::f64(number);
  else if constexpr (sizeof(T) == 8) return ptx::operand::integer(static_cast<std::int64_t>(number));
  // Integers are written sign-extended from the 32 bits of their register.
  else return ptx::operand::integer(static_cast<std::int32_t>(static_cast<std::uint32_t>(number)));
}

template <class T, class N>
T checked_number(N number) {
  const bool negative = number < N{};
  const bool fits = negative ? std::is_signed_v<T> &&
                                   static_cast<long long>(number) >= static_cast<long long>(std::numeric_limits<T>::min())
                             : static_cast<unsigned long long>(number) <=
                                   static_cast<unsigned long long>(std::numeric_limits<T>::max());
  if (!fits)
    throw error(code{122}, "the C++ number " + std::to_string(number) + " does not fit the device type it meets",
                "use a number between " + std::to_string(std::numeric_limits<T>::min()) + " and " +
                    std::to_string(std::numeric_limits<T>::max()));
  return static_cast<T>(number);
}

/// `x` as a value of type T: device values must have that type, C++ numbers must fit it.
template <class T, class X>
auto to_value(const X& x) {
  if constexpr (device_value<X>) {
    return x.get();
  } else if constexpr (is_constant<X>) {
    constexpr bool fits = is_integer<T> && (X::value >= 0 || std::is_signed_v<T> || X::value >= -(1ll << 31));
    (void)sizeof(diagnosis::literal_fits<fits, diagnosis::types<T, X>>);
    return value<T, index::number<X::value>>{immediate<T>(static_cast<T>(X::value))};
  } else {
    constexpr bool fits = std::is_same_v<T, X> || (is_integer<T> && is_integer<X>);
    (void)sizeof(diagnosis::literal_fits<fits, diagnosis::types<T, X>>);
    if constexpr (!fits) return value<T>{};
    else if constexpr (std::is_same_v<T, bool>)
      return value<bool>{tracer::current().compute(ptx::token::pred, ptx::opcode::setp, {ptx::token::ne, ptx::token::u32},
                                                   {ptx::operand::integer(x), ptx::operand::integer(0)})};
    else if constexpr (is_float<T>) return value<T>{immediate<T>(x)};
    else return value<T, index::traced>{immediate<T>(checked_number<T>(x))};
  }
}

/// The device type of two operands of which one at least is a device value; void when they differ.
template <class A, class B>
struct joint {
  static consteval auto pick() {
    if constexpr (device_value<A> && device_value<B>) {
      constexpr bool same = std::is_same_v<device_type_of<A>, device_type_of<B>>;
      (void)sizeof(diagnosis::same_types<same, diagnosis::types<device_type_of<A>, device_type_of<B>>>);
      return std::type_identity<device_type_of<A>>{};
    } else if constexpr (device_value<A>) {
      return std::type_identity<device_type_of<A>>{};
    } else {
      return std::type_identity<device_type_of<B>>{};
    }
  }
  using type = typename decltype(pick())::type;
};
template <class A, class B>
using joint_type = typename joint<std::remove_cvref_t<A>, std::remove_cvref_t<B>>::type;

template <class A, class B>
concept operands = operand_like<A> && operand_like<B> && (device_value<A> || device_value<B>);

}  // namespace detail

}  // namespace tg
