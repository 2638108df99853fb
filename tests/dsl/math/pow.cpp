#include <tg/dsl/math/pow.hpp>

#include "../accuracy_of_two.hpp"

TEST_CASE("pow is right everywhere, with the special values of C") {
  const auto f = [](auto x, auto y) { return tg::pow(x, y); };
  const auto oracle = [](auto x, auto y) { return std::pow(x, y); };
  SUBCASE("float") {
    accuracy::check_of_two<float>(f, oracle, 1.05, 0, 30, 3);
    accuracy::check_of_two<float>(f, oracle, 1.05, 0.5, 2, 3);
  }
  SUBCASE("double") { accuracy::check_of_two<double>(f, oracle, 0.95, 0, 30, 3); }
}

TEST_CASE("a C++ number beside a value") {
  const std::vector<float> x = {0.0f, 1.5f, 4.0f, 9.0f};
  CHECK(accuracy::apply<float>([](auto v) { return tg::pow(v, 2.0f); }, x) == std::vector<float>{0.0f, 2.25f, 16.0f, 81.0f});
  CHECK(accuracy::apply<float>([](auto v) { return tg::pow(2.0f, v); }, x)[2] == 16.0f);
}
