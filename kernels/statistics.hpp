// Dot products and norms of whole lines in one launch, mean and variance of rows. Of lines, blocks leave what they have, and
// the block that comes last adds it up in a fixed order, so that the result is the same every time.
#pragma once

#include <tg/dsl.hpp>
#include <tg/dsl/block/block_reduce.hpp>
#include <tg/dsl/block/grid_reduce.hpp>
#include <tg/dsl/flow/unroll_by.hpp>
#include <tg/runtime/grid.hpp>

namespace tg::kernels {

using literals::operator""_c;

namespace detail {

/// What a thread has of the sum of `each` over 16 bytes of elements at a time, then over those that are left.
template <class Block, class N, class Each, class Rest>
void for_each_four(const Block& block, const N& n, Each each, Rest rest) {
  tg::for_(tg::range(block.global_index(), n / 4_c, tg::let(block.grid.x * block.size.x)), [&](auto i) { each(i * 4_c); });
  const auto left = tg::let(n / 4_c * 4_c + block.global_index());
  tg::if_(left < n, [&] { rest(left); });
}
inline constexpr auto add = [](const auto& a, const auto& b) { return a + b; };

}  // namespace detail

/// result(0): the sum of x(i) * y(i) over n elements. Launch with any number of blocks.
/// Requires: `partial` has an element for each block; ticket(0) is 0 before, and is so after; n + 4 * threads of the grid <
/// 2^32.
inline constexpr auto dot =
    tg::kernel<"dot">(tg::block<256>, [](auto block, tg::in<float> x, tg::in<float> y, tg::out<float> result,
                                         tg::inout<float> partial, tg::inout<unsigned> ticket, tg::scalar<unsigned> n) {
      tg::var<float> own = 0.0f;
      detail::for_each_four(
          block, n,
          [&](const auto& i) {
            const auto a = x.vec<4>(i);
            const auto b = y.vec<4>(i);
            tg::unroll<4>([&](auto c) { own = tg::fma(a(c), b(c), own); });
          },
          [&](const auto& i) { own = tg::fma(x(i), y(i), own); });
      tg::grid_combine(block, own, 0.0f, detail::add, partial, ticket(0_c),
                       [&](const auto& all) { tg::if_(block.thread.x == 0u, [&] { result(0_c) = all; }); });
    });

/// result(0): the Euclidean norm of n elements, the root of the sum of their squares, which must not overflow. Launch and
/// requirements: those of `dot`.
inline constexpr auto norm =
    tg::kernel<"norm">(tg::block<256>, [](auto block, tg::in<float> x, tg::out<float> result, tg::inout<float> partial,
                                          tg::inout<unsigned> ticket, tg::scalar<unsigned> n) {
      tg::var<float> own = 0.0f;
      detail::for_each_four(
          block, n,
          [&](const auto& i) {
            const auto v = x.vec<4>(i);
            tg::unroll<4>([&](auto c) { own = tg::fma(v(c), v(c), own); });
          },
          [&](const auto& i) {
            const auto v = tg::let(x(i));
            own = tg::fma(v, v, own);
          });
      tg::grid_combine(block, own, 0.0f, detail::add, partial, ticket(0_c),
                       [&](const auto& all) { tg::if_(block.thread.x == 0u, [&] { result(0_c) = tg::sqrt(all); }); });
    });

/// mean(r) and variance(r) of the elements of row r; the variance is the mean of the squared distances from the mean. A thread
/// takes four elements at a time and joins their mean and squares to its own, so that a large mean costs no digits. Launch with
/// `tg::grid(rows)`. Requires: columns > 0.
/// Cost: reads each element once.
/// Source: Chan, Golub and LeVeque, "Updating formulae and a pairwise algorithm for computing sample variances", 1979.
inline constexpr auto row_mean_and_variance = tg::kernel<"row_mean_and_variance">(
    tg::block<256>,
    [](auto block, tg::in2<float> x, tg::out<float> mean, tg::out<float> variance, tg::scalar<unsigned> columns) {
      const auto row = block.index.x;
      const auto thread = block.thread.x;
      tg::var<float> fours = 0.0f, middle = 0.0f, squares = 0.0f;
      const auto whole = tg::let(columns / 1024_c * 1024_c);
      tg::unroll_by<2>(tg::range(thread, whole, 1024_c), [&](auto j) {
        const auto a = tg::let(x(row, j)), b = tg::let(x(row, j + 256_c));
        const auto c = tg::let(x(row, j + 512_c)), d = tg::let(x(row, j + 768_c));
        const auto own = tg::let((a + b + (c + d)) * 0.25f);
        const auto apart = tg::let(own - middle);
        const auto add_square = [&](const auto& v) {
          const auto away = tg::let(v - own);
          squares = tg::fma(away, away, squares);
        };
        add_square(a), add_square(b), add_square(c), add_square(d);
        fours += 1.0f;
        const auto moved = tg::let(apart * tg::approx::rcp(fours));
        middle += moved;
        squares = tg::fma(4.0f * apart, apart - moved, squares);
      });
      tg::var<float> count = 4.0f * fours;
      tg::unroll_by<1>(tg::range(whole + thread, columns, 256_c), [&](auto j) {
        const auto apart = tg::let(x(row, j) - middle);
        count += 1.0f;
        const auto moved = tg::let(apart * tg::approx::rcp(count));
        middle += moved;
        squares = tg::fma(apart, apart - moved, squares);
      });
      const auto length = tg::let(tg::cast<float>(columns));
      const auto center = tg::let(block_sum(block, count * middle) / length);
      const auto away = tg::let(middle - center);
      const auto all = block_sum(block, tg::fma(count * away, away, squares));
      tg::if_(thread == 0u, [&] {
        mean(row) = center;
        variance(row) = all / length;
      });
    });

}  // namespace tg::kernels
