// A kernel whose text is meant for one architecture: `tg::block<256> | tg::for_sm<90>`.
#pragma once

#include <tg/dsl/kernel/launch_bounds.hpp>

namespace tg {

/// The architecture that words choose their instructions for. 90: sm_90a, whose warpgroups multiply matrices; below, or
/// without it, what every device from sm_80 on has. See `tg::choose_arch`.
template <int Sm> struct for_sm_t { static constexpr int sm = Sm; };
/// An option of a block: `tg::block<128> | tg::for_sm<90>`.
template <int Sm> inline constexpr for_sm_t<Sm> for_sm{};

/// A block shape of a kernel for one architecture.
template <class Shape, int Sm> struct targeted_block : Shape { static constexpr int sm = Sm; };

namespace detail {

/// The architecture that a block's kernel is meant for; 0: any.
template <class Shape> inline constexpr int sm_of = 0;
template <class Shape> requires requires { Shape::sm; }
inline constexpr int sm_of<Shape> = Shape::sm;

template <class Shape, int Sm>
inline constexpr analysis::block_extent cluster_shape_of<targeted_block<Shape, Sm>> = cluster_shape_of<Shape>;
template <class Shape, int Sm> inline constexpr unsigned max_registers_of<targeted_block<Shape, Sm>> = max_registers_of<Shape>;
template <class Shape, int Sm> inline constexpr unsigned min_blocks_of<targeted_block<Shape, Sm>> = min_blocks_of<Shape>;

}  // namespace detail

template <class Shape, int Sm> requires requires { Shape::threads; }
constexpr targeted_block<Shape, Sm> operator|(Shape, for_sm_t<Sm>) {
  return {};
}
template <class Shape, int Sm, int N> constexpr auto operator|(targeted_block<Shape, Sm>, max_registers_t<N> bound) {
  return targeted_block<decltype(Shape{} | bound), Sm>{};
}
template <class Shape, int Sm, int N> constexpr auto operator|(targeted_block<Shape, Sm>, min_blocks_t<N> bound) {
  return targeted_block<decltype(Shape{} | bound), Sm>{};
}

}  // namespace tg
