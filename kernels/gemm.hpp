// C = epilogue(A * B) by tensor cores, for row-major matrices of any size. Tiles: the kernel is eleven lines.
#pragma once

#include <tg/dsl.hpp>
#include <tg/runtime/grid.hpp>
#include <tg/tile.hpp>

namespace tg::kernels {

using literals::operator""_c;

/// Where the tile of a block lies in C: what an epilogue cuts its other operands with.
template <int Rows, int Columns, class Row, class Column> struct gemm_place {
  Row row;
  Column column;
  value<unsigned> m, n;

  /// One number for each column: a bias.
  template <class View> auto of_columns(const View& x) const { return tg::tile_at<Columns>(tg::sized(x, n), column); }
  /// One number for each row.
  template <class View> auto of_rows(const View& x) const { return tg::column_at<Rows>(tg::sized(x, m), row); }
  /// One for each element: a residual.
  template <class View> auto of_elements(const View& x) const {
    return tg::tile_at<Rows, Columns>(tg::sized(x, m, n), row, column);
  }
};

/// A kernel (a, b, c, m, n, k, extra...) where a is m x k, b is k x n and c is m x n, all of T: bf16 or f16. The epilogue gets
/// the sums, a tile of float, and where it lies, and gives a tile or an expression: `gemm<tg::bf16, tg::in<float>>([](const
/// auto& sum, const auto& at, auto bias) { return tg::max(sum + at.of_columns(bias), 0.0f); })`. Launch with `gemm_grid(m, n)`.
/// Requires: m and n leave 128 below 2^32.
/// Units: sums in float, within k * 2^-23 of the exact ones relative to |A| * |B|; one rounding to T.
template <class T, class... Extra, class Epilogue> constexpr auto gemm(Epilogue epilogue) {
  return tg::kernel<"gemm">(
      tg::block<128>, [epilogue](auto block, tg::in2<T, tg::multiple_of<8>> a, tg::in2<T, tg::multiple_of<8>> b,
                                 tg::out2<T, tg::multiple_of<8>> c, tg::scalar<unsigned> m, tg::scalar<unsigned> n,
                                 tg::scalar<unsigned> k, Extra... extra) {
        const auto row = tg::let(block.index.y * 128_c), column = tg::let(block.index.x * 128_c);
        const auto left = tg::sized(a, m, k), right = tg::sized(b, k, n);
        auto sum = tg::zeros<float, 128, 128>(tg::warps<2, 2>(block));
        tg::pipeline<4>(
            block, tg::steps(k, 32_c),
            [&](auto at) { return tg::stage(tg::tile_at<128, 32>(left, row, at), tg::tile_at<32, 128>(right, at, column)); },
            [&](auto x, auto y) { sum += tg::dot(x, y); });
        const gemm_place<128, 128, decltype(row), decltype(column)> place{row, column, m.get(), n.get()};
        place.of_elements(c) = tg::cast<T>(epilogue(tg::eval(sum), place, extra...));
      });
}

/// Blocks for a result of m x n.
constexpr auto gemm_grid(unsigned m, unsigned n, source_location where = source_location::current()) {
  return tg::grid((n + 127) / 128, (m + 127) / 128, where);
}

}  // namespace tg::kernels
