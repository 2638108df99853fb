// Two-dimensional Fourier transforms of complex floats: lines, a transpose through shared memory, columns as lines, and a
// transpose back.
#pragma once

#include <kernels/fft.hpp>
#include <kernels/transpose.hpp>

namespace tg::kernels {

/// b = a with rows and columns exchanged, for each of a stack of matrices of complex numbers, which are pairs of neighbouring
/// floats: a has images * rows rows of cols numbers, b images * cols rows of rows numbers. Launch with
/// `transpose_complex_grid(images, rows, cols)`.
/// Requires: images * max(rows, cols) < 2^32; 2 * max(rows, cols) + 64 < 2^32.
/// Cost: reads and writes each number once, 8 bytes per lane, without bank conflicts.
inline constexpr auto transpose_complex = tg::kernel<"transpose_complex">(
    tg::block<32, 8>, [](auto block, tg::in2<float, tg::multiple_of<2>> a, tg::out2<float, tg::multiple_of<2>> b,
                         tg::scalar<unsigned> rows, tg::scalar<unsigned> cols) {
      const auto real = tg::shared<float>(tg::shape<32, 32>, tg::swizzle<5>);
      const auto imaginary = tg::shared<float>(tg::shape<32, 32>, tg::swizzle<5>);
      const auto lane = block.thread.x;
      const auto left = tg::let(block.index.x * 32_c), top = tg::let(block.index.y * 32_c);
      const auto image = block.index.z;
      detail::each_tile_row([&](auto k) {
        const auto line = block.thread.y + k;
        tg::if_(top + line < rows && left + lane < cols, [&] {
          const auto read = tg::vec_at<2>(a, image * rows + (top + line), (left + lane) * 2_c).get();
          real(line, lane) = read(0_c);
          imaginary(line, lane) = read(1_c);
        });
      });
      block.sync();
      tg::unroll<4>([&](auto k) {
        const auto line = block.thread.y + k * 8_c;
        tg::if_(left + line < cols && top + lane < rows, [&] {
          tg::vec_at<2>(b, image * cols + (left + line), (top + lane) * 2_c) =
              tg::make_vec(tg::let(real(lane, line)), tg::let(imaginary(lane, line)));
        });
      });
    });

/// Blocks for `images` matrices of rows x cols. Requires: images < 65536, rows < 2^21.
constexpr auto transpose_complex_grid(unsigned images, unsigned rows, unsigned cols,
                                      source_location where = source_location::current()) {
  return tg::grid((cols + 31) / 32, (rows + 31) / 32, images, where);
}

/// y(i, k, l) = sum of x(i, m, n) * exp(-2 pi i (k m / Rows + l n / Columns)) over m < Rows and n < Columns, with `Inverse` of
/// exp(+...), not divided by Rows * Columns, for `images` pictures of Rows x Columns complex numbers, pairs of neighbouring
/// floats without gaps. Rows and Columns: powers of two from 2 to 4096. `on`: a device or a stream. Four launches; nothing is
/// allocated and nothing is waited for.
/// Requires: x, y and `scratch` have images * Rows * Columns * 2 floats and are different memory; `column_roots` are
/// `fft_roots<Columns>()`, `row_roots` are `fft_roots<Rows>()`; images < 65536.
/// Units: the error of a picture in the Euclidean norm is below log2(Rows * Columns) * 7 * 2^-24 of the norm of y.
/// Cost: reads and writes each number four times.
template <unsigned Rows, unsigned Columns, bool Inverse = false, class On, class X, class Y, class Scratch, class ColumnRoots,
          class RowRoots>
void fft_2d(On& on, const X& x, Y& y, Scratch& scratch, const ColumnRoots& column_roots, const RowRoots& row_roots,
            unsigned images) {
  if (images == 0) return;
  const unsigned lines = images * Rows, columns = images * Columns;
  // `matrix` is the word of the runtime that the buffers come from.
  on.launch(fft<Columns, Inverse>, fft_grid<Columns>(lines), matrix(x, lines, 2 * Columns), column_roots,
            matrix(scratch, lines, 2 * Columns), lines);
  on.launch(transpose_complex, transpose_complex_grid(images, Rows, Columns), matrix(scratch, lines, 2 * Columns),
            matrix(y, columns, 2 * Rows), Rows, Columns);
  on.launch(fft<Rows, Inverse>, fft_grid<Rows>(columns), matrix(y, columns, 2 * Rows), row_roots,
            matrix(scratch, columns, 2 * Rows), columns);
  on.launch(transpose_complex, transpose_complex_grid(images, Columns, Rows), matrix(scratch, columns, 2 * Rows),
            matrix(y, lines, 2 * Columns), Columns, Rows);
}

}  // namespace tg::kernels
