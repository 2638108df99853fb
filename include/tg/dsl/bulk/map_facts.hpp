// What the type of a tensor map says, as numbers that the driver is told; the options of maps.
// Source: CUDA Driver API 13.0, "Tensor Map Object Management"; cuda.h.
#pragma once

#include <cstdint>
#include <type_traits>

#include <tg/base/fixed_array.hpp>
#include <tg/base/narrow_float.hpp>
#include <tg/dsl/value/type.hpp>
#include <tg/layout/shape.hpp>
#include <tg/layout/swizzle.hpp>

namespace tg {

/// Elements outside of the array are NaN. Requires: elements are floats.
struct fill_nan_t {};
/// An option of a tensor map: elements outside of the array are read as NaN. Requires: elements are floats.
inline constexpr fill_nan_t fill_nan{};

/// Each `N`-th element along each dimension but the last, outermost first; 1 to 8: `tg::skip<2>` takes every second row.
template <int... N> struct skip_t {};
/// An option of a tensor map: each `N`-th element along each dimension but the last.
template <int... N> inline constexpr skip_t<N...> skip{};

/// The L2 cache fetches 64, 128 or 256 bytes at a time for what these copies read.
template <int Bytes> struct promote_t {};
/// An option of a tensor map: the L2 cache fetches `Bytes` at a time, 64, 128 or 256.
template <int Bytes> inline constexpr promote_t<Bytes> promote{};

namespace detail {

/// What cuTensorMapEncodeTiled is told of a map beside where the array is. Numbers are those of cuda.h, dimensions innermost
/// first.
struct map_facts {
  int type = -1;  // CUtensorMapDataType
  int rank = 0;
  int element_bytes = 0;
  fixed_array<std::uint32_t, 5> box{1, 1, 1, 1, 1};  // elements, with those that are skipped
  fixed_array<std::uint32_t, 5> steps{1, 1, 1, 1, 1};
  int swizzle = 0;    // CUtensorMapSwizzle: 0 none, 1 of 32, 2 of 64, 3 of 128 bytes
  int promotion = 0;  // CUtensorMapL2promotion: 0 none, 1 to 64, 2 to 128, 3 to 256 bytes
  bool fills_nan = false;

  // What im2col adds: how many pixels and channels, and the corners of the window, W, then H, then D.
  bool is_im2col = false;
  std::uint32_t pixels = 0;
  std::uint32_t channels = 0;
  fixed_array<std::int32_t, 3> lower{};
  fixed_array<std::int32_t, 3> upper{};
};

/// CUtensorMapDataType of T, -1 where there is none. Source: cuda.h.
template <class T> constexpr int map_type_of() {
  if constexpr (std::same_as<T, f16>) return 6;
  else if constexpr (std::same_as<T, bf16>) return 9;
  else if constexpr (std::same_as<T, tf32>) return 11;
  else if constexpr (std::same_as<T, float>) return 7;
  else if constexpr (std::same_as<T, double>) return 8;
  else if constexpr (std::same_as<T, f8e4m3> || std::same_as<T, f8e5m2>) return 0;
  else if constexpr (!scalar_type<T>) return -1;
  else if constexpr (sizeof(T) == 1) return 0;
  else if constexpr (!is_integer<T>) return -1;
  else if constexpr (sizeof(T) == 2) return 1;
  else if constexpr (sizeof(T) == 4) return std::is_signed_v<T> ? 3 : 2;
  else return std::is_signed_v<T> ? 5 : 4;
}

template <class T> inline constexpr bool is_map_float = map_type_of<T>() >= 6;

/// CUtensorMapSwizzle of a layout; -1: tensor copies do not make it.
template <class Layout, int ElementBytes> inline constexpr int swizzle_mode = -1;
template <int ElementBytes> inline constexpr int swizzle_mode<void*, ElementBytes> = 0;
template <int B, int M, int ElementBytes>
inline constexpr int swizzle_mode<swizzle_t<B, M, 3>, ElementBytes> = B >= 1 && B <= 3 && (ElementBytes << M) == 16 ? B : -1;

/// Options of a map, one by one.
struct map_option_facts {
  fixed_array<int, 5> skips{1, 1, 1, 1, 1};  // outermost first
  int skip_count = 0;
  int promotion = 0;
  int layouts = 0, nans = 0, promotions = 0, skip_lists = 0;
  bool is_known = true;

