#include <tg/dsl/math/log.hpp>

#include "../accuracy.hpp"

TEST_CASE("log is right everywhere") {
  const auto f = [](auto x) { return tg::log(x); };
  const auto oracle = [](auto x) { return std::log(x); };
  SUBCASE("float") { accuracy::check<float>(f, oracle, 1.1, 0.4, 2.5, 3); }
  SUBCASE("double") { accuracy::check<double>(f, oracle, 1.1, 0.4, 2.5, 3); }
}

TEST_CASE("log2 is right everywhere") {
  const auto f = [](auto x) { return tg::log2(x); };
  const auto oracle = [](auto x) { return std::log2(x); };
  SUBCASE("float") { accuracy::check<float>(f, oracle, 1.1, 0.4, 2.5, 3); }
  SUBCASE("double") { accuracy::check<double>(f, oracle, 1.1, 0.4, 2.5, 3); }
}

TEST_CASE("log10 is right everywhere") {
  const auto f = [](auto x) { return tg::log10(x); };
  const auto oracle = [](auto x) { return std::log10(x); };
  SUBCASE("float") { accuracy::check<float>(f, oracle, 1.1, 0.4, 2.5, 3); }
  SUBCASE("double") { accuracy::check<double>(f, oracle, 1.1, 0.4, 2.5, 3); }
}

TEST_CASE("the logarithm to base 2 of a power of two is exact") {
  std::vector<double> x;
  for (int k = -1074; k <= 1023; ++k) x.push_back(std::ldexp(1.0, k));
  const auto y = accuracy::apply<double>([](auto v) { return tg::log2(v); }, x);
  for (std::size_t i = 0; i < x.size(); ++i) CHECK(y[i] == static_cast<double>(i) - 1074);
}
