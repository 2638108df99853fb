// Blocks that run at the same time beside each other: `tg::block<128> | tg::cluster<2>`.
#pragma once

#include <tg/dsl/kernel/launch_bounds.hpp>

namespace tg {

/// Blocks of a cluster in each direction.
template <int X, int Y = 1, int Z = 1> struct cluster_t {
  static constexpr int x = X;
  static constexpr int y = Y;
  static constexpr int z = Z;
  static constexpr int blocks = X * Y * Z;
};

/// The clusters of a kernel, given with the block: `tg::block<128> | tg::cluster<2>`, `tg::cluster<2, 2>`. The launch forms
/// them by itself; its grid must be made of whole clusters (TG569). PTX: .reqnctapercluster; sm_90.
template <int X, int Y = 1, int Z = 1> inline constexpr cluster_t<X, Y, Z> cluster{};

/// A block shape with a cluster around it.
template <class Shape, class Cluster> struct clustered_block : Shape {};

namespace diagnosis {

template <bool Ok, class Facts = void> struct cluster_shape {
  static_assert(Ok, "TG154: a cluster has 1 to 8 blocks, given once; 16 are not portable, and tg::grid(n).cluster(16) asks for "
                    "them at launch");
};
template <bool Ok, class Facts = void> struct block_in_cluster {
  static_assert(Ok, "TG154: the blocks of this kernel form no clusters; write tg::block<128> | tg::cluster<2>");
};

}  // namespace diagnosis

namespace detail {

template <class Shape> inline constexpr bool is_clustered = cluster_shape_of<Shape>.x != 0;

/// The cluster around a block.
template <class Shape>
using cluster_around = cluster_t<cluster_shape_of<Shape>.x, cluster_shape_of<Shape>.y, cluster_shape_of<Shape>.z>;

template <class Shape, class C>
inline constexpr analysis::block_extent cluster_shape_of<clustered_block<Shape, C>> = {C::x, C::y, C::z};
template <class Shape, class C> inline constexpr unsigned max_registers_of<clustered_block<Shape, C>> = max_registers_of<Shape>;
template <class Shape, class C> inline constexpr unsigned min_blocks_of<clustered_block<Shape, C>> = min_blocks_of<Shape>;

}  // namespace detail

/// Errors: TG154.
template <class Shape, int X, int Y, int Z> requires requires { Shape::threads; }
constexpr auto operator|(Shape, cluster_t<X, Y, Z>) {
  constexpr bool fits = X >= 1 && Y >= 1 && Z >= 1 && X * Y * Z <= 8 && !detail::is_clustered<Shape>;
  (void)sizeof(diagnosis::cluster_shape<fits, diagnosis::types<Shape, cluster_t<X, Y, Z>>>);
  return clustered_block<Shape, cluster_t<X, Y, Z>>{};
}
template <class Shape, class C, int N> constexpr auto operator|(clustered_block<Shape, C>, max_registers_t<N> bound) {
  return clustered_block<decltype(Shape{} | bound), C>{};
}
template <class Shape, class C, int N> constexpr auto operator|(clustered_block<Shape, C>, min_blocks_t<N> bound) {
  return clustered_block<decltype(Shape{} | bound), C>{};
}

}  // namespace tg