  constexpr void add(fill_nan_t) { ++nans; }
  template <int Bytes> constexpr void add(promote_t<Bytes>) {
    ++promotions;
    promotion = Bytes == 64 ? 1 : Bytes == 128 ? 2 : Bytes == 256 ? 3 : -1;
  }
  template <int... N> constexpr void add(skip_t<N...>) {
    ++skip_lists;
    skip_count = sizeof...(N);
    int k = 0;
    ((k < 4 ? void(skips[static_cast<std::size_t>(k++)] = N) : void()), ...);
  }
  template <class Layout> constexpr void add(Layout) { ++layouts; }

  constexpr bool fits(int rank) const {
    if (layouts > 1 || nans > 1 || promotions > 1 || skip_lists > 1 || promotion < 0) return false;
    if (skip_lists == 1 && skip_count != rank - 1) return false;
    for (const int s : skips)
      if (s < 1 || s > 8) return false;
    return true;
  }
};

template <class... Options>
inline constexpr map_option_facts map_options_of = [] {
  map_option_facts out;
  (out.add(Options{}), ...);
  return out;
}();

template <class X> inline constexpr bool is_map_layout = true;
template <> inline constexpr bool is_map_layout<fill_nan_t> = false;
template <int... N> inline constexpr bool is_map_layout<skip_t<N...>> = false;
template <int B> inline constexpr bool is_map_layout<promote_t<B>> = false;

/// The layout among the options; none: rows one behind the other.
template <class... Options> struct map_layout { using type = void*; };
template <class First, class... Rest>
struct map_layout<First, Rest...> : std::conditional_t<is_map_layout<First>, std::type_identity<First>, map_layout<Rest...>> {};

template <class Box> inline constexpr bool is_box = false;
template <int... E> inline constexpr bool is_box<shape_t<E...>> = true;

template <class T, class Box, class... Options> constexpr map_facts make_map_facts() {
  constexpr map_option_facts options = map_options_of<Options...>;
  map_facts out;
  out.type = map_type_of<T>();
  out.rank = Box::rank;
  out.element_bytes = sizeof(T);
  for (int k = 0; k < Box::rank && k < 5; ++k) {
    const auto step = static_cast<std::uint32_t>(k + 1 < Box::rank ? options.skips[static_cast<std::size_t>(k)] : 1);
    const auto at = static_cast<std::size_t>(Box::rank - 1 - k);
    if (at >= 5) continue;
    out.steps[at] = step;
    out.box[at] = (static_cast<std::uint32_t>(Box::extent(k)) - 1) * step + 1;
  }
  out.swizzle = swizzle_mode<typename map_layout<Options...>::type, sizeof(T)>;
  out.promotion = options.promotion;
  out.fills_nan = options.nans != 0;
  return out;
}

constexpr bool is_map_box(const map_facts& f) {
  if (f.rank < 1 || f.rank > 5) return false;
  for (const auto n : f.box)
    if (n < 1 || n > 256) return false;
  return f.box[0] * static_cast<std::uint32_t>(f.element_bytes) % 16 == 0;
}

/// M of the swizzle that moves 16 bytes at a time.
template <int ElementBytes>
inline constexpr int log2_of_16 = ElementBytes == 1   ? 4
                                  : ElementBytes == 2 ? 3
                                  : ElementBytes == 4 ? 2
                                                      : 1;

}  // namespace detail

}  // namespace tg
