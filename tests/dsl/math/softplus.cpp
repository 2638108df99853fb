#include <tg/dsl/math/softplus.hpp>

#include "../accuracy.hpp"

namespace {

double softplus(double x) { return std::max(x, 0.0) + std::log1p(std::exp(-std::abs(x))); }

}  // namespace

TEST_CASE("softplus keeps its bound") {
  std::vector<float> x;
  for (int i = 0; i <= 40000; ++i) x.push_back(-80 + 160 * static_cast<float>(i) / 40000);
  const std::vector<float> y = accuracy::apply<float>([](auto v) { return tg::softplus(v); }, x);
  double worst = 0;
  for (std::size_t i = 0; i < x.size(); ++i)
    worst = std::max(worst, std::abs(double(y[i]) - softplus(double(x[i]))) / (0x1p-23 * softplus(double(x[i]))));
  CHECK(worst <= 4);
  CHECK(worst > 0.3);  // a result without any error would not be that of floats
}

TEST_CASE("softplus of what is no ordinary number") {
  const float infinity = std::numeric_limits<float>::infinity();
  const auto y =
      accuracy::apply<float>([](auto v) { return tg::softplus(v); },
                             std::vector<float>{infinity, -infinity, std::numeric_limits<float>::quiet_NaN(), 1e30f});
  CHECK((y[0] == infinity && y[1] == 0 && std::isnan(y[2]) && y[3] == 1e30f));
}
