#include <kernels/reference/mandelbrot.hpp>

#include <doctest/doctest.h>

using tg::kernels::reference::mandelbrot;

TEST_CASE("points of the set stay for ever, others leave") {
  CHECK(mandelbrot(0, 0, 0.0, 0.0, 1.0, 1000) == 1000);
  CHECK(mandelbrot(-2, 0, 0.0, 0.0, 1.0, 1000) == 1000);
  CHECK(mandelbrot(0, 1, 0.0, 0.0, 1.0, 1000) == 1000);  // 0, i, i - 1, -i, i - 1
  CHECK(mandelbrot(1, 0, 0.0f, 0.0f, 1.0f, 1000) == 3);  // 0, 1, 2, 5
  CHECK(mandelbrot(3, 0, 0.0f, 0.0f, 1.0f, 1000) == 1);
  CHECK(mandelbrot(3, 0, 0.0f, 0.0f, 1.0f, 0) == 0);
}
