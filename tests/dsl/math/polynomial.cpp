#include <tg/dsl/math/polynomial.hpp>

#include "../accuracy.hpp"

TEST_CASE("coefficients stand in rising order") {
  const auto f = [](auto x) { return tg::polynomial(x, std::array{1.0f, -2.0f, 0.0f, 3.0f}); };
  CHECK(accuracy::apply<float>(f, {0, 1, 2, -1}) == std::vector<float>{1, 2, 21, 0});
  const auto line = [](auto x) { return tg::polynomial(x, std::array{5.0, 2.0}); };
  CHECK(accuracy::apply<double>(line, {3}) == std::vector<double>{11});
}
