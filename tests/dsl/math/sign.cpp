#include <tg/dsl/math/sign.hpp>

#include "../accuracy.hpp"

TEST_CASE("copysign takes the sign of zeros and infinities too") {
  const std::vector<float> x = {1.5f, -1.5f, 0.0f, -0.0f, INFINITY, -INFINITY};
  const auto y = accuracy::apply<float>([](auto v) { return tg::copysign(2.0f * v, -v); }, x);
  for (std::size_t i = 0; i < x.size(); ++i) {
    CHECK(std::signbit(y[i]) == !std::signbit(x[i]));
    CHECK(std::fabs(y[i]) == std::fabs(2 * x[i]));
  }
  const auto z = accuracy::apply<double>([](auto v) { return tg::copysign(v, v * 0.0 - 1.0); }, {7.0, -8.0});
  CHECK(z == std::vector<double>{-7, -8});
}
