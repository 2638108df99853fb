#include <kernels/layer_norm.hpp>

#include "../tile/tiles.hpp"

namespace { using T = tg::bf16; }  // namespace

TEST_CASE("layer_norm of rows of any length") {
  tg::device gpu;
  std::mt19937 random(29);
  for (unsigned columns : {1u, 7u, 255u, 256u, 509u, 512u})
    for (unsigned rows : {1u, 3u}) {
      const tiles::matrix<T> x(rows, columns, random), gamma(1, columns, random, 1), beta(1, columns, random, 1);
      tiles::on_device<T> dx(gpu, x), dgamma(gpu, gamma), dbeta(gpu, beta), dy(gpu, tiles::matrix<T>(rows, columns));
      gpu.launch(tg::kernels::layer_norm<T, 512>, tg::grid(rows), dx.argument(), dgamma.memory, dbeta.memory, dy.argument(),
                 rows, columns, 1e-5f);
      const tiles::matrix<T> y = dy.read();
      tiles::excess excess;
      for (unsigned r = 0; r < rows; ++r) {
        double mean = 0, variance = 0;
        for (unsigned c = 0; c < columns; ++c) mean += x(r, c) / columns;
        for (unsigned c = 0; c < columns; ++c) variance += (x(r, c) - mean) * (x(r, c) - mean) / columns;
        for (unsigned c = 0; c < columns; ++c) {
          const double scaled = (x(r, c) - mean) / std::sqrt(variance + 1e-5) * gamma(0, c);
          const double wanted = scaled + beta(0, c);
          excess(y(r, c), wanted,
                 0x1p-8 * std::abs(wanted) + 1e-5 * (std::abs(scaled) + std::abs(gamma(0, c)) + std::abs(beta(0, c))));
        }
      }
      CAPTURE(columns);
      CHECK(excess.worst <= 1);
    }
}

TEST_CASE("residual_rms_norm writes the sum and its norm") {
  tg::device gpu;
  std::mt19937 random(31);
  for (unsigned columns : {1u, 255u, 1021u, 1024u}) {
    const unsigned rows = 3;
    const tiles::matrix<T> x(rows, columns, random), residual(rows, columns, random), gamma(1, columns, random, 1);
    tiles::on_device<T> dx(gpu, x), dr(gpu, residual), dgamma(gpu, gamma), ds(gpu, tiles::matrix<T>(rows, columns)),
        dy(gpu, tiles::matrix<T>(rows, columns));
    gpu.launch(tg::kernels::residual_rms_norm<T, 1024>, tg::grid(rows), dx.argument(), dr.argument(), dgamma.memory,
               ds.argument(), dy.argument(), rows, columns, 1e-6f);
    const tiles::matrix<T> s = ds.read(), y = dy.read();
    tiles::excess excess;
    for (unsigned r = 0; r < rows; ++r) {
      double squares = 0;
      for (unsigned c = 0; c < columns; ++c) squares += std::pow(x(r, c) + residual(r, c), 2) / columns;
      for (unsigned c = 0; c < columns; ++c) {
        const double sum = x(r, c) + residual(r, c), wanted = sum / std::sqrt(squares + 1e-6) * gamma(0, c);
        excess(s(r, c), sum, 0x1p-8 * std::abs(sum));
        excess(y(r, c), wanted, (0x1p-8 + 1e-5) * std::abs(wanted));
      }
    }
    CAPTURE(columns);
    CHECK(excess.worst <= 1);
  }
}
