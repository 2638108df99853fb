#include <tg/dsl/math/expm1.hpp>

#include "../accuracy.hpp"

TEST_CASE("expm1 is right everywhere") {
  const auto f = [](auto x) { return tg::expm1(x); };
  const auto oracle = [](auto x) { return std::expm1(x); };
  SUBCASE("float") { accuracy::check<float>(f, oracle, 1.5, -3, 4, 1); }
  SUBCASE("double") { accuracy::check<double>(f, oracle, 1.6, -3, 4); }
}
