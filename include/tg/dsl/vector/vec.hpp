// Values that travel together through memory.
#pragma once

#include <tg/base/fixed_array.hpp>
#include <tg/base/integer_sequence.hpp>
#include <tg/dsl/value/dense.hpp>

namespace tg {

/// N values of type T in registers, the result of a vector load or the source of a vector store. Elements of 8 and 16
/// bits lie side by side in 32-bit registers, so that 16 bytes of them are one access too.
template <scalar_type T, int N> struct vec {
  using vector_type = T;
  static constexpr int size = N;

  /// Elements in a register, and registers.
  static constexpr int per_part = sizeof(T) >= 4 ? 1 : N * int(sizeof(T)) <= 4 ? N : 4 / int(sizeof(T));
  static constexpr int part_count = N / per_part;

  fixed_array<ptx::operand, part_count> parts;

  TG_ALWAYS_INLINE vec(const fixed_array<ptx::operand, part_count>& computed) : parts(computed) {}
  vec(const vec&) = default;

  // There is none without numbers, and it is not assigned. Errors: TG127.
  vec() { (void)sizeof(diagnosis::made_value<sizeof(T) == 0, vec>); }
  void operator=(const vec&) { (void)sizeof(diagnosis::fixed_value<sizeof(T) == 0, vec>); }

  TG_ALWAYS_INLINE const vec& get() const { return *this; }

  /// Element `i`. Errors: TG119 when it is outside.
  template <class I>
  value<T> operator()(I) const requires is_constant<I>
  {
    using found = diagnosis::register_index<(I::value >= 0 && I::value < N), diagnosis::types<vec, I>>;
    if constexpr (diagnosis::is_ok<sizeof(found), found>) return element(I::value);
    else return {ptx::operand{}};
  }
  value<T> operator()(int i) const {
    if (i < 0 || i >= N) detail::refuse_position("vector", i, N, "keep the index inside the vector");
    return element(i);
  }

 private:
  value<T> element(int i) const {
    const ptx::operand part = parts[static_cast<std::size_t>(i / per_part)];
    if constexpr (sizeof(T) >= 4) return {part};
    else return {detail::from_word<T>(part, i % per_part)};
  }
};

namespace detail {

/// A vector whose registers are filled in next.
template <class Vector> TG_ALWAYS_INLINE Vector unfilled() { return {fixed_array<ptx::operand, Vector::part_count>{}}; }

/// The vector of these registers, of which each holds one element.
template <class T, std::size_t N> vec<T, int(N)> to_vec(const fixed_array<ptx::operand, N>& elements) {
  using vector = vec<T, int(N)>;
  if constexpr (sizeof(T) >= 4) {
    return {elements};
  } else {
    fixed_array<ptx::operand, vector::part_count> parts;
    for (std::size_t k = 0; k < parts.size(); ++k) parts[k] = to_word<T>(&elements[k * vector::per_part], vector::per_part);
    return {parts};
  }
}

}  // namespace detail

namespace detail {

template <class X>
concept vector_like = requires(const X& x) { typename std::remove_cvref_t<decltype(x.get())>::vector_type; };

template <class A, class B>
concept with_vector = vector_like<A> || vector_like<B>;

template <class A, class B> auto refuse_arithmetic(const A& a, const B& b) {
  (void)sizeof(diagnosis::vector_arithmetic<sizeof(A) == 0, diagnosis::types<A, B>>);
  if constexpr (vector_like<A>) return a.get();
  else return b.get();
}

}  // namespace detail

// Errors: TG185.
template <class A, class B> requires detail::with_vector<A, B>
auto operator+(const A& a, const B& b) {
  return detail::refuse_arithmetic(a, b);
}
template <class A, class B> requires detail::with_vector<A, B>
auto operator-(const A& a, const B& b) {
  return detail::refuse_arithmetic(a, b);
}
template <class A, class B> requires detail::with_vector<A, B>
auto operator*(const A& a, const B& b) {
  return detail::refuse_arithmetic(a, b);
}
template <class A, class B> requires detail::with_vector<A, B>
auto operator/(const A& a, const B& b) {
  return detail::refuse_arithmetic(a, b);
}

namespace detail {

/// The type of number that an X is, or holds on the device.
template <class X> struct number_in { using type = X; };
template <device_value X> struct number_in<X> { using type = device_type_of<X>; };

/// The type of a vector of values and C++ numbers: of the first value, or of the first number, where there is none.
template <class First, class... More> consteval auto pick_vector_element() {
  if constexpr (!device_value<First> && (device_value<More> || ...)) return pick_vector_element<More...>();
  else return std::type_identity<typename number_in<First>::type>{};
}
template <class T, class X>
inline constexpr bool is_number_or = !device_value<X> || std::is_same_v<typename number_in<X>::type, T>;

template <class... X>
concept vector_elements = (operand_like<X> && ...) && ((device_value<X> || ...) || (host_number<X> && ...));

}  // namespace detail

/// A vector of the given values: `y.vec<2>(i) = tg::make_vec(a, 1.0f);`. Requires: device values of one type, and C++ numbers
/// that fit it. Errors: TG101, TG102.
template <class First, class... Rest> requires detail::vector_elements<First, Rest...>
auto make_vec(const First& first, const Rest&... rest) {
  using T = typename decltype(detail::pick_vector_element<First, Rest...>())::type;
  (void)sizeof(diagnosis::same_types < detail::is_number_or<T, First> && (detail::is_number_or<T, Rest> && ...),
               diagnosis::types < typename detail::number_in<First>::type, typename detail::number_in<Rest>::type... >>);
  return detail::to_vec<T>(
      fixed_array<ptx::operand, 1 + sizeof...(Rest)>{detail::to_value<T>(first).operand, detail::to_value<T>(rest).operand...});
}

/// `f` applied to corresponding elements: `tg::map([](auto a, auto b) { return a + b; }, u, v)`.
template <class F, detail::vector_like First, class... More> auto map(F&& f, const First& first, const More&... more) {
  using vector = std::remove_cvref_t<decltype(first.get())>;
  const auto at = [&](auto i) { return f(first.get()(i), more.get()(i)...); };
  return [&]<int... I>(detail::integer_sequence<int, I...>) {
    return make_vec(at(constant<I>{})...);
  }(detail::make_integer_sequence<int, vector::size>{});
}

}  // namespace tg
