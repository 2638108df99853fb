// Conversions of whole vectors: two elements at a time where an instruction does so.
#pragma once

// Before all others, so that compiler output about a diagnosis does not begin with a tower of headers.
#include <tg/base/fixed_array.hpp>
#include <tg/dsl/verdict/diagnosis.hpp>

#include <tg/dsl/vector/packed.hpp>

namespace tg {

/// A `vec`, or what holds one: `x.vec<8>(i)`.
template <class V>
concept vector_value = requires(const V& v) { []<class T, int N>(const vec<T, N>&) {}(v.get()); };

namespace detail {

template <class To, class From, int N>
inline constexpr bool converts_in_pairs =
    N % 2 == 0 && is_narrow<packed<To>> && (is_narrow<packed<From>> || std::is_same_v<From, float>);

// Both as 32-bit registers, or as one that is filled in part.
template <class To, class From, int N>
inline constexpr bool has_same_parts = sizeof(To) <= 4 && sizeof(From) <= 4 && !std::is_same_v<To, bool> &&
                                       !std::is_same_v<From, bool> && N * sizeof(From) % sizeof(To) == 0;

}  // namespace detail

/// The bits of a vector as elements of another type: the eight halves of `v` are four pairs,
/// `tg::bit_cast<tg::f16x2>(v)`, or four words for dp4a, `tg::bit_cast<unsigned>(v)`. Requires: types of 1 to 4 bytes,
/// not bool, that fill the vector. Errors: TG110. PTX: nothing between types of b32 registers, mov.b32 to and from
/// float.
template <class To, vector_value V> auto bit_cast(const V& vector) {
  return []<class T, int N>(const vec<T, N>& v) {
    constexpr bool fits = scalar_type<To> && detail::has_same_parts<To, T, N>;
    using found = diagnosis::operation<fits, diagnosis::types<To, vec<T, N>>>;
    if constexpr (!diagnosis::is_ok<sizeof(found), found>) {
      return v;
    } else {
      constexpr bool is_move = std::is_same_v<To, float> != std::is_same_v<T, float>;
      auto out = detail::unfilled<vec<To, N* int(sizeof(T)) / int(sizeof(To))>>();
      for (std::size_t k = 0; k < out.parts.size(); ++k)
        out.parts[k] = is_move ? detail::tracer::current().copy(std::is_same_v<To, float> ? ptx::token::f32 : ptx::token::b32,
                                                                ptx::token::b32, v.parts[k])
                               : v.parts[k];
      return out;
    }
  }(vector.get());
}

/// Each element converted as a single one is: `tg::cast<float>(x.vec<8>(i))`. Errors: TG120.
/// PTX: cvt, one for two elements from float to narrow floats and between 8-bit floats and f16.
template <class To, vector_value V> auto cast(const V& vector) {
  return []<class T, int N>(const vec<T, N>& v) {
    if constexpr (std::is_same_v<To, T>) {
      return v;
    } else if constexpr (detail::converts_in_pairs<To, T, N>) {
      const auto pair = [&](int k) {
        if constexpr (std::is_same_v<T, float>) return tg::pack<To>(v(2 * k), v(2 * k + 1)).operand;
        else return tg::cast<packed<To>>(tg::bit_cast<packed<T>>(v)(k)).operand;
      };
      fixed_array<ptx::operand, N / 2> pairs;
      for (int k = 0; k < N / 2; ++k) pairs[static_cast<std::size_t>(k)] = pair(k);
      return tg::bit_cast<To>(detail::to_vec<packed<To>>(pairs));
    } else if constexpr (detail::is_byte_float<T> && !is_narrow<To>) {
      return tg::cast<To>(tg::cast<f16>(v));
    } else {
      fixed_array<ptx::operand, N> elements;
      for (int k = 0; k < N; ++k) elements[static_cast<std::size_t>(k)] = tg::cast<To>(v(k)).operand;
      return detail::to_vec<To>(elements);
    }
  }(vector.get());
}

}  // namespace tg
