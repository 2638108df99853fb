// A number in a register of the kernel.
#pragma once

#include <concepts>
#include <type_traits>

#include <tg/base/config.hpp>
#include <tg/base/constant.hpp>
#include <tg/base/held.hpp>
#include <tg/base/limits.hpp>
#include <tg/dsl/index/form.hpp>
#include <tg/dsl/recorder/refusal.hpp>
#include <tg/dsl/recorder/tracer.hpp>
#include <tg/dsl/value/type.hpp>
#include <tg/dsl/verdict/diagnosis.hpp>

namespace tg {

namespace detail {

namespace held {

/// What is computed once: each assignment is an error that names the variable to write instead. Errors: TG127.
struct fixed_number {
  template <class X> void operator+=(const X&) const { refuse<X>(); }
  template <class X> void operator-=(const X&) const { refuse<X>(); }
  template <class X> void operator*=(const X&) const { refuse<X>(); }
  template <class X> void operator/=(const X&) const { refuse<X>(); }
  template <class X> void operator%=(const X&) const { refuse<X>(); }
  template <class X> void operator&=(const X&) const { refuse<X>(); }
  template <class X> void operator|=(const X&) const { refuse<X>(); }
  template <class X> void operator^=(const X&) const { refuse<X>(); }
  template <class X> void operator<<=(const X&) const { refuse<X>(); }
  template <class X> void operator>>=(const X&) const { refuse<X>(); }
  template <class X = int> void operator++() const { refuse<X>(); }
  template <class X = int> void operator--() const { refuse<X>(); }
  template <std::same_as<int> X> void operator++(X) const { refuse<X>(); }
  template <std::same_as<int> X> void operator--(X) const { refuse<X>(); }

