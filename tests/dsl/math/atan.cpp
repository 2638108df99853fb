#include <tg/dsl/math/atan.hpp>

#include "../accuracy_of_two.hpp"

TEST_CASE("atan is right everywhere") {
  const auto f = [](auto x) { return tg::atan(x); };
  const auto oracle = [](auto x) { return std::atan(x); };
  SUBCASE("float") { accuracy::check<float>(f, oracle, 2.1, -4, 4, 1); }
  SUBCASE("double") { accuracy::check<double>(f, oracle, 1.8, -4, 4, 1); }
}

TEST_CASE("atan2 is right in every quadrant, for zeros, infinities and subnormals too") {
  const auto f = [](auto y, auto x) { return tg::atan2(y, x); };
  const auto oracle = [](auto y, auto x) { return std::atan2(y, x); };
  SUBCASE("float") { accuracy::check_of_two<float>(f, oracle, 2.05, -4, 4, 1); }
  SUBCASE("double") { accuracy::check_of_two<double>(f, oracle, 1.85, -4, 4, 1); }
}
