#include <kernels/reference/norms.hpp>

#include <doctest/doctest.h>

using doctest::Approx;
using namespace tg::kernels::reference;

namespace { const auto one = [](unsigned) { return 1.0; }; }  // namespace

TEST_CASE("rows have a mean of 0 and a variance of 1, then gamma and beta") {
  const auto x = [](unsigned r, unsigned c) { return r * 100.0 + 3 * c; };
  const auto y = layer_norm<float>(2, 3, x, one, [](unsigned c) { return c == 0 ? 5.0 : 0.0; }, 0).value;
  CHECK(y[0] == Approx(5 - std::sqrt(1.5)));
  CHECK(y[1] == Approx(0));
  CHECK(y[2] == Approx(std::sqrt(1.5)));
  for (std::size_t c = 0; c < 3; ++c) CHECK(y[3 + c] == Approx(y[c]));
}

TEST_CASE("a sum and its norm") {
  const auto out = residual_rms_norm<float>(
      1, 2, [](unsigned, unsigned c) { return c + 1.0; }, [](unsigned, unsigned c) { return 2.0 + 3 * c; },
      [](unsigned c) { return c + 1.0; }, 0);
  CHECK(out.sum.value == std::vector<double>{3, 7});
  CHECK(out.y.value[0] == Approx(3 / std::sqrt(29.0)));
  CHECK(out.y.value[1] == Approx(14 / std::sqrt(29.0)));
}

TEST_CASE("a norm times two matrices, one of which gates the other") {
  const auto of = [](double v) { return [v](unsigned, unsigned) { return v; }; };
  const auto y = rms_swiglu<float>(1, 1, 4, of(3), one, of(0.5), of(2), 0);  // the norm of a row of 3 is a row of 1
  CHECK(y.value[0] == Approx(2 / (1 + std::exp(-2.0)) * 8));
  CHECK(y.bound[0] > 0);
}
