// Tensor maps as parameters of a kernel: what one tensor copy moves, in a type.
//
//   tg::kernel<"k">(tg::block<128>, [](auto block, tg::in_map<tg::bf16, tg::shape<128, 64>, tg::swizzle<3, 3, 3>> a, ...) {
//     const auto tile = tg::shared<tg::bf16>(tg::shape<128, 64>, tg::swizzle<3, 3, 3>);   // the same box and swizzle
//     ... full.expect(0, tg::tensor_copy(tile, a(row, column)));
//
// A launch takes an array of as many dimensions and encodes the map (runtime/tensor_map.hpp), or takes an encoded one.
// What a copy reads outside of the array is zeros, or NaN with `tg::fill_nan`; it writes nothing there.
// Source: PTX ISA 9.0, "Tensors"; CUDA Driver API 13.0, "Tensor Map Object Management".
#pragma once

#include <array>

#include <tg/base/narrow_float.hpp>
#include <tg/dsl/bulk/bulk_tile.hpp>
#include <tg/dsl/kernel/recordable.hpp>

namespace tg {

/// Elements outside of the array are NaN. Requires: elements are floats.
struct fill_nan_t {};
inline constexpr fill_nan_t fill_nan{};

/// Each `N`-th element along each dimension but the last, outermost first; 1 to 8: `tg::skip<2>` takes every second row.
template <int... N> struct skip_t {};
template <int... N> inline constexpr skip_t<N...> skip{};

/// The L2 cache fetches 64, 128 or 256 bytes at a time for what these copies read.
template <int Bytes> struct promote_t {};
template <int Bytes> inline constexpr promote_t<Bytes> promote{};

namespace diagnosis {

template <class> struct box {};
template <int> struct inner_bytes {};
template <int> struct swizzle_bytes {};

template <bool Ok, class Facts = void> struct map_element {
  static_assert(Ok, "TG149: elements of a tensor map are numbers of 1 to 8 bytes; tg::fill_nan is for floats");
};
template <bool Ok, class Facts = void> struct map_box {
  static_assert(Ok, "TG149: the box of a tensor map has 1 to 5 dimensions of 1 to 256 elements, skipped ones counted, and its "
                    "rows are a multiple of 16 bytes");
};
template <bool Ok, class Facts = void> struct map_swizzle {
  static_assert(Ok, "TG149: a tensor map swizzles rows of at most 32, 64 or 128 bytes, 16 bytes at a time: with no layout, or "
                    "tg::swizzle<1 to 3, M, 3> as try_swizzle says");
};
template <bool Ok, class Facts = void> struct map_options {
  static_assert(Ok,
                "TG149: a tensor map takes its box, a swizzle, tg::fill_nan, tg::promote<64, 128 or 256> and tg::skip of as "
                "many numbers from 1 to 8 as the box has dimensions but one");
};
template <bool Ok, class Facts = void> struct map_coordinates {
  static_assert(Ok, "TG116: the number of coordinates is not the number of dimensions of the map");
};
template <bool Ok, class Facts = void> struct map_coordinate {
  static_assert(Ok, "TG109: a coordinate of a tensor copy is an int or unsigned");
};

}  // namespace diagnosis

namespace detail {

/// What cuTensorMapEncodeTiled is told of a map beside where the array is. Numbers are those of cuda.h, dimensions innermost
/// first.
struct map_facts {
  int type = -1;  // CUtensorMapDataType
  int rank = 0;
  int element_bytes = 0;
  std::array<std::uint32_t, 5> box{1, 1, 1, 1, 1};  // elements, with those that are skipped
  std::array<std::uint32_t, 5> steps{1, 1, 1, 1, 1};
  int swizzle = 0;    // CUtensorMapSwizzle: 0 none, 1 of 32, 2 of 64, 3 of 128 bytes
  int promotion = 0;  // CUtensorMapL2promotion: 0 none, 1 to 64, 2 to 128, 3 to 256 bytes
  bool fills_nan = false;
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
  std::array<int, 5> skips{1, 1, 1, 1, 1};  // outermost first
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

template <class C>
inline constexpr bool is_coordinate = [] {
  if constexpr (device_value<C>) return is_integer<device_type_of<C>> && sizeof(device_type_of<C>) == 4;
  else return is_constant<C> || std::is_integral_v<C>;
}();
/// Negative numbers keep their sign.
template <class C> ptx::operand coordinate_of(const C& c) {
  if constexpr (device_value<C>) return c.get().operand;
  else if constexpr (is_constant<C>) return ptx::operand::integer(C::value);
  else return ptx::operand::integer(static_cast<std::int64_t>(c));
}

/// A parameter of 128 bytes, and its generic address.
ptx::operand load_map(tracer& t);
/// Coordinates or offsets as the instruction takes them: the last first.
ptx::operand map_coordinates(const ptx::operand* outermost_first, int count);
/// prefetch.tensormap.
void prefetch_tensor_map(const ptx::operand& map, source_location where);

}  // namespace detail

/// A place in the array of a map, from `map(row, column)`: where the first element of a box is, which may lie outside.
template <class Map> struct map_place {
  using map_type = Map;

  ptx::operand map;
  ptx::operand coordinates;
  source_location where;
};

/// A tensor map as a parameter of a kernel. `Box`: the extents of what one copy moves, outermost first, as a tile has them.
/// Errors: TG149.
/// PTX: .param .align 64 .b8 [128], a __grid_constant__ parameter.
template <class T, mode Mode, class Box, class... Options> class tensor_map {
  static constexpr bool has_options = (... && (std::is_empty_v<Options>)) && detail::map_options_of<Options...>.fits(Box::rank);

 public:
  using element_type = T;
  using box = Box;
  using layout = typename detail::map_layout<Options...>::type;
  static constexpr bool is_tensor_map = true;
  static constexpr int rank = Box::rank;
  static constexpr mode access = Mode;
  static constexpr detail::map_facts facts = detail::make_map_facts<T, Box, Options...>();
  static constexpr long long bytes = 1ll * Box::size * static_cast<long long>(sizeof(T));
  /// Where its tiles begin: at a multiple of 128 bytes, and of 8 rows of the swizzle.
  /// Source: PTX ISA 9.0, "Swizzling Modes"; CUDA C++ Programming Guide, "Tensor Memory Access", alignment of shared memory.
  static constexpr int alignment_bytes = 128 << (facts.swizzle > 0 ? facts.swizzle : 0);

 private:
  static constexpr int inner = Box::extent(Box::rank - 1) * static_cast<int>(sizeof(T));
  static constexpr int width = inner <= 32 ? 1 : inner <= 64 ? 2 : 3;
  using element_check = diagnosis::map_element<facts.type >= 0 && (!facts.fills_nan || detail::is_map_float<T>), T>;
  using box_check = diagnosis::map_box<detail::is_map_box(facts), diagnosis::types<diagnosis::box<Box>, T>>;
  using swizzle_check =
      diagnosis::map_swizzle<facts.swizzle == 0 ||
                                 (facts.swizzle > 0 && inner <= 16 << (facts.swizzle > 0 ? facts.swizzle : 0)),
                             diagnosis::types<diagnosis::inner_bytes<inner>, diagnosis::given<layout>,
                                              diagnosis::try_swizzle<width, detail::log2_of_16<sizeof(T)>, 3>>>;
  using option_check = diagnosis::map_options<has_options, diagnosis::types<Options...>>;
  static_assert(sizeof(element_check) + sizeof(box_check) + sizeof(swizzle_check) + sizeof(option_check) != 0);

 public:
  explicit tensor_map(const ptx::operand& address) : address_(address) {}

  /// A place in the array, as its elements are counted: the last coordinate is that of neighbours.
  /// Errors: TG109, TG116.
  template <operand_like A>
  map_place<tensor_map> operator()(const A& a, source_location where = source_location::current()) const {
    return place(where, a);
  }
  template <operand_like A, operand_like B>
  map_place<tensor_map> operator()(const A& a, const B& b, source_location where = source_location::current()) const {
    return place(where, a, b);
  }
  template <operand_like A, operand_like B, operand_like C>
  map_place<tensor_map> operator()(const A& a, const B& b, const C& c,
                                   source_location where = source_location::current()) const {
    return place(where, a, b, c);
  }
  template <operand_like A, operand_like B, operand_like C, operand_like D>
  map_place<tensor_map> operator()(const A& a, const B& b, const C& c, const D& d,
                                   source_location where = source_location::current()) const {
    return place(where, a, b, c, d);
  }
  template <operand_like A, operand_like B, operand_like C, operand_like D, operand_like E>
  map_place<tensor_map> operator()(const A& a, const B& b, const C& c, const D& d, const E& e,
                                   source_location where = source_location::current()) const {
    return place(where, a, b, c, d, e);
  }

  /// Fetches the map itself, so that the first copy does not wait for it; by one thread. PTX: prefetch.tensormap.
  void prefetch(source_location where = source_location::current()) const { detail::prefetch_tensor_map(address_, where); }

 private:
  template <class... C> map_place<tensor_map> place(source_location where, const C&... coordinates) const {
    using count =
        diagnosis::map_coordinates<sizeof...(C) == rank, diagnosis::types<tensor_map, diagnosis::given_count<sizeof...(C)>>>;
    using types = diagnosis::map_coordinate<(... && detail::is_coordinate<C>), diagnosis::types<C...>>;
    if constexpr (!diagnosis::is_ok<sizeof(count), count> || !diagnosis::is_ok<sizeof(types), types>) return {{}, {}, where};
    else {
      detail::tracer::begin(where);
      const ptx::operand all[] = {detail::coordinate_of(coordinates)...};
      return {address_, detail::map_coordinates(all, rank), where};
    }
  }

  ptx::operand address_;
};

/// Read only: `tg::in_map<tg::bf16, tg::shape<128, 64>, tg::swizzle<3, 3, 3>> a`. Errors: TG149.
template <class T, auto Box, auto... Options>
using in_map = tensor_map<T, mode::read, std::remove_const_t<decltype(Box)>, std::remove_const_t<decltype(Options)>...>;
/// Written only.
template <class T, auto Box, auto... Options>
using out_map = tensor_map<T, mode::write, std::remove_const_t<decltype(Box)>, std::remove_const_t<decltype(Options)>...>;
/// Read and written, or reduced into.
template <class T, auto Box, auto... Options>
using inout_map =
    tensor_map<T, mode::read_write, std::remove_const_t<decltype(Box)>, std::remove_const_t<decltype(Options)>...>;

template <class T, mode M, class Box, class... O> inline constexpr bool is_parameter<tensor_map<T, M, Box, O...>> = true;

namespace detail {

template <class T, mode M, class Box, class... O> struct parameter<tensor_map<T, M, Box, O...>> {
  static tensor_map<T, M, Box, O...> make(tracer& t, int) { return tensor_map<T, M, Box, O...>(load_map(t)); }
};

}  // namespace detail

}  // namespace tg

#ifndef TG_COMPILED
#include <tg/dsl/bulk/tensor_map.inl>
#endif
