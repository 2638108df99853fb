#include <kernels/reference/saxpy.hpp>

#include <doctest/doctest.h>

TEST_CASE("saxpy in double precision") {
  const std::vector<float> x{1, 0.1f, -3}, y{0.5f, 1e8f, 6};
  const auto out = tg::kernels::reference::saxpy(2, x, y);
  CHECK(out == std::vector<double>{2.5, 2 * double(0.1f) + 1e8, 0});
}
