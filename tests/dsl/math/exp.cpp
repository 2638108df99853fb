#include <tg/dsl/math/exp.hpp>

#include "../accuracy.hpp"

TEST_CASE("exp is right everywhere") {
  const auto f = [](auto x) { return tg::exp(x); };
  const auto oracle = [](auto x) { return std::exp(x); };
  SUBCASE("float") { accuracy::check<float>(f, oracle, 1.05, -110, 95); }
  SUBCASE("double") { accuracy::check<double>(f, oracle, 1.05, -760, 720); }
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
