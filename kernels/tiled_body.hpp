// Bodies that say which tile their blocks make, so that a grid is counted from the kernel that it is for.
#pragma once

#include <concepts>
#include <type_traits>

namespace tg::kernels {

/// The body of a kernel and the tile that its blocks make: `gemm_grid`, `sgemm_grid` and `attention_tiles_grid` ask for it.
template <auto Tile, class F> struct tiled_body : F {
  static constexpr auto tile = Tile;
  using F::operator();
};
/// The body `f` of a kernel whose blocks make `Tile`.
template <auto Tile, class F> constexpr tiled_body<Tile, F> with_tile(F f) { return {f}; }

/// In a compile error: a grid that follows no kernel.
template <bool Ok, class Kernel = void> struct grid_of_a_kernel {
  static_assert(Ok,
                "TG165: a grid is counted from its kernel; write gemm_grid(kernel, m, n), sgemm_grid(kernel, m, n) or "
                "attention_tiles_grid(kernel, queries, heads, sequences), where `kernel` is what is launched, or variants of "
                "it with the same tile");
};

/// The tile of a kernel, where it is a `Tile`; of variants, which all have to have the same. A grid asks for `value_of` behind
/// `sizeof(grid_of_a_kernel<...::value, Kernel>)`.
template <class Tile, class Kernel> struct tile_of_kernel : std::false_type { static constexpr Tile value_of = {}; };
template <class Tile, class Kernel> requires requires(const Kernel& kernel) {
  { kernel.body.tile } -> std::convertible_to<Tile>;
}
struct tile_of_kernel<Tile, Kernel> : std::true_type {
  static constexpr Tile value_of = decltype(Kernel::body)::tile;
};
template <class Tile, class Variant> requires requires(const Variant& variant) { variant.kernel.body.tile; }
struct tile_of_kernel<Tile, Variant> : tile_of_kernel<Tile, std::remove_cvref_t<decltype(Variant::kernel)>> {};

template <class Tile, class All> struct tile_of_all : std::false_type { static constexpr Tile value_of = {}; };
template <class Tile, template <class...> class List, class First, class... More>
requires(tile_of_kernel<Tile, First>::value && ... && tile_of_kernel<Tile, More>::value)
struct tile_of_all<Tile, List<First, More...>>
    : std::bool_constant<((tile_of_kernel<Tile, First>::value_of == tile_of_kernel<Tile, More>::value_of) && ...)> {
  static constexpr Tile value_of = tile_of_kernel<Tile, First>::value_of;
};
template <class Tile, class Variants> requires requires(const Variants& variants) { variants.all; }
struct tile_of_kernel<Tile, Variants> : tile_of_all<Tile, decltype(Variants::all)> {};

}  // namespace tg::kernels
