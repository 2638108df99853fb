#include <tg/dsl/math/erf.hpp>

#include "../accuracy.hpp"

TEST_CASE("erf is right everywhere") {
  const auto f = [](auto x) { return tg::erf(x); };
  const auto oracle = [](auto x) { return std::erf(x); };
  SUBCASE("float") { accuracy::check<float>(f, oracle, 1.6, -6, 6, 1); }
  SUBCASE("double") { accuracy::check<double>(f, oracle, 1.0, -6, 6, 1); }
}

TEST_CASE("erfc is right everywhere") {
  const auto f = [](auto x) { return tg::erfc(x); };
  const auto oracle = [](auto x) { return std::erfc(x); };
  SUBCASE("float") { accuracy::check<float>(f, oracle, 4.05, -6, 11, 1); }
  SUBCASE("double") { accuracy::check<double>(f, oracle, 3.8, -6, 28, 2); }
}
