#include <kernels/fft_2d.hpp>

#include <cmath>
#include <complex>

#include "inputs.hpp"

using namespace tg::kernels;

namespace {

using number = std::complex<double>;

template <unsigned Rows, unsigned Columns, bool Inverse>
std::vector<float> transformed(const std::vector<float>& x, unsigned images) {
  tg::device gpu;
  const auto on_x = gpu.upload(x);
  auto y = gpu.upload(std::vector<float>(x.size(), inputs::poison<float>()));
  auto scratch = gpu.upload(std::vector<float>(x.size(), inputs::poison<float>()));
  const auto column_roots = gpu.upload(fft_roots<Columns>());
  const auto row_roots = gpu.upload(fft_roots<Rows>());
  fft_2d<Rows, Columns, Inverse>(gpu, on_x, y, scratch, column_roots, row_roots, images);
  return y.to_host();
}

/// The transform of each line of n numbers, `apart` apart, by its definition.
void transform_lines(std::vector<number>& x, std::size_t first, std::size_t n, std::size_t apart, bool is_inverse) {
  std::vector<number> turns(n), out(n);
  for (std::size_t k = 0; k < n; ++k)
    turns[k] = std::polar(1.0, (is_inverse ? 2 : -2) * std::acos(-1.0) * double(k) / double(n));
  for (std::size_t k = 0; k < n; ++k)
    for (std::size_t j = 0; j < n; ++j) out[k] += x[first + j * apart] * turns[j * k % n];
  for (std::size_t k = 0; k < n; ++k) x[first + k * apart] = out[k];
}

template <unsigned Rows, unsigned Columns, bool Inverse> void check(unsigned images) {
  inputs::generator random;
  INFO("seed ", random.seed, ", ", Rows, " x ", Columns, ", images ", images);
  constexpr std::size_t size = std::size_t{Rows} * Columns;
  const auto x = random.floats(images * size * 2);
  const auto found = transformed<Rows, Columns, Inverse>(x, images);
  for (unsigned i = 0; i < images; ++i) {
    std::vector<number> wanted(size);
    for (std::size_t k = 0; k < size; ++k) wanted[k] = {x[(i * size + k) * 2], x[(i * size + k) * 2 + 1]};
    for (std::size_t r = 0; r < Rows; ++r) transform_lines(wanted, r * Columns, Columns, 1, Inverse);
    for (std::size_t c = 0; c < Columns; ++c) transform_lines(wanted, c, Rows, Columns, Inverse);
    double off = 0, norm = 0;
    for (std::size_t k = 0; k < size; ++k) {
      off += std::norm(number(found[(i * size + k) * 2], found[(i * size + k) * 2 + 1]) - wanted[k]);
      norm += std::norm(wanted[k]);
    }
    CHECK(std::sqrt(off) <= std::log2(size) * 7 * inputs::unit_roundoff * std::sqrt(norm));
  }
}

}  // namespace

TEST_CASE("transforms of pictures are those of the definition") {
  check<2, 2, false>(3);
  check<4, 64, false>(2);
  check<64, 16, true>(1);
  check<128, 32, false>(1);
  check<64, 128, true>(2);
}

TEST_CASE("stacks of complex matrices are transposed, of any size") {
  inputs::generator random;
  tg::device gpu;
  for (const unsigned images : {1u, 3u})
    for (const unsigned rows : {1u, 31u, 32u, 33u})
      for (const unsigned cols : {1u, 32u, 67u}) {
        INFO("seed ", random.seed, ", ", rows, " x ", cols);
        const auto x = random.floats(std::size_t{images} * rows * cols * 2);
        inputs::rows<float> a(gpu, x, images * rows, 2 * cols, 2 * cols + 2), b(gpu, images * cols, 2 * rows, 2 * rows + 4);
        gpu.launch(transpose_complex, transpose_complex_grid(images, rows, cols), a.matrix(), b.matrix(), rows, cols);
        const auto y = b.to_host();
        bool is_right = true;
        for (std::size_t i = 0; i < images; ++i)
          for (std::size_t r = 0; r < rows; ++r)
            for (std::size_t c = 0; c < cols; ++c)
              for (std::size_t part = 0; part < 2; ++part)
                is_right = is_right && y[((i * cols + c) * rows + r) * 2 + part] == x[((i * rows + r) * cols + c) * 2 + part];
        CHECK(is_right);
      }
}
