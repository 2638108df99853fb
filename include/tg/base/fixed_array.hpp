// An array of fixed length that is cheap to compile. <array> brings iterators and algorithms along, which are an eighth of what
// a compiler reads for <tg/dsl.hpp>; and each access to an unoptimised std::array is two functions, also in constant
// expressions. Its interface is the part of std::array's that the language and its kernels use.
#pragma once

#include <cstddef>
#include <type_traits>

#include <tg/base/config.hpp>

namespace tg {

/// N elements side by side, as std::array has them: an aggregate, `fixed_array{1, 2, 3}`. Without bounds checks.
template <class T, std::size_t N> struct fixed_array {
  using value_type = T;

  T elements[N == 0 ? 1 : N];

  TG_ALWAYS_INLINE constexpr T& operator[](std::size_t at) { return elements[at]; }
  TG_ALWAYS_INLINE constexpr const T& operator[](std::size_t at) const { return elements[at]; }
  TG_ALWAYS_INLINE constexpr T* data() { return elements; }
  TG_ALWAYS_INLINE constexpr const T* data() const { return elements; }
  TG_ALWAYS_INLINE constexpr T* begin() { return elements; }
  TG_ALWAYS_INLINE constexpr const T* begin() const { return elements; }
  TG_ALWAYS_INLINE constexpr T* end() { return elements + N; }
  TG_ALWAYS_INLINE constexpr const T* end() const { return elements + N; }
  static constexpr std::size_t size() { return N; }
  constexpr const T& front() const { return elements[0]; }
  constexpr const T& back() const { return elements[N - 1]; }

  constexpr void fill(const T& value) {
    for (T& element : elements) element = value;
  }

  friend bool operator==(const fixed_array&, const fixed_array&) = default;
  friend constexpr bool operator<(const fixed_array& a, const fixed_array& b) {
    for (std::size_t k = 0; k < N; ++k) {
      if (a.elements[k] < b.elements[k]) return true;
      if (b.elements[k] < a.elements[k]) return false;
    }
    return false;
  }
};
template <class T, class... More> fixed_array(T, More...) -> fixed_array<T, 1 + sizeof...(More)>;

}  // namespace tg
