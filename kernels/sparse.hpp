// Products of sparse matrices: with a vector (CSR and ELL), and with a dense matrix (CSR).
//
//   CSR    elements of row r are offsets(r) to offsets(r + 1) of `values`; `columns` has the column of each
//   ELL    element k of row r is values(k, r), and its column is columns(k, r), `ell_none` where the row has ended: rows lie
//          side by side, so that a thread for each row reads what its neighbours read the neighbours of
//
// Source of the formats: Bell and Garland, "Efficient Sparse Matrix-Vector Multiplication on CUDA", 2008.
#pragma once

#include <tg/dsl.hpp>
#include <tg/dsl/flow/unroll_by.hpp>
#include <tg/dsl/memory/vec_at.hpp>
#include <tg/dsl/value/assume_uniform.hpp>
#include <tg/runtime/grid.hpp>

namespace tg::kernels {

using literals::operator""_c;

/// Rows that a block of `csr_matvec<T, Lanes>` takes.
template <unsigned Lanes> inline constexpr unsigned csr_rows = 256 / Lanes;
/// Columns of the dense matrix that a warp of `csr_matmat<T>` takes: 16 bytes for each lane.
template <class T> inline constexpr unsigned csr_matmat_columns = 512 / sizeof(T);
/// The column of an element of ELL that is none.
inline constexpr unsigned ell_none = 0xffffffff;

/// y(r) = alpha * sum of values(i) * x(columns(i)) + beta * y(r) for the rows r of a matrix in CSR. `Lanes` lanes for each row:
/// a power of two up to 32, near the usual number of elements of a row. T: float, double. Launch with
/// `csr_grid<Lanes>(rows)`.
/// Requires: offsets ascend and lie inside of `values`; columns lie inside of x; rows + 256 < 2^32.
/// Units: y is not read where beta is 0. The order of additions depends on the length of a row alone.
/// Cost: reads values and columns once; elements of x where columns say.
template <class T, unsigned Lanes = 8>
inline constexpr auto csr_matvec = tg::kernel<"csr_matvec">(
    tg::block<256>, [](auto block, tg::in<unsigned> offsets, tg::in<unsigned> columns, tg::in<T> values, tg::in<T> x,
                       tg::inout<T> y, tg::scalar<T> alpha, tg::scalar<T> beta, tg::scalar<unsigned> rows) {
      constexpr auto lanes = constant<Lanes>{};
      const auto lane = tg::let(block.thread.x % lanes);
      const auto row = tg::let(block.index.x * constant<csr_rows<Lanes>>{} + block.thread.x / lanes);
      tg::var<T> own = T{0};
      tg::if_(row < rows, [&] {
        const auto begin = tg::let(offsets(row));
        const auto end = tg::let(offsets(row + 1u));
        tg::unroll_by<4>(tg::range(begin + lane, end, lanes),
                         [&](auto i) { own = tg::fma(values(tg::gather(i)), x(tg::gather(columns(tg::gather(i)))), own); });
      });
      const auto sum = tg::let(block.warp().sum(own, lanes));
      tg::if_(lane == 0u && row < rows, [&] {
        tg::var<T> all = alpha * sum;
        tg::if_(beta != T{0}, [&] { all = tg::fma(beta, y(row), all); });
        y(row) = all;
      });
    });

/// Blocks for `csr_matvec<T, Lanes>`.
template <unsigned Lanes = 8> constexpr auto csr_grid(unsigned rows, source_location where = source_location::current()) {
  return tg::grid((rows + csr_rows<Lanes> - 1) / csr_rows<Lanes>, where);
}

/// y(r) = alpha * sum of values(k, r) * x(columns(k, r)) + beta * y(r), over k < width where columns(k, r) is not `ell_none`,
/// for the rows r of a matrix in ELL. T: float, double. Launch with `tg::cover(rows)`.
/// Requires: other columns lie inside of x.
/// Units: y is not read where beta is 0.
/// Cost: reads columns once, and values where rows have elements.
template <class T>
inline constexpr auto ell_matvec = tg::kernel<"ell_matvec">(
    tg::block<256>, [](auto block, tg::in2<unsigned> columns, tg::in2<T> values, tg::in<T> x, tg::inout<T> y,
                       tg::scalar<T> alpha, tg::scalar<T> beta, tg::scalar<unsigned> rows, tg::scalar<unsigned> width) {
      const auto row = tg::let(block.global_index());
      tg::if_(row < rows, [&] {
        tg::var<T> own = T{0};
        tg::unroll_by<4>(tg::range(width), [&](auto k) {
          const auto column = tg::let(columns(k, row));
          tg::if_(column != ell_none, [&] { own = tg::fma(values(k, row), x(tg::gather(column)), own); });
        });
        tg::var<T> all = alpha * own;
        tg::if_(beta != T{0}, [&] { all = tg::fma(beta, y(row), all); });
        y(row) = all;
      });
    });

/// c(r, j) = alpha * sum of values(i) * b(columns(i), j) + beta * c(r, j), over the elements i of row r of a matrix in CSR, for
/// a row-major b with n columns. A warp for each row and each `csr_matmat_columns<T>` columns of b: its lanes fetch 32 elements
/// and hand them round. T: float, double. Launch with `csr_matmat_grid<T>(rows, n)`.
/// Requires: offsets ascend and lie inside of `values`; columns lie inside of b; rows + 8 and n + 512 < 2^32.
/// Units: c is not read where beta is 0. The order of additions is that of the elements.
/// Cost: reads b 16 bytes per lane, but the columns behind the last full `csr_matmat_columns<T>` one by one; reads the matrix
/// once for each such run of columns.
template <class T>
inline constexpr auto csr_matmat = tg::kernel<"csr_matmat">(
    tg::block<256>, [](auto block, tg::in<unsigned> offsets, tg::in<unsigned> columns, tg::in<T> values,
                       tg::in2<T, tg::multiple_of<16 / sizeof(T)>> b, tg::inout2<T, tg::multiple_of<16 / sizeof(T)>> c,
                       tg::scalar<T> alpha, tg::scalar<T> beta, tg::scalar<unsigned> rows, tg::scalar<unsigned> n) {
      constexpr int each = 16 / sizeof(T);
      const auto warp = block.warp();
      const auto row = tg::let(block.index.x * 8_c + warp.index);
      const auto first = tg::let(block.index.y * constant<csr_matmat_columns<T>>{});
      tg::if_(row < rows, [&] {
        const auto begin = tg::assume_warp_uniform(offsets(row));
        const auto end = tg::assume_warp_uniform(offsets(row + 1u));
        tg::regs<T, each> own = T{0};
        const auto for_each_element = [&](auto add) {
          tg::for_(tg::range(begin, end, 32_c), [&](auto from) {
            const auto count = tg::let(tg::min(end - from, 32u));
            tg::var<unsigned> column = 0u;
            tg::var<T> value = T{0};
            tg::if_(warp.lane < count, [&] {
              column = columns(tg::gather(from + warp.lane));
              value = values(tg::gather(from + warp.lane));
            });
            tg::unroll_by<4>(tg::range(count),
                             [&](auto k) { add(tg::assume_warp_uniform(warp.shuffle(column, k)), warp.shuffle(value, k)); });
          });
        };
        tg::if_(first + constant<csr_matmat_columns<T>>{} <= n, [&] {
          const auto j = tg::let(first + warp.lane * constant<each>{});
          for_each_element([&](const auto& column, const auto& factor) {
            const auto read = tg::vec_at<each>(b, column, j).get();
            tg::unroll<each>([&](auto k) { own(k) = tg::fma(factor, read(k), own(k)); });
          });
          tg::unroll<each>([&](auto k) { own(k) = alpha * own(k); });
          tg::if_(beta != T{0}, [&] {
            const auto old = tg::vec_at<each>(c, row, j).get();
            tg::unroll<each>([&](auto k) { own(k) = tg::fma(beta, old(k), own(k)); });
          });
          if constexpr (each == 4) tg::vec_at<each>(c, row, j) = tg::make_vec(own(0_c), own(1_c), own(2_c), own(3_c));
          else tg::vec_at<each>(c, row, j) = tg::make_vec(own(0_c), own(1_c));
        }).else_([&] {
          for_each_element([&](const auto& column, const auto& factor) {
            tg::unroll<each>([&](auto k) {
              const auto j = tg::let(first + k * 32_c + warp.lane);
              tg::if_(j < n, [&] { own(k) = tg::fma(factor, b(column, j), own(k)); });
            });
          });
          tg::unroll<each>([&](auto k) {
            const auto j = tg::let(first + k * 32_c + warp.lane);
            tg::if_(j < n, [&] {
              tg::var<T> all = alpha * own(k);
              tg::if_(beta != T{0}, [&] { all = tg::fma(beta, c(row, j), all); });
              c(row, j) = all;
            });
          });
        });
      });
    });

/// Blocks for `csr_matmat<T>`. Requires: n / `csr_matmat_columns<T>` < 65535.
template <class T>
constexpr auto csr_matmat_grid(unsigned rows, unsigned n, source_location where = source_location::current()) {
  return tg::grid((rows + 7) / 8, (n + csr_matmat_columns<T> - 1) / csr_matmat_columns<T>, where);
}

}  // namespace tg::kernels
