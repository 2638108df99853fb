#include <tg/dsl/math/trigonometry.hpp>

#include "../accuracy.hpp"

TEST_CASE("sin is right everywhere") {
  const auto f = [](auto x) { return tg::sin(x); };
  const auto oracle = [](auto x) { return std::sin(x); };
  SUBCASE("float") { accuracy::check<float>(f, oracle, 1.6, -200000, 200000, 3); }
  SUBCASE("double") { accuracy::check<double>(f, oracle, 1.6, -1e6, 1e6, 4); }
}

TEST_CASE("cos is right everywhere") {
  const auto f = [](auto x) { return tg::cos(x); };
  const auto oracle = [](auto x) { return std::cos(x); };
  SUBCASE("float") { accuracy::check<float>(f, oracle, 1.6, -200000, 200000, 3); }
  SUBCASE("double") { accuracy::check<double>(f, oracle, 1.6, -1e6, 1e6, 4); }
}

TEST_CASE("sincos gives both") {
  const auto x = accuracy::samples<float>(-100, 100);
  const auto sum = [](auto v) {
    const auto [s, c] = tg::sincos(v);
    return tg::rounded_add(s, c);
  };
  const auto apart = [](auto v) { return tg::rounded_add(tg::sin(v), tg::cos(v)); };
  const auto a = accuracy::apply<float>(sum, x), b = accuracy::apply<float>(apart, x);
  for (std::size_t i = 0; i < x.size(); ++i)
    if (!(a[i] == b[i] || (std::isnan(a[i]) && std::isnan(b[i])))) FAIL(x[i]);
}
