// Which products wgmma has: 64 rows, 8 to 256 columns, 32 bytes along the depth.
#pragma once

#include <tg/dsl/matrix/mma_element.hpp>
#include <tg/dsl/verdict/diagnosis.hpp>

namespace tg {

namespace diagnosis {

template <int M, int N, int K> struct group_shape {};

template <bool Ok, class Facts = void> struct group_product {
  static_assert(Ok, "TG153: wgmma has no product of this shape and these types, or the operands do not fit each other: sums of "
                    "64 rows or a multiple and 8 to 256 columns; 8, 16, 24, 32, 48, 64, ... 256 of integers and bits");
};
template <bool Ok, class Facts = void> struct whole_warpgroups {
  static_assert(Ok, "TG153: a warpgroup is 128 threads: make the threads of the block a multiple of 128");
};

}  // namespace diagnosis

namespace detail {

/// Elements along the depth of one instruction.
template <class T> inline constexpr int group_depth = 256 / mma_element<T>::bits;

/// Whether `N` columns of products of T fit. Source: PTX ISA 9.0, "wgmma.mma_async", table of shapes.
template <int N, class T>
inline constexpr bool is_group_width =
    N >= 8 && N <= 256 && N % 8 == 0 && ((!is_mma_integer<T> && !std::same_as<T, b1>) || N == 8 || N == 24 || N % 16 == 0);

/// Which types go together. Source: PTX ISA 9.0, "wgmma.mma_async".
template <class A, class B, class C>
inline constexpr bool are_group_types = [] {
  if constexpr (is_mma_integer<A>)
    return is_mma_integer<B> && mma_element<A>::bits == 8 && mma_element<B>::bits == 8 && std::same_as<C, int>;
  else if constexpr (is_mma_float8<A>) return is_mma_float8<B> && (std::same_as<C, float> || std::same_as<C, f16>);
  else if constexpr (std::same_as<A, b1>) return std::same_as<B, b1> && std::same_as<C, int>;
  else
    return std::same_as<A, B> && !std::same_as<A, double> &&
           (std::same_as<C, float> || (std::same_as<A, f16> && std::same_as<C, f16>));
}();

}  // namespace detail

}  // namespace tg
