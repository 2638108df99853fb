// C = epilogue(A * B) for row-major matrices of any size: 16-bit elements by tensor cores, floats as they are. Tiles: the
// kernel is eleven lines, for sm_80 and for sm_90.
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

/// How the tile of 128 x 128 is shared out: by tensor cores, of which those of sm_90 want wider steps.
template <class T, int Sm> struct gemm_plan {
  static constexpr auto block = tg::block<128> | tg::for_sm<Sm>;
  static constexpr int step = Sm == 90 ? 64 : 32;
  static constexpr int stages = Sm == 90 ? 3 : 4;
  using leading = tg::multiple_of<8>;

  static auto team(const auto& block) { return tg::warps<2, 2>(block); }
};
/// Floats: by CUDA cores.
template <int Sm> struct gemm_plan<float, Sm> {
  static constexpr auto block = tg::block<256> | tg::min_blocks<2> | tg::for_sm<Sm>;
  static constexpr int step = 16;
  static constexpr int stages = 2;
  using leading = tg::multiple_of<4>;

  static auto team(const auto& block) { return tg::warps<4, 2, tg::cuda_cores>(block); }
};

/// A kernel (a, b, c, m, n, k, extra...) where a is m x k, b is k x n and c is m x n, all of T: bf16, f16 or float. The
/// epilogue gets the sums, a tile of float, and where it lies, and gives a tile or an expression:
/// `gemm<tg::bf16, tg::in<float>>([](const auto& sum, const auto& at, auto bias) { return sum + at.of_columns(bias); })`.
/// Launch with `gemm_grid(m, n)`. `sm`: the architecture;
/// `tg::choose_arch<90, 80>([](auto sm) { return gemm<tg::bf16>(epilogue, sm); })` is both.
/// Requires: m and n leave 128 below 2^32.
/// Units: sums in float, within k * 2^-23 of the exact ones relative to |A| * |B|; one rounding to T.
template <class T, class... Extra, class Epilogue, int Sm = 80>
constexpr auto gemm(Epilogue epilogue, tg::for_sm_t<Sm> /*sm*/ = {}) {
  using plan = gemm_plan<T, Sm>;
  using leading = typename plan::leading;
  return tg::kernel<"gemm">(plan::block, [epilogue](auto block, tg::in2<T, leading> a, tg::in2<T, leading> b,
                                                    tg::out2<T, leading> c, tg::scalar<unsigned> m, tg::scalar<unsigned> n,
                                                    tg::scalar<unsigned> k, Extra... extra) {
    constexpr int step = plan::step;
    const auto row = tg::let(block.index.y * 128_c), column = tg::let(block.index.x * 128_c);
    const auto left = tg::sized(a, m, k), right = tg::sized(b, k, n);
    auto sum = tg::zeros<float, 128, 128>(plan::team(block));
    tg::pipeline<plan::stages>(
        block, tg::steps(k, tg::constant<step>{}),
        [&](auto at) { return tg::stage(tg::tile_at<128, step>(left, row, at), tg::tile_at<step, 128>(right, at, column)); },
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
