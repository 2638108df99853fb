#include <kernels/reference/softmax.hpp>

#include <doctest/doctest.h>

using doctest::Approx;
using tg::kernels::reference::softmax;

TEST_CASE("each row adds up to one, whatever its level") {
  const std::vector<float> x{0, 1, 2, 1000, 1001, 1002};
  const auto y = softmax(x, 3);
  REQUIRE(y.size() == 6);
  CHECK(y[0] + y[1] + y[2] == Approx(1.0));
  CHECK(y[2] / y[1] == Approx(std::exp(1.0)));
  for (std::size_t i = 0; i < 3; ++i) CHECK(y[i] == Approx(y[i + 3]));
  CHECK(softmax(std::vector<float>{-7}, 1) == std::vector<double>{1.0});
}
