#include <tg/dsl/math/reciprocal.hpp>

#include <tg/dsl/value/bit_cast.hpp>

#include "../accuracy.hpp"

TEST_CASE("rcp is correctly rounded") {
  const auto f = [](auto x) { return tg::rcp(x); };
  const auto oracle = [](auto x) { return 1 / x; };
  SUBCASE("float") { accuracy::check<float>(f, oracle, 0.5, -4, 4); }
  SUBCASE("double") { accuracy::check<double>(f, oracle, 0.5001, -4, 4); }
}

TEST_CASE("rsqrt is right everywhere") {
  const auto f = [](auto x) { return tg::rsqrt(x); };
  const auto oracle = [](auto x) { return 1 / std::sqrt(x); };
  SUBCASE("float") { accuracy::check<float>(f, oracle, 1.1, 0.25, 4); }
  SUBCASE("double") { accuracy::check<double>(f, oracle, 1.5, 0.25, 4); }
}

TEST_CASE("the Newton step repairs an estimate that is a few ulp off") {
  // 1/√x less two ulp stands in for the worst that rsqrt.approx may return.
  const auto refined = [](auto x) {
    const auto estimate = tg::bit_cast<float>(tg::bit_cast<unsigned>(tg::approx::rsqrt(x)) - 2u);
    return tg::detail::newton_rsqrt(x, estimate);
  };
  const auto oracle = [](double x) { return 1 / std::sqrt(x); };
  std::vector<float> x;
  for (float v = 0.25f; v < 4; v += 0x1p-15f) x.push_back(v);
  const auto plain = [](auto v) { return tg::bit_cast<float>(tg::bit_cast<unsigned>(tg::approx::rsqrt(v)) - 2u); };
  CHECK(accuracy::worst(x, accuracy::apply<float>(refined, x), oracle).ulps <= 1.1);
  CHECK(accuracy::worst(x, accuracy::apply<float>(plain, x), oracle).ulps > 1.1);
}
