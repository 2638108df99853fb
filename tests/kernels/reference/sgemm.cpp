#include <kernels/reference/sgemm.hpp>

#include <doctest/doctest.h>

TEST_CASE("a row times a column, and what of it cancels") {
  const std::vector<float> a{1, 2, 3, -4}, b{5, 6, 7, 8};
  const auto p = tg::kernels::reference::multiply(a, b, 2, 2, 2);
  CHECK(p.sum == std::vector<double>{19, 22, -13, -14});
  CHECK(p.magnitude == std::vector<double>{19, 22, 43, 50});
  CHECK(tg::kernels::reference::multiply(a, b, 1, 1, 4).sum == std::vector<double>{5 + 12 + 21 - 32});
}
