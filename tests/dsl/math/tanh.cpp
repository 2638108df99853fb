#include <tg/dsl/math/tanh.hpp>

#include "../accuracy.hpp"

TEST_CASE("tanh is right everywhere") {
  const auto f = [](auto x) { return tg::tanh(x); };
  const auto oracle = [](auto x) { return std::tanh(x); };
  SUBCASE("float") { accuracy::check<float>(f, oracle, 1.6, -2, 2, 2); }
  SUBCASE("double") { accuracy::check<double>(f, oracle, 1.5, -2, 2, 1); }
}
