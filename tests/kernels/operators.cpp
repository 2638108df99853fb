#include <kernels/operators.hpp>

#include <limits>

#include <doctest/doctest.h>

using namespace tg::kernels;

TEST_CASE("identities change nothing") {
  CHECK(maximum::identity<float>() == -std::numeric_limits<float>::infinity());
  CHECK(minimum::identity<double>() == std::numeric_limits<double>::infinity());
  CHECK(maximum::identity<int>() == std::numeric_limits<int>::min());
  CHECK(maximum::identity<unsigned>() == 0);
  CHECK(minimum::identity<unsigned>() == 0xffffffffu);
  CHECK(addition::identity<double>() == 0);
}
