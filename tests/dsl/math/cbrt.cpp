#include <tg/dsl/math/cbrt.hpp>

#include "../accuracy.hpp"

TEST_CASE("cbrt is right everywhere") {
  const auto f = [](auto x) { return tg::cbrt(x); };
  const auto oracle = [](auto x) { return std::cbrt(x); };
  SUBCASE("float") { accuracy::check<float>(f, oracle, 0.75, -4, 4); }
  SUBCASE("double") { accuracy::check<double>(f, oracle, 0.6, -4, 4); }
}

TEST_CASE("cubes have their roots") {
  std::vector<float> x, want;
  for (int k = -200; k <= 200; ++k) want.push_back(static_cast<float>(k)), x.push_back(static_cast<float>(k * k * k));
  CHECK(accuracy::apply<float>([](auto v) { return tg::cbrt(v); }, x) == want);
}
