#include <kernels/reference/reduction.hpp>

#include <doctest/doctest.h>

#include <vector>

TEST_CASE("a sum that floats would lose") {
  const std::vector<float> x{1e8f, 1, 1, 1, -1e8f};
  CHECK(tg::kernels::reference::sum(x) == 3.0);
  CHECK(tg::kernels::reference::sum({}) == 0.0);
}
