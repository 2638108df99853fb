#include <kernels/layer_norm.hpp>

#include <kernels/reference/norms.hpp>

#include "../tile/tiles.hpp"

namespace {

using T = tg::bf16;

/// The only row of a matrix.
auto line(const tiles::matrix<T>& m) {
  return [&m](unsigned c) { return m(0, c); };
}

}  // namespace

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
      const auto wanted = tg::kernels::reference::layer_norm<T>(rows, columns, x, line(gamma), line(beta), 1e-5);
      for (unsigned i = 0; i < rows * columns; ++i) excess(y(i / columns, i % columns), wanted.value[i], wanted.bound[i]);
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
    const auto wanted = tg::kernels::reference::residual_rms_norm<T>(rows, columns, x, residual, line(gamma), 1e-6);
    for (unsigned i = 0; i < rows * columns; ++i) {
      excess(s(i / columns, i % columns), wanted.sum.value[i], wanted.sum.bound[i]);
      excess(y(i / columns, i % columns), wanted.y.value[i], wanted.y.bound[i]);
    }
    CAPTURE(columns);
    CHECK(excess.worst <= 1);
  }
}
