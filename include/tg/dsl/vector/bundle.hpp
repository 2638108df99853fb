// Structs of values: what several values of a thread become together.
#pragma once

#include <type_traits>

#include <tg/base/integer_sequence.hpp>
#include <tg/dsl/math/math.hpp>

namespace tg {

namespace detail {

/// The most fields that a struct is taken apart into.
inline constexpr std::size_t most_fields = 8;

/// Stands for any value when the fields of a struct are counted.
struct any_field { template <class T, class Form> operator value<T, Form>() const; };

template <class S, class Numbers> inline constexpr bool has_fields = false;
template <class S, std::size_t... N>
inline constexpr bool has_fields<S, detail::index_sequence<N...>> = requires { S{((void)N, any_field{})...}; };

template <class S, std::size_t N = most_fields> constexpr std::size_t field_count() {
  if constexpr (N == 0 || has_fields<S, detail::make_index_sequence<N>>) return N;
  else return field_count<S, N - 1>();
}

/// `f` called with all `count` fields of `s`.
template <std::size_t count, class S, class F> decltype(auto) with_count(S& s, F&& f) {
  if constexpr (count == 1) {
    auto& [a] = s;
    return f(a);
  } else if constexpr (count == 2) {
    auto& [a, b] = s;
    return f(a, b);
  } else if constexpr (count == 3) {
    auto& [a, b, c] = s;
    return f(a, b, c);
  } else if constexpr (count == 4) {
    auto& [a, b, c, d] = s;
    return f(a, b, c, d);
  } else if constexpr (count == 5) {
    auto& [a, b, c, d, e] = s;
    return f(a, b, c, d, e);
  } else if constexpr (count == 6) {
    auto& [a, b, c, d, e, g] = s;
    return f(a, b, c, d, e, g);
  } else if constexpr (count == 7) {
    auto& [a, b, c, d, e, g, h] = s;
    return f(a, b, c, d, e, g, h);
  } else {
    auto& [a, b, c, d, e, g, h, i] = s;
    return f(a, b, c, d, e, g, h, i);
  }
}

/// Whether S is a struct of values with other means to take it apart, `with_fields`.
template <class S> inline constexpr bool is_flat_struct = false;

/// `f` called with all fields of `s`.
template <class S, class F> decltype(auto) with_fields(S& s, F&& f) {
  if constexpr (is_flat_struct<std::remove_const_t<S>>) return s.with_fields(f);
  else return with_count<field_count<std::remove_const_t<S>>()>(s, f);
}

}  // namespace detail

/// A struct of one to eight values, `struct best { tg::value<float> value; tg::value<unsigned> index; };`, or what an
/// element of structs holds (struct_value.hpp).
template <class S>
concept bundle = detail::is_flat_struct<S> || (std::is_aggregate_v<S> && !device_value<S> && detail::field_count<S>() > 0);

namespace detail {

/// `f(field)` of each field, as a struct again.
template <bundle S, class F> S each_field(const S& s, F&& f) {
  return with_fields(s, [&](const auto&... x) { return S{f(x)...}; });
}

/// `f(field of a, field of b)`, as a struct again.
template <bundle S, class F> S each_pair(const S& a, const S& b, F&& f) {
  return with_fields(a, [&](const auto&... x) { return with_fields(b, [&](const auto&... y) { return S{f(x, y)...}; }); });
}

/// `s` becomes `by`: values of this program, not of the kernel.
template <bundle S> void replace(S& s, const S& by) {
  with_fields(s, [&](auto&... x) { with_fields(by, [&](const auto&... y) { ((x.operand = y.operand), ...); }); });
}

template <bundle S> S select_bundle(const value<bool>& c, const S& a, const S& b) {
  return each_pair(a, b, [&](const auto& x, const auto& y) { return tg::select(c, x, y); });
}

}  // namespace detail

}  // namespace tg
