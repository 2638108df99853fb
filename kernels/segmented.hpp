// The sum, or another reduction, of each segment of a line: segment s has the elements from offsets(s) to offsets(s + 1), as
// the rows of a sparse matrix (CSR) have. Two kernels, for short segments and for long ones.
#pragma once

#include <kernels/operators.hpp>
#include <tg/dsl/block/block_reduce.hpp>
#include <tg/dsl/value/assume_uniform.hpp>
#include <tg/runtime/grid.hpp>

namespace tg::kernels {

/// Segments that a block of `segmented_reduce<T, Op, Lanes>` takes.
template <unsigned Lanes> inline constexpr unsigned segments_of_block = 256 / Lanes;

/// y(s): `Op` over the elements of segment s, `Op::identity` of an empty one, by `Lanes` lanes each: 1 to 32, a power of two
/// near the usual length. T: integers of 32 and 64 bits, float, double. The order depends on the length alone. Launch with as
/// many blocks as segments take, `segments_of_block<Lanes>` each. Requires: Op is associative and commutative; offsets ascend
/// and lie inside of x; segments + 256 < 2^32. Cost: lanes of short segments idle; neighbours of a segment are read together
/// where it is as long as its lanes.
template <class T, class Op, unsigned Lanes>
inline constexpr auto segmented_reduce = tg::kernel<"segmented_reduce">(
    tg::block<256>, [](auto block, tg::in<T> x, tg::in<unsigned> offsets, tg::out<T> y, tg::scalar<unsigned> segments) {
      constexpr Op op{};
      const auto warp = block.warp();
      const auto segment = tg::let(block.index.x * constant<segments_of_block<Lanes>>{} + block.thread.x / constant<Lanes>{});
      tg::var<T> own = Op::template identity<T>();
      tg::if_(segment < segments, [&] {
        const auto begin = tg::let(offsets(segment));
        const auto end = tg::let(offsets(segment + 1u));
        tg::for_(tg::range(begin + block.thread.x % constant<Lanes>{}, end, constant<Lanes>{}),
                 [&](auto i) { own = op(own.get(), tg::let(x(tg::gather(i)))); });
      });
      const auto all = tg::let(warp.combine(own, op, constant<Lanes>{}));
      tg::if_(block.thread.x % constant<Lanes>{} == 0u && segment < segments, [&] { y(segment) = all; });
    });

/// As `segmented_reduce`, a block for each segment. Launch with `tg::grid(segments)`.
template <class T, class Op>
inline constexpr auto segmented_reduce_long =
    tg::kernel<"segmented_reduce_long">(tg::block<256>, [](auto block, tg::in<T> x, tg::in<unsigned> offsets, tg::out<T> y) {
      constexpr Op op{};
      const auto segment = block.index.x;
      const auto begin = tg::assume_uniform(offsets(segment));
      const auto end = tg::assume_uniform(offsets(segment + 1u));
      tg::var<T> own = Op::template identity<T>();
      tg::for_(tg::range(begin + block.thread.x, end, 256_c), [&](auto i) { own = op(own.get(), tg::let(x(i))); });
      const auto all = tg::block_combine_to_first(block, own, op);
      tg::if_(block.thread.x == 0u, [&] { y(segment) = all; });
    });

}  // namespace tg::kernels