 private:
  template <class X> static void refuse() { (void)sizeof(diagnosis::fixed_value<sizeof(X) == 0, X>); }
};

/// Refuses what reads a device value as a number of the host: `float s = x(i);`, `c ? a : b`, `std::exp(x(i))`, `switch (v)`,
/// a C++ array at `v`, `f<n>(x)`. Errors: TG114.
template <class T> struct unknown_to_host {
  // A constant, so that compilers read the body where a template argument asks for the number; 64 fits what asks.
  constexpr operator T() const {
    (void)sizeof(diagnosis::host_condition<sizeof(T) == 0>);
    return static_cast<T>(64);
  }
  template <class Dummy = T> explicit operator bool() const {
    return sizeof(diagnosis::host_condition<sizeof(Dummy) == 0>) != 0;
  }
};

/// Refuses `x[i]` of an `Own` whose elements are written `x(i)`. Errors: TG181.
template <class Own> struct read_by_call {
  template <class I> decltype(auto) operator[](const I& i) const {
    (void)sizeof(diagnosis::call_brackets<sizeof(I) == 0, I>);
    return static_cast<const Own&>(*this)(i);
  }
};

}  // namespace held

}  // namespace detail

/// A computed number of type T, fixed once computed. `Form` is what the compiler knows about it as an index.
template <scalar_type T, class Form = index::data> struct value : detail::fixed_number, detail::unknown_to_host<T> {
  using device_type = T;
  using form = Form;

  ptx::operand operand;

  TG_ALWAYS_INLINE value(const ptx::operand& computed) : operand(computed) {}
  value(const value&) = default;

  // There is none without a number, and it is not assigned. Errors: TG127.
  value() { (void)sizeof(diagnosis::made_value<sizeof(T) == 0, value>); }
  void operator=(const value&) { (void)sizeof(diagnosis::fixed_value<sizeof(T) == 0, value>); }
  template <class X> void operator=(const X&) { (void)sizeof(diagnosis::fixed_value<sizeof(X) == 0, value>); }
  template <class X> void operator=(const X&) const { (void)sizeof(diagnosis::fixed_value<sizeof(X) == 0, value>); }

  TG_ALWAYS_INLINE const value& get() const { return *this; }

  /// This number as one of which nothing is known as an index, which is what members and parameters hold that take any T.
  template <std::same_as<index::data> Any> operator value<T, Any>() const { return {operand}; }
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
concept operand_like =
    device_value<X> || host_number<X> || is_constant<std::remove_cvref_t<X>> || is_narrow<std::remove_cvref_t<X>>;

/// The type of number that a device value holds: float of `value<float>`.
template <class X> using device_type_of = typename std::remove_cvref_t<X>::device_type;

namespace detail {

template <class T> constexpr ptx::operand immediate(T number) {
  if constexpr (is_narrow<T>) {
    std::uint32_t bits = 0;
    __builtin_memcpy(&bits, &number, sizeof(T));
    return ptx::operand::integer(bits_type<T> == ptx::token::b16 ? static_cast<std::int16_t>(bits)
                                                                 : static_cast<std::int32_t>(bits));
  } else if constexpr (std::is_same_v<T, float>) return ptx::operand::f32(number);
  else if constexpr (std::is_same_v<T, double>) return ptx::operand::f64(number);
  else if constexpr (sizeof(T) == 8) return ptx::operand::integer(static_cast<std::int64_t>(number));
  // Integers are written sign-extended from the 32 bits of their register.
  else return ptx::operand::integer(static_cast<std::int32_t>(static_cast<std::uint32_t>(number)));
}

template <class T, class N> T checked_number(N number) {
  const bool negative = number < N{};
  const bool fits = negative ? std::is_signed_v<T> && static_cast<long long>(number) >= static_cast<long long>(least_integer<T>)
                             : static_cast<unsigned long long>(number) <= static_cast<unsigned long long>(largest_integer<T>);
  if (!fits) refuse_number(number, least_integer<T>, largest_integer<T>);
  return static_cast<T>(number);
}

// Whether a C++ number or constant may stand where a T is wanted; that a number fits is checked when recording.
template <class T, class X> constexpr bool is_literal_of() {
  if constexpr (is_constant<X>) {
    if constexpr (!is_integer<T>) return false;
    else if constexpr (sizeof(T) == 8) return true;
    else
      return X::value <= static_cast<long long>(largest_integer<T>) &&
             X::value >= (sizeof(T) == 4 ? -(1ll << 31) : static_cast<long long>(least_integer<T>));
  } else {
    return std::is_same_v<T, X> || (is_integer<T> && is_integer<X>);
  }
}

template <class X> constexpr bool is_readable() {
  if constexpr (requires { X::is_readable; }) return X::is_readable;
  else return true;
}

/// The first thing that is wrong with `X` where a T is read, as a diagnosis.
template <class T, class X> constexpr auto check_operand() {
  if constexpr (!is_readable<X>()) return std::type_identity<diagnosis::readable<false, X>>{};
  else if constexpr (device_value<X>) return std::type_identity<diagnosis::none>{};
  else if constexpr (!is_literal_of<T, X>())
    return std::type_identity<diagnosis::literal_fits<false, diagnosis::types<T, X>>>{};
  else return std::type_identity<diagnosis::none>{};
}

/// `x` as a value of type T: device values must have that type, C++ numbers must fit it.
template <class T, class X> TG_ALWAYS_INLINE auto to_value(const X& x) {
  if constexpr (device_value<X>) {
    return x.get();
  } else if constexpr (is_constant<X>) {
    constexpr bool fits = is_literal_of<T, X>();
    (void)sizeof(diagnosis::literal_fits<fits, diagnosis::types<T, X>>);
    return value<T, index::number<X::value>>{immediate<T>(static_cast<T>(X::value))};
  } else {
    constexpr bool fits = is_literal_of<T, X>();
    (void)sizeof(diagnosis::literal_fits<fits, diagnosis::types<T, X>>);
    if constexpr (!fits) return value<T>{ptx::operand{}};
    else if constexpr (std::is_same_v<T, bool>) return value<bool>{tracer::current().is_not_zero(ptx::operand::integer(x))};
    else if constexpr (is_float<T>) return value<T>{immediate<T>(x)};
    // An instruction on halves takes registers only.
    else if constexpr (is_narrow<T>) return value<T>{tracer::current().copy(register_type<T>, move_type<T>, immediate<T>(x))};
    else return value<T, index::traced>{immediate<T>(checked_number<T>(x))};
  }
}

/// The form of what `to_value<T>` makes of an X.
template <class T, class X> struct operand_form { using type = std::conditional_t<is_integer<T>, index::traced, index::data>; };
template <class T, long long N> struct operand_form<T, constant<N>> { using type = index::number<N>; };
template <class T, device_value X> struct operand_form<T, X> {
  using type = typename std::remove_cvref_t<decltype(std::declval<const X&>().get())>::form;
};

/// `x` where a T is wanted. Requires: `check_operand<T, X>` found nothing.
template <class T, class X> TG_ALWAYS_INLINE ptx::operand operand_of(const X& x) {
  if constexpr (device_value<X>) {
    return x.get().operand;
  } else if constexpr (is_constant<X>) {
    constexpr ptx::operand number = immediate<T>(static_cast<T>(X::value));
    return number;
  } else {
    return to_value<T>(x).operand;
  }
}

template <class T, class Form> TG_ALWAYS_INLINE const ptx::operand& operand_of(const value<T, Form>& x) { return x.operand; }

/// The device type of two operands of which one at least is a device value; void when they differ.
template <class A, class B> struct joint {
  static consteval auto pick() {
    if constexpr (device_value<A> && device_value<B>) {
      constexpr bool same = is_same_number<device_type_of<A>, device_type_of<B>>;
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
template <class A, class B> using joint_type = typename joint<std::remove_cvref_t<A>, std::remove_cvref_t<B>>::type;

/// The device type of the first operand that has one; for use after a check.
template <class A, class B>
using first_type = typename std::conditional_t<device_value<A>, std::remove_cvref_t<A>, std::remove_cvref_t<B>>::device_type;

/// What an operation asks of its operands.
enum class demand { arithmetic, division, integers, bits, order, logic };

template <demand D, class T>
inline constexpr bool meets = D == demand::arithmetic ? is_arithmetic<T>
                              : D == demand::division ? is_arithmetic<T> && !is_narrow<T>
                              : D == demand::integers ? is_integer<T> && is_arithmetic<T>
                              : D == demand::bits     ? is_integer<T> || std::is_same_v<T, bool>
                              : D == demand::order    ? is_ordered<T>
                                                      : std::is_same_v<T, bool>;

/// The first thing that is wrong with two operands of one type, as a diagnosis. Checked in one place, so that it is one
/// step from the line of the user and one error.
template <demand D, class A, class B> struct operand_check {
  static consteval auto pick() {
    using T = first_type<A, B>;
    constexpr bool both = device_value<A> && device_value<B>;
    constexpr auto same = [] {
      if constexpr (both) return is_same_number<device_type_of<A>, device_type_of<B>>;
      else return true;
    }();
    if constexpr (!is_readable<A>()) return check_operand<T, A>();
    else if constexpr (!is_readable<B>()) return check_operand<T, B>();
    else if constexpr (D == demand::logic && !(same && meets<D, T>))
      return std::type_identity<diagnosis::condition<false, diagnosis::types<A, B>>>{};
    else if constexpr (!same)
      return std::type_identity<diagnosis::same_types<false, diagnosis::types<device_type_of<A>, device_type_of<B>>>>{};
    else if constexpr (!meets<D, T>) return std::type_identity<diagnosis::operation<false, T>>{};
    else if constexpr (!device_value<A>) return check_operand<T, A>();
    else return check_operand<T, B>();
  }
  using type = typename decltype(pick())::type;
};

// What most operands are, with nothing to find.
template <demand D, class T, class A, class B> requires meets<D, T>
struct operand_check<D, value<T, A>, value<T, B>> {
  using type = diagnosis::none;
};
template <demand D, class T, class A, long long N> requires(meets<D, T> && is_literal_of<T, constant<N>>())
struct operand_check<D, value<T, A>, constant<N>> {
  using type = diagnosis::none;
};

/// The first thing that is wrong with storing an `X` in a T, as a diagnosis.
template <class T, class X, bool Writable = true, class Destination = void> struct assignment_check {
  static consteval auto pick() {
    constexpr bool same = [] {
      if constexpr (device_value<X>) return is_same_number<device_type_of<X>, T>;
      else return true;
    }();
    if constexpr (!Writable) return std::type_identity<diagnosis::writable<false, Destination>>{};
    else if constexpr (is_readable<X>() && !same)
      return std::type_identity<diagnosis::assignable<false, diagnosis::types<T, device_type_of<X>>>>{};
    else return check_operand<T, X>();
  }
  using type = typename decltype(pick())::type;
};

template <class A, class B>
concept operands = operand_like<A> && operand_like<B> && (device_value<A> || device_value<B>);

}  // namespace detail

}  // namespace tg
