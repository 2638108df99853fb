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

#include <cstdint>

#include <tg/dsl/bulk/map_facts.hpp>
#include <tg/dsl/kernel/recordable.hpp>
#include <tg/dsl/memory/view.hpp>

namespace tg {

namespace diagnosis {

/// In a compile error: the shape that the map moves.
template <class> struct box {};
/// In a compile error: bytes of the innermost dimension.
template <int> struct inner_bytes {};
/// In a compile error: bytes of the swizzle.
template <int> struct swizzle_bytes {};

template <bool Ok, class Facts = void> struct map_element {
  static_assert(Ok, "TG149: elements of a tensor map are numbers of 1 to 8 bytes; tg::fill_nan is for floats");
};
template <bool Ok, class Facts = void> struct map_box {
  static_assert(Ok, "TG149: the box of a tensor map has 1 to 5 dimensions of 1 to 256 elements, skipped ones counted, and its "
                    "rows are a multiple of 16 bytes");
};
template <bool Ok, class Facts = void> struct map_swizzle {
  static_assert(Ok, "TG149: a tensor map swizzles rows of 32, 64 or 128 bytes, 16 bytes at a time: with no layout, or "
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
template <bool Ok, class Facts = void> struct map_start {
  static_assert(Ok, "TG150: a tensor copy begins at a multiple of 16 bytes of a row: the last coordinate is a multiple of 16 / "
                    "the bytes of an element");
};

}  // namespace diagnosis

namespace detail {

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

/// Whether the last of these coordinates, if the compiler knows it, begins at a multiple of 16 bytes.
template <int Bytes, class... C> constexpr bool begins_at_16_bytes() {
  long long last = 0;
  ((last =
        [] {
          if constexpr (is_constant<C>) return C::value;
          else return 0;
        }()),
   ...);
  return last * Bytes % 16 == 0;
}
/// Whatever the compiler knows, a last coordinate is recorded as a multiple of 16 bytes. Errors: TG150 where nothing says so.
void require_start(const ptx::operand& last, int element_bytes, source_location where);
/// Whether one of `count` coordinates is a negative number.
bool is_any_negative(const ptx::operand* coordinates, int count);
/// Errors: TG150 for a store to a place whose coordinates are known to be negative.
void require_stored_inside(bool is_before, source_location where);

/// A parameter of 128 bytes, and its generic address.
ptx::operand load_map(tracer& t);
/// The parameter alone. Returns: its number.
std::uint32_t declare_map(tracer& t);
/// The generic address of parameter `number`.
ptx::operand map_address(tracer& t, std::uint32_t number);
/// Coordinates or offsets as the instruction takes them: the last first.
ptx::operand map_coordinates(const ptx::operand* outermost_first, int count);
/// Offsets of im2col, of 16 bits, the last first.
ptx::operand map_offsets(const ptx::operand* outermost_first, int count);
/// prefetch.tensormap.
void prefetch_tensor_map(const ptx::operand& map, source_location where);

}  // namespace detail

/// A place in the array of a map, from `map(row, column)`: where the first element of a box is, which may lie outside.
template <class Map> struct map_place {
  using map_type = Map;

  ptx::operand map;
  ptx::operand coordinates;
  ptx::operand offsets;    // of im2col, see im2col_map.hpp; none: of a box
  bool is_before = false;  // a coordinate is known to be negative: only loads begin there
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
  static constexpr int columns = Box::extent(Box::rank - 1);
  static constexpr int rows = Box::size / columns;
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
                                 (facts.swizzle > 0 && inner == 16 << (facts.swizzle > 0 ? facts.swizzle : 0)),
                             diagnosis::types<diagnosis::inner_bytes<inner>, diagnosis::given<layout>,
                                              diagnosis::try_swizzle<width, detail::log2_of_16<sizeof(T)>, 3>>>;
  using option_check = diagnosis::map_options<has_options, diagnosis::types<Options...>>;
  static_assert(sizeof(element_check) + sizeof(box_check) + sizeof(swizzle_check) + sizeof(option_check) != 0);

 public:
  explicit tensor_map(const ptx::operand& address) : address_(address) {}

  /// A place in the array, as its elements are counted: the last coordinate is that of neighbours, a multiple of 16 bytes from
  /// the beginning of the row, negative or not. Of what a kernel computes it is to be seen: `k * 8_c`, `x / 4_c * 4_c`. Errors:
  /// TG109, TG116, TG150. Source of the rule: an H100, which runs no other copy; Triton says it too.
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
    using start = diagnosis::map_start<detail::begins_at_16_bytes<int(sizeof(T)), C...>(), diagnosis::types<T, C...>>;
    if constexpr (!diagnosis::is_ok<sizeof(count), count> || !diagnosis::is_ok<sizeof(types), types> ||
                  !diagnosis::is_ok<sizeof(start), start>)
      return {};
    else {
      detail::tracer::begin(where);
      const ptx::operand all[] = {detail::coordinate_of(coordinates)...};
      detail::require_start(all[rank - 1], sizeof(T), where);
      return {address_, detail::map_coordinates(all, rank), {}, detail::is_any_negative(all, rank)};
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
