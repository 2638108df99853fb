// Systems with small triangular matrices and several right-hand sides, in a batch: a warp for each 32 right-hand sides. The
// matrix lies in shared memory, where all lanes read the same element; each lane solves one system in a column of its own.
#pragma once

#include <tg/dsl.hpp>
#include <tg/dsl/flow/assume.hpp>
#include <tg/dsl/flow/unroll_by.hpp>
#include <tg/dsl/value/uniform.hpp>
#include <tg/runtime/grid.hpp>

namespace tg::kernels {

using literals::operator""_c;

/// Which system `triangular_solve` solves.
struct triangular_options {
  bool upper = false;          ///< the upper triangle is read, else the lower one
  bool transposed = false;     ///< A^T X = B, else A X = B
  bool unit_diagonal = false;  ///< the diagonal is 1 and not read
};

/// x becomes the solution X of A X = B for each matrix of a batch, where x holds B before: n rows of `columns` right-hand
/// sides. Matrix b and its right-hand sides have rows b * n to b * n + n - 1 of `a` and of x. The other triangle of `a` is not
/// read. `Most`: 32 or 64, the most rows, for which shared memory is set aside. T: float, double. Launch with
/// `triangular_solve_grid(columns, batch)`.
/// Requires: n <= Most; batch * n < 2^32; a diagonal without zeros, else infinities and NaN come out.
/// Units: X solves a system whose elements are within (n + 1) * 2^-24 of those of A, for double 2^-53.
/// Cost: reads the triangle once for each 32 right-hand sides, and x once. Lanes without a right-hand side idle.
template <class T, triangular_options Options = triangular_options{}, int Most = 32>
inline constexpr auto triangular_solve =
    tg::kernel<"triangular_solve">(tg::block<32>, [](auto block, tg::in2<T> a, tg::inout2<T> x,
                                                     tg::scalar<unsigned, tg::at_most<Most>> n, tg::scalar<unsigned> columns) {
      static_assert(Most == 32 || Most == 64, "triangular_solve<T, Options, Most> requires 32 or 64 rows at most");
      const auto matrix = tg::shared<T>(tg::shape<Most, Most>);
      const auto solved = tg::shared<T>(tg::shape<Most, 32>);
      const auto lane = block.thread.x;
      const auto first = tg::let(block.index.y * n);
      // Zeros first: a loop writes the rest, of which no proof knows which elements it reaches.
      for (int i = 0; i < Most; ++i) {
        tg::unroll<Most / 32>([&](auto part) { matrix(tg::uniform(i), lane + part * 32_c) = T{0}; });
        solved(tg::uniform(i), lane) = T{0};
      }
      block.sync();
      tg::assume(n <= unsigned{Most});
      tg::unroll_by<4>(tg::range(n), [&](auto i) {
        tg::unroll<Most / 32>([&](auto part) {
          const auto j = tg::let(lane + part * 32_c);
          if constexpr (Options.upper) tg::if_(j >= i && j < n, [&] { matrix(i, j) = a(first + i, j); });
          else tg::if_(j <= i, [&] { matrix(i, j) = a(first + i, j); });
        });
      });
      block.sync();

      const auto column = tg::let(block.index.x * 32_c + lane);
      tg::if_(column < columns, [&] {
        const auto element = [&](const auto& row, const auto& k) {
          if constexpr (Options.transposed) return matrix(k, row).get();
          else return matrix(row, k).get();
        };
        const auto solve = [&](const auto& row, const auto& others) {
          tg::var<T> rest = x(first + row, column);
          tg::for_(others, [&](auto k) { rest = tg::fma(-element(row, k), solved(k, lane), rest); });
          if constexpr (!Options.unit_diagonal) rest = rest / matrix(row, row);
          solved(row, lane) = rest;
          x(first + row, column) = rest;
        };
        tg::for_(tg::range(n), [&](auto step) {
          if constexpr (Options.upper == Options.transposed) {
            solve(step, tg::range(step));
          } else {
            const auto row = tg::let(n - 1u - step);
            solve(row, tg::range(row + 1u, n));
          }
        });
      });
    });

/// Blocks for `triangular_solve`. Requires: batch < 65536.
constexpr auto triangular_solve_grid(unsigned columns, unsigned batch, source_location where = source_location::current()) {
  return tg::grid((columns + 31) / 32, batch, where);
}

}  // namespace tg::kernels
