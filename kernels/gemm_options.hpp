// What a product of matrices is asked for, and the grid that follows from it.
#pragma once

#include <type_traits>

#include <kernels/tiled_body.hpp>
#include <tg/dsl.hpp>
#include <tg/runtime/grid.hpp>

namespace tg::kernels {

/// How the operands lie, and which blocks there are: `gemm_options{.right_transposed = true}`.
struct gemm_options {
  bool left_transposed = false;   ///< A lies as k x m.
  bool right_transposed = false;  ///< B lies as n x k. 8-bit elements and tf32 are multiplied only so.
  bool batched =
      false;  ///< Many products: the matrices of one lie below those of the one before. `gemm_grid(kernel, m, n, count)`.
  /// C has so many parts, one below the other, each the sums over a part of k, which `gemm_join` adds and gives to the
  /// epilogue. For a long k and few blocks. 0: as many as the launch says, `gemm_grid(kernel, m, n, parts)`, of one product;
  /// see <kernels/gemm_parts.hpp>.
  int split = 1;
  /// Blocks of so many rows of tiles take turns: they share columns of B and rows of A in the second-level cache.
  int band = 1;
  /// Columns of C that a block has, 128 or 256. 256 reads A half as often, which makes large products faster on sm_90; smaller
  /// ones have too few blocks then. Not for floats, which CUDA cores multiply.
  int columns = 128;
  /// At sm_90 a warpgroup more fetches the operands, see `tg::producer`; below nothing changes. Not for floats.
  bool producer = false;
  /// With a producer, blocks of so many rows of tiles copy columns of B once for all of them: 1, 2 or 4, of which `band` is a
  /// multiple.
  int cluster = 1;

  friend constexpr bool operator==(const gemm_options&, const gemm_options&) = default;
};

/// Operands of In, a result of Out: `gemm<gemm_types<tg::f8e4m3, tg::bf16>>`.
template <class In, class Out> struct gemm_types {};

/// The types of a product's operands, sums and result.
template <class T> struct gemm_elements {
  using in = T;
  using sum = float;
  using out = T;
};
template <class In, class Out> struct gemm_elements<gemm_types<In, Out>> {
  using in = In;
  using sum = std::conditional_t<std::is_integral_v<In>, int, float>;
  using out = Out;
};

/// What a product writes: the parts of one that is split are sums.
template <gemm_options Options, class T>
using gemm_result = std::conditional_t<(Options.split != 1), typename gemm_elements<T>::sum, typename gemm_elements<T>::out>;

/// In a compile error: options that stand behind the type of the elements.
template <bool Ok, class Facts = void> struct options_of_gemm {
  static_assert(Ok, "TG166: the options of a product stand first: gemm<gemm_options{.band = 4}, tg::bf16>(epilogue)");
};

/// Blocks for `count` results of m x n of a kernel that `gemm` or `gemm_grouped` made, or of variants of one:
/// `gpu.launch(product, gemm_grid(product, m, n), ...)`. Errors: TG165.
template <class Kernel> requires std::is_class_v<Kernel>
constexpr auto gemm_grid(const Kernel&, unsigned m, unsigned n, unsigned count = 1,
                         source_location where = source_location::current()) {
  using tile = tile_of_kernel<gemm_options, Kernel>;
  (void)sizeof(grid_of_a_kernel<tile::value, Kernel>);
  constexpr gemm_options options = tile::value_of;
  constexpr unsigned columns = options.columns, band = options.band;
  const unsigned down = (m + 127) / 128, across = (n + columns - 1) / columns;
  constexpr unsigned split = options.split == 0 ? 1 : options.split;  // of a launch that says how many parts: `count`
  return tg::grid(across * band, (down + band - 1) / band, count * split, where);
}
/// Numbers or options alone say nothing of the blocks that a kernel has. Errors: TG165.
template <auto... None> constexpr auto gemm_grid(unsigned m, unsigned n, unsigned count = 1) {
  (void)sizeof(grid_of_a_kernel<(sizeof...(None) > 1)>);
  return tg::grid(m, n, count);
}

}  // namespace tg::kernels
