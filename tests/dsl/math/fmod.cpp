#include <tg/dsl/math/fmod.hpp>

#include "../accuracy_of_two.hpp"

TEST_CASE("fmod is exact") {
  const auto f = [](auto x, auto y) { return tg::fmod(x, y); };
  const auto oracle = [](auto x, auto y) { return std::fmod(x, y); };
  SUBCASE("float") { accuracy::check_of_two<float>(f, oracle, 0, -400, 400); }
  SUBCASE("double") { accuracy::check_of_two<double>(f, oracle, 0, -400, 400); }
}
