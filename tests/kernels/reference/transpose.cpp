#include <kernels/reference/transpose.hpp>

#include <doctest/doctest.h>

TEST_CASE("rows become columns") {
  const std::vector<int> a{1, 2, 3, 4, 5, 6};
  const auto b = tg::kernels::reference::transpose(std::span<const int>(a), 2, 3);
  CHECK(b == std::vector<int>{1, 4, 2, 5, 3, 6});
  CHECK(tg::kernels::reference::transpose(std::span<const int>(b), 3, 2) == a);
}
