// Maps of batches of images, from which copies take columns of pixels: what a convolution multiplies, without the matrix.
//
//   tg::im2col_map<tg::bf16, tg::shape<64, 32>, tg::corner<-1, -1>, tg::corner<-1, -1>, tg::swizzle<2, 3, 3>> x
//   full.expect(0, tg::tensor_copy(tile, x(n, h, w, c).moved(r, s)));      // 64 pixels of 32 channels, for filter element (r,
//   s)
//
// The array is N, then D, H and W as far as there are, then the channels. A column begins at a pixel of the window and goes on
// row by row and image by image; the window reaches from `lower` behind the first pixel of an image to `upper` behind the last
// one. A filter of 3 x 3 with a padding of 1 has the corners (-1, -1) and (-1, -1). All pixels are moved by the element of the
// filter. Source: PTX ISA 9.0, "im2col mode"; CUDA Driver API 13.0, cuTensorMapEncodeIm2col.
#pragma once

#include <tg/base/fixed_array.hpp>
#include <tg/dsl/bulk/tensor_map.hpp>

namespace tg {

/// A corner of the window, outermost dimension first: `tg::corner<-1, -1>` of H and W.
template <int... N> struct corner_t {};
/// A corner of the window, outermost dimension first: `tg::corner<-1, -1>` of H and W.
template <int... N> inline constexpr corner_t<N...> corner{};

namespace diagnosis {

template <bool Ok, class Facts = void> struct im2col_window {
  static_assert(Ok,
                "TG149: a map of images moves tg::shape<pixels, channels>, 1 to 1024 of up to 256, whole 16 bytes; its corners "
                "have 1 to 3 numbers each, of 16 bits for one, of 8 for two, of 5 for three");
};
template <bool Ok, class Facts = void> struct im2col_offsets {
  static_assert(Ok, "TG116: the pixels are moved by as many numbers as the corners have, each an int or unsigned");
};

}  // namespace diagnosis

namespace detail {

template <int Count> constexpr bool is_corner(const fixed_array<std::int32_t, 3>& c) {
  const int limit = Count == 1 ? 1 << 15 : Count == 2 ? 1 << 7 : 1 << 4;
  for (const std::int32_t n : c)
    if (n < -limit || n >= limit) return false;
  return true;
}

template <int... N> constexpr fixed_array<std::int32_t, 3> innermost_first(corner_t<N...>) {
  fixed_array<std::int32_t, 3> out{};
  std::size_t k = sizeof...(N);
  ((--k < 3 ? void(out[k] = N) : void()), ...);
  return out;
}
template <int... N> constexpr int count_of(corner_t<N...>) { return sizeof...(N); }

template <class T, class Box, class Lower, class Upper, class... Options> constexpr map_facts make_im2col_facts() {
  constexpr map_option_facts options = map_options_of<Options...>;
  map_facts out = make_map_facts<T, Box, std::conditional_t<is_map_layout<Options>, Options, promote_t<64>>...>();
  const int rank = count_of(Lower{}) + 2;
  out.rank = rank;
  out.is_im2col = true;
  out.pixels = static_cast<std::uint32_t>(Box::extent(0));
  out.channels = static_cast<std::uint32_t>(Box::extent(1));
  out.box = {1, 1, 1, 1, 1};
  out.steps = {1, 1, 1, 1, 1};
  for (int k = 0; k < options.skip_count && k < 3; ++k)
    out.steps[static_cast<std::size_t>(options.skip_count - k)] =
        static_cast<std::uint32_t>(options.skips[static_cast<std::size_t>(k)]);
  out.promotion = options.promotion;
  out.fills_nan = options.nans != 0;
  out.lower = innermost_first(Lower{});
  out.upper = innermost_first(Upper{});
  return out;
}

}  // namespace detail

/// A place in a batch of images: where a column begins, from `map(n, h, w, c)`.
template <class Map> struct im2col_place : map_place<Map> {
  /// The column, each pixel of which is moved: by the element of the filter, 0 or more. Errors: TG116.
  template <operand_like... O> im2col_place moved(const O&... by) const {
    using found =
        diagnosis::im2col_offsets<sizeof...(O) == Map::rank - 2 && (... && detail::is_coordinate<O>), diagnosis::types<O...>>;
    im2col_place out = *this;
    if constexpr (diagnosis::is_ok<sizeof(found), found>) {
      const ptx::operand all[] = {detail::coordinate_of(by)...};
      out.offsets = detail::map_offsets(all, Map::rank - 2);
    }
    return out;
  }
};

/// A map of a batch of images as a parameter of a kernel. `Box`: pixels and channels that one copy moves, `Lower` and `Upper`
/// the corners of the window. Options as of `tg::in_map`; `tg::skip` has a number for each of D, H and W. Errors: TG149. PTX:
/// .param .align 64 .b8 [128].
template <class T, mode Mode, class Box, class Lower, class Upper, class... Options> class image_map {
 public:
  using element_type = T;
  using box = Box;
  using layout = typename detail::map_layout<Options...>::type;
  static constexpr bool is_tensor_map = true;
  static constexpr int rank = detail::count_of(Lower{}) + 2;
  static constexpr int columns = Box::extent(1);
  static constexpr int rows = Box::extent(0);
  static constexpr mode access = Mode;
  static constexpr detail::map_facts facts = detail::make_im2col_facts<T, Box, Lower, Upper, Options...>();
  static constexpr long long bytes = 1ll * Box::size * static_cast<long long>(sizeof(T));
  static constexpr int alignment_bytes = 128 << (facts.swizzle > 0 ? facts.swizzle : 0);

 private:
  static constexpr int inner = columns * static_cast<int>(sizeof(T));
  static constexpr int width = inner <= 32 ? 1 : inner <= 64 ? 2 : 3;
  static constexpr detail::map_option_facts options = detail::map_options_of<Options...>;
  static constexpr bool has_window = Box::rank == 2 && rows <= 1024 && columns <= 256 && inner % 16 == 0 && rank >= 3 &&
                                     rank <= 5 && detail::count_of(Upper{}) == rank - 2 &&
                                     detail::is_corner<rank - 2>(facts.lower) && detail::is_corner<rank - 2>(facts.upper);
  using element_check = diagnosis::map_element<facts.type >= 0 && (!facts.fills_nan || detail::is_map_float<T>), T>;
  using window_check = diagnosis::im2col_window<has_window, diagnosis::types<diagnosis::box<Box>, T, Lower, Upper>>;
  using swizzle_check =
      diagnosis::map_swizzle<facts.swizzle == 0 ||
                                 (facts.swizzle > 0 && inner == 16 << (facts.swizzle > 0 ? facts.swizzle : 0)),
                             diagnosis::types<diagnosis::inner_bytes<inner>, diagnosis::given<layout>,
                                              diagnosis::try_swizzle<width, detail::log2_of_16<sizeof(T)>, 3>>>;
  using option_check =
      diagnosis::map_options<options.fits(options.skip_lists == 0 ? rank : rank - 1), diagnosis::types<Options...>>;
  static_assert(sizeof(element_check) + sizeof(window_check) + sizeof(swizzle_check) + sizeof(option_check) != 0);

 public:
  explicit image_map(const ptx::operand& address) : address_(address) {}

  /// Where a column begins, a pixel of the window: N, then D, H and W as far as there are, then the first channel, a multiple
  /// of 16 bytes. Errors: TG109, TG116, TG150.
  template <operand_like A, operand_like B, operand_like C>
  im2col_place<image_map> operator()(const A& a, const B& b, const C& c,
                                     source_location where = source_location::current()) const {
    return place(where, a, b, c);
  }
  template <operand_like A, operand_like B, operand_like C, operand_like D>
  im2col_place<image_map> operator()(const A& a, const B& b, const C& c, const D& d,
                                     source_location where = source_location::current()) const {
    return place(where, a, b, c, d);
  }
  template <operand_like A, operand_like B, operand_like C, operand_like D, operand_like E>
  im2col_place<image_map> operator()(const A& a, const B& b, const C& c, const D& d, const E& e,
                                     source_location where = source_location::current()) const {
    return place(where, a, b, c, d, e);
  }

  /// Fetches the map itself. PTX: prefetch.tensormap.
  void prefetch(source_location where = source_location::current()) const { detail::prefetch_tensor_map(address_, where); }

 private:
  template <class... C> im2col_place<image_map> place(source_location where, const C&... coordinates) const {
    using count =
        diagnosis::map_coordinates<sizeof...(C) == rank, diagnosis::types<image_map, diagnosis::given_count<sizeof...(C)>>>;
    using types = diagnosis::map_coordinate<(... && detail::is_coordinate<C>), diagnosis::types<C...>>;
    using start = diagnosis::map_start<detail::begins_at_16_bytes<int(sizeof(T)), C...>(), diagnosis::types<T, C...>>;
    if constexpr (!diagnosis::is_ok<sizeof(count), count> || !diagnosis::is_ok<sizeof(types), types> ||
                  !diagnosis::is_ok<sizeof(start), start>)
      return {};
    else {
      detail::tracer::begin(where);
      const ptx::operand all[] = {detail::coordinate_of(coordinates)...};
      detail::require_start(all[rank - 1], sizeof(T), where);
      const ptx::operand zeros[] = {ptx::operand::integer(0), ptx::operand::integer(0), ptx::operand::integer(0)};
      return {{address_, detail::map_coordinates(all, rank), detail::map_offsets(zeros, rank - 2)}};
    }
  }

  ptx::operand address_;
};

/// A batch of images that is read in columns: `tg::im2col_map<float, tg::shape<pixels, channels>, tg::corner<...>,
/// tg::corner<...>>`.
template <class T, auto Box, auto Lower, auto Upper, auto... Options>
using im2col_map = image_map<T, mode::read, std::remove_const_t<decltype(Box)>, std::remove_const_t<decltype(Lower)>,
                             std::remove_const_t<decltype(Upper)>, std::remove_const_t<decltype(Options)>...>;
/// One that is written: no corner of the window is outside of the images.
template <class T, auto Box, auto Lower, auto Upper, auto... Options>
using out_im2col_map = image_map<T, mode::write, std::remove_const_t<decltype(Box)>, std::remove_const_t<decltype(Lower)>,
                                 std::remove_const_t<decltype(Upper)>, std::remove_const_t<decltype(Options)>...>;

template <class T, mode M, class B, class L, class U, class... O>
inline constexpr bool is_parameter<image_map<T, M, B, L, U, O...>> = true;

namespace detail {

template <class T, mode M, class B, class L, class U, class... O> struct parameter<image_map<T, M, B, L, U, O...>> {
  static image_map<T, M, B, L, U, O...> make(tracer& t, int) { return image_map<T, M, B, L, U, O...>(load_map(t)); }
};

}  // namespace detail

}  // namespace tg
