#include <kernels/reference/q8_1.hpp>

#include <doctest/doctest.h>

#include <vector>

using doctest::Approx;
using tg::kernels::reference::quantize_q8_1;

TEST_CASE("the largest of a group becomes 127, and the sum is that of the bytes") {
  std::vector<float> x(32, 0.0f);
  x[3] = -254;
  x[4] = 100;
  x[5] = 3;
  const auto group = quantize_q8_1(x);
  CHECK(group.d == 2.0);
  CHECK(group.q[3] == -127);
  CHECK(group.q[4] == 50);
  CHECK(group.q[5] == 2);
  CHECK(group.s == Approx(2.0 * (-127 + 50 + 2)));
}

TEST_CASE("a group of zeros stays zeros") {
  const auto group = quantize_q8_1(std::vector<float>(32, 0.0f));
  CHECK(group.d == 0);
  CHECK(group.s == 0);
  CHECK(group.q == std::array<int, 32>{});
}
