#include <tg/array/standard_functions.hpp>

#include <algorithm>
#include <cmath>

#include "arrays.hpp"

TEST_CASE("functions of the C++ library keep their meaning for numbers") {
  CHECK(std::max(2, 3) == 3);
  CHECK(std::min(2.0f, 3.0f) == 2.0f);
  CHECK(std::clamp(5, 1, 3) == 3);
  CHECK(std::sqrt(4.0f) == 2.0f);
  CHECK(std::pow(2.0, 3) == 8.0);
}
