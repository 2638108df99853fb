#include <tg/dsl/math/rounded.hpp>

#include "../accuracy.hpp"

TEST_CASE("what a rounded product lost can be computed") {
  // x² − rounded(x²) by fma is the rounding error; contraction would make it 0.
  const auto error = [](auto x) { return tg::rounded_sub(tg::rounded_mul(x, x), tg::rounded_mul(x, 1.0f + x)); };
  const auto contracted = [](auto x) { return x * x - x * (1.0f + x); };
  CHECK(accuracy::lowered<float>(error).ptx.find("fma") == std::string::npos);
  CHECK(accuracy::lowered<float>(contracted).ptx.find("fma") != std::string::npos);
}

TEST_CASE("each rounds to nearest") {
  const std::vector<double> x = {0.1, -3.7, 1e300, 5e-324};
  const auto y =
      accuracy::apply<double>([](auto v) { return tg::rounded_add(tg::rounded_mul(v, 0.3), tg::rounded_sub(v, 0.7)); }, x);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const volatile double product = x[i] * 0.3, difference = x[i] - 0.7;
    CHECK(y[i] == product + difference);
  }
}
