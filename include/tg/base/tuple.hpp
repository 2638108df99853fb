// A tuple that is cheap to compile. <tuple> brings <utility> and <compare> along, and std::tuple is a dozen functions for each
// list of types.
#pragma once

#include <tg/base/config.hpp>
#include <tg/base/integer_sequence.hpp>

namespace tg::detail {

template <std::size_t K, class T> struct tuple_part { T part; };

template <class Numbers, class... T> struct tuple_parts;
template <std::size_t... K, class... T> struct tuple_parts<index_sequence<K...>, T...> : tuple_part<K, T>... {};

/// One of each type, side by side: an aggregate, made by `{{{a}, {b}}}` or `to_tuple(a, b)`.
template <class... T> struct tuple : tuple_parts<index_sequence_for<T...>, T...> {};

template <class... T> constexpr tuple<T...> to_tuple(const T&... parts) { return {{{parts}...}}; }

template <std::size_t K, class T> TG_ALWAYS_INLINE constexpr const T& get(const tuple_part<K, T>& from) { return from.part; }

/// The type of part K.
template <std::size_t K, class T> tuple_part<K, T> part_of(const tuple_part<K, T>&);
template <std::size_t K, class Tuple> using tuple_element = decltype(decltype(part_of<K>(*static_cast<Tuple*>(nullptr)))::part);

/// `f(a, b, ...)` of the parts.
template <class F, std::size_t... K, class... T>
constexpr decltype(auto) apply(F&& f, const tuple_parts<index_sequence<K...>, T...>& parts) {
  return f(get<K>(parts)...);
}

}  // namespace tg::detail
