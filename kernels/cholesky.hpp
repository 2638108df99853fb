// Cholesky factorisation of a batch of small matrices, one warp for each, in shared memory.
//
// Columns of L are made one after another: lane l owns rows l and l + 32 and takes from each of their elements of column j
// what the columns before it give. Rows of the tile are an odd number of elements apart, so that a column meets no bank twice.
#pragma once

#include <tg/dsl.hpp>
#include <tg/dsl/flow/assume.hpp>
#include <tg/dsl/flow/unroll_by.hpp>
#include <tg/dsl/value/uniform.hpp>
#include <tg/runtime/grid.hpp>

namespace tg::kernels {

using literals::operator""_c;

/// A = L L^T for each matrix of a batch: the lower triangle of `a`, of n rows and columns, becomes that of L; what is above the
/// diagonal is neither read nor written. Matrix b has rows b * n to b * n + n - 1 of `a`: matrices lie below each other.
/// info(b) becomes 0, or j + 1 where column j is the first whose pivot is not positive (as LAPACK's potrf says it); the columns
/// from there on are then of no use. `Most`: 32 or 64, the most rows, for which shared memory is set aside. T: float, double.
/// Launch with `tg::grid(batch)`.
/// Requires: n <= Most; batch * n < 2^32.
/// Units: element (i, j) of L L^T is within (j + 3) * 2^-24 * (|L| |L|^T) of A, for double 2^-53.
/// Cost: reads and writes the lower triangle once; two reads of shared memory for each multiplication.
template <class T, int Most = 32>
inline constexpr auto cholesky = tg::kernel<"cholesky">(
    tg::block<32>, [](auto block, tg::inout2<T> a, tg::out<unsigned> info, tg::scalar<unsigned, tg::at_most<Most>> n) {
      static_assert(Most == 32 || Most == 64, "cholesky<T, Most> requires 32 or 64 rows at most");
      constexpr int parts = Most / 32;
      const auto elements = tg::shared<T>(tg::shape<Most*(Most + 1)>);
      const auto tile = [&](const auto& i, const auto& j) { return elements(i * constant<Most + 1>{} + j); };
      const auto lane = block.thread.x;
      const auto batch = block.index.x;
      // Zeros first: a loop writes the rest, of which no proof knows which elements it reaches.
      for (int k = 0; k < Most * (Most + 1) / 32; ++k) elements(lane + tg::uniform<32>(32 * k)) = T{0};
      block.sync();
      tg::assume(n <= unsigned{Most});
      // Elements (i, lane + 32 part) of the lower triangle.
      const auto for_lower = [&](auto move) {
        tg::unroll_by<4>(tg::range(n), [&](auto i) {
          tg::unroll<parts>([&](auto part) {
            const auto j = tg::let(lane + part * 32_c);
            tg::if_(j <= i, [&] { move(i, j); });
          });
        });
      };
      for_lower([&](const auto& i, const auto& j) { tile(i, j) = a(batch * n + i, j); });
      block.sync();

      tg::var<unsigned> failed = 0u;
      tg::for_(tg::range(n), [&](auto j) {
        tg::var<T> pivot = tile(j, j);
        tg::regs<T, parts> own = T{0};
        const auto below = [&](auto part, auto body) {
          const auto i = tg::let(lane + part * 32_c);
          tg::if_(i > j && i < n, [&] { body(i); });
        };
        tg::unroll<parts>([&](auto part) { below(part, [&](const auto& i) { own(part) = tile(i, j); }); });
        tg::for_(tg::range(j), [&](auto k) {
          const auto above = tg::let(tile(j, k));
          pivot = tg::fma(-above, above, pivot);
          tg::unroll<parts>(
              [&](auto part) { below(part, [&](const auto& i) { own(part) = tg::fma(-above, tile(i, k), own(part)); }); });
        });
        tg::if_(failed == 0u && !(pivot > T{0}), [&] { failed = j + 1u; });
        const auto root = tg::let(tg::sqrt(pivot));
        block.sync();  // all have read what column j was
        tg::unroll<parts>([&](auto part) { below(part, [&](const auto& i) { tile(i, j) = own(part) / root; }); });
        tg::if_(lane == 0u, [&] { tile(j, j) = root; });
        block.sync();
      });

      for_lower([&](const auto& i, const auto& j) { a(batch * n + i, j) = tile(i, j); });
      tg::if_(lane == 0u, [&] { info(batch) = failed; });
    });

}  // namespace tg::kernels
