#include <tg/dsl/math/exp.hpp>

#include "../accuracy.hpp"

TEST_CASE("exp is right everywhere") {
  const auto f = [](auto x) { return tg::exp(x); };
  const auto oracle = [](auto x) { return std::exp(x); };
  SUBCASE("float") { accuracy::check<float>(f, oracle, 1.05, -110, 95); }
  SUBCASE("double") { accuracy::check<double>(f, oracle, 1.05, -760, 720); }
}

TEST_CASE("exp with an ex2.approx that is off stays within its bound") {
  // The emulator rounds ex2.approx once; other numbers of units stand in for what hardware may return.
  const auto worst_with = [](int units) {
    const auto f = [units](auto x) {
      const tg::detail::power_parts parts = tg::detail::split_power(tg::let(x));
      return tg::rounded_mul(tg::bit_cast<float>(tg::bit_cast<int>(tg::approx::exp2_ftz(parts.f)) + units), parts.power);
    };
    std::vector<float> x;
    for (float v = -80; v < 80; v += 0x1.3p-10f) x.push_back(v);
    return accuracy::worst(x, accuracy::apply<float>(f, x), [](double v) { return std::exp(v); }).ulps;
  };
  CHECK(worst_with(1) <= 2.2);
  CHECK(worst_with(-1) <= 2.2);
  CHECK(worst_with(2) > 2.2);
}

TEST_CASE("exp is 10 instructions") {
  const auto count = [](auto f) {
    const std::string text = accuracy::lowered<float>(f).ptx;
    return std::count(text.begin(), text.end(), ';');
  };
  CHECK(count([](auto x) { return tg::exp(x); }) - count([](auto x) { return x; }) <= 10);
}

TEST_CASE("exp2 is right everywhere") {
  const auto f = [](auto x) { return tg::exp2(x); };
  const auto oracle = [](auto x) { return std::exp2(x); };
  SUBCASE("float") { accuracy::check<float>(f, oracle, 0.95, -155, 135); }
  SUBCASE("double") { accuracy::check<double>(f, oracle, 0.95, -1080, 1030); }
}

TEST_CASE("powers of two are exact, subnormal ones included") {
  std::vector<float> x;
  for (int k = -149; k <= 127; ++k) x.push_back(static_cast<float>(k));
  const auto y = accuracy::apply<float>([](auto v) { return tg::exp2(v); }, x);
  for (std::size_t i = 0; i < x.size(); ++i) CHECK(y[i] == std::ldexp(1.0f, static_cast<int>(x[i])));
}
