#include <tg/dsl/math/log1p.hpp>

#include "../accuracy.hpp"

TEST_CASE("log1p is right everywhere") {
  const auto f = [](auto x) { return tg::log1p(x); };
  const auto oracle = [](auto x) { return std::log1p(x); };
  SUBCASE("float") { accuracy::check<float>(f, oracle, 1.5, -1, 4, 1); }
  SUBCASE("double") { accuracy::check<double>(f, oracle, 1.35, -1, 4, 1); }
}
