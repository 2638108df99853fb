// What a kernel asks of ptxas about registers: `tg::block<256> | tg::max_registers<64> | tg::min_blocks<4>`.
#pragma once

#include <tg/analysis/occupancy.hpp>
#include <tg/dsl/kernel/recordable.hpp>

namespace tg {

/// At most N registers per thread; what does not fit is spilled to local memory. PTX: .maxnreg.
template <int N> struct max_registers_t {
  static_assert(N != 0, "TG170: tg::max_registers takes 24 to 255; ptxas does not keep other bounds");
};
/// An option of a block: `tg::block<256> | tg::max_registers<64>`. Requires: 24 to 255.
template <int N> inline constexpr max_registers_t<N> max_registers{};

/// ptxas uses no more registers than let N blocks share a multiprocessor. PTX: .minnctapersm.
template <int N> struct min_blocks_t { static_assert(N > 0, "TG171: tg::min_blocks takes 1 or more"); };
/// An option of a block: `tg::block<256> | tg::min_blocks<4>`. Requires: 1 or more.
template <int N> inline constexpr min_blocks_t<N> min_blocks{};

/// A block shape with bounds; 0: none.
template <class Shape, int MaxRegisters, int MinBlocks> struct bounded_block : Shape {};

namespace diagnosis {

/// In a compile error: the bound that was asked for.
template <long long> struct registers {};
/// In a compile error: the blocks that were asked for.
template <long long> struct blocks {};
/// In a compile error: registers per thread with which that many blocks fit.
template <long long> struct possible_registers {};

template <bool Ok, class Facts = void> struct register_bound {
  static_assert(Ok, "TG170: tg::max_registers takes 24 to 255; ptxas does not keep other bounds");
};
template <bool Ok, class Facts = void> struct residency_bound {
  static_assert(Ok, "TG171: so many blocks do not fit a multiprocessor (2048 threads, 32 blocks, 65536 registers); ask for "
                    "fewer blocks, smaller ones or fewer registers");
};

}  // namespace diagnosis

namespace detail {

template <class Shape, int R, int B> inline constexpr unsigned max_registers_of<bounded_block<Shape, R, B>> = R;
template <class Shape, int R, int B> inline constexpr unsigned min_blocks_of<bounded_block<Shape, R, B>> = B;

/// The largest multiprocessor there is. Source: the device table.
inline constexpr analysis::multiprocessor largest_multiprocessor = analysis::multiprocessor_of(90);

template <class Shape, int R, int B> constexpr auto bound() {
  using reg = diagnosis::register_bound<R == 0 || (R >= 24 && R <= analysis::max_thread_registers), diagnosis::registers<R>>;
  constexpr int possible =
      B == 0 ? analysis::max_thread_registers : analysis::registers_for(largest_multiprocessor, Shape::threads, B);
  using resident = diagnosis::residency_bound<
      possible >= 24 && R <= possible,
      diagnosis::types<Shape, diagnosis::blocks<B>, diagnosis::registers<R>, diagnosis::possible_registers<possible>>>;
  if constexpr (diagnosis::is_ok<sizeof(reg), reg>) (void)sizeof(resident);
  return bounded_block<Shape, R, B>{};
}

}  // namespace detail

/// Errors: TG170, TG171.
template <int X, int Y, int Z, int N> constexpr auto operator|(block_t<X, Y, Z>, max_registers_t<N>) {
  return detail::bound<block_t<X, Y, Z>, N, 0>();
}
template <int X, int Y, int Z, int N> constexpr auto operator|(block_t<X, Y, Z>, min_blocks_t<N>) {
  return detail::bound<block_t<X, Y, Z>, 0, N>();
}
template <class Shape, int R, int B, int N> constexpr auto operator|(bounded_block<Shape, R, B>, max_registers_t<N>) {
  return detail::bound<Shape, N, B>();
}
template <class Shape, int R, int B, int N> constexpr auto operator|(bounded_block<Shape, R, B>, min_blocks_t<N>) {
  return detail::bound<Shape, R, N>();
}

}  // namespace tg
