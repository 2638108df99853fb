#include <tg/tree/special.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <vector>

#include <tg/array.hpp>
#include <tg/tg.hpp>

TEST_CASE("functions of elements that are included one by one are those of values") {
  tg::device gpu;
  const std::vector<double> a{0.25, 1, 2, 7.5}, b{2, -1, 0.5, 3};
  const tg::array x(gpu, a), y(gpu, b);
  const auto check = [&](const tg::array<double, 1>& got, const std::function<double(double, double)>& wanted) {
    const auto own = got.to_host();
    for (std::size_t k = 0; k < a.size(); ++k) CHECK(own[k] == doctest::Approx(wanted(a[k], b[k])).epsilon(1e-14));
  };
  check(tg::atan(x), [](double p, double) { return std::atan(p); });
  check(tg::cbrt(x), [](double p, double) { return std::cbrt(p); });
  check(tg::expm1(x), [](double p, double) { return std::expm1(p); });
  check(tg::softplus(y), [](double, double q) { return std::log1p(std::exp(q)); });
  check(tg::log1p(x), [](double p, double) { return std::log1p(p); });
  check(tg::atan2(x, y), [](double p, double q) { return std::atan2(p, q); });
  check(tg::fmod(x, y), [](double p, double q) { return std::fmod(p, q); });
  check(tg::pow(x, y), [](double p, double q) { return std::pow(p, q); });
  check(tg::pow(x, 3.0), [](double p, double) { return p * p * p; });
  check(tg::sin(x) + tg::cos(y), [](double p, double q) { return std::sin(p) + std::cos(q); });
  check(tg::floor(y) + tg::ceil(x) * 10.0 + tg::round(x) * 100.0 + tg::trunc(y) * 1000.0,
        [](double p, double q) { return std::floor(q) + std::ceil(p) * 10 + std::round(p) * 100 + std::trunc(q) * 1000; });
  check(tg::clamp(y, 0.0, 1.0), [](double, double q) { return std::min(std::max(q, 0.0), 1.0); });
  check(tg::where(tg::isnan(tg::log(y)) || !tg::isfinite(x), 1.0, 0.0), [](double, double q) { return q < 0; });
}
