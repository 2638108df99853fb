#include <tg/analysis/integer.hpp>

#include <doctest/doctest.h>

#include <limits>
#include <numeric>

using namespace tg::analysis;

static_assert(gcd(0, 0) == 0 && gcd(0, -6) == 6 && gcd(-12, 18) == 6);
static_assert(floor_div(-1, 4) == -1 && floor_div(-4, 4) == -1 && floor_div(7, 4) == 1);
static_assert(floor_mod(-1, 4) == 3 && floor_mod(-4, 4) == 0 && floor_mod(7, 4) == 3);
static_assert(lowest_bit(0) == 0 && lowest_bit(12) == 4 && lowest_bit(-8) == 8);
static_assert(is_power_of_two(1) && is_power_of_two(64) && !is_power_of_two(0) && !is_power_of_two(6));
static_assert(divisor_of_product(6, 0) == 0 && divisor_of_product(6, 4) == 24);

TEST_CASE("divisions round down and gcd is the library's") {
  for (std::int64_t a = -40; a <= 40; ++a)
    for (std::int64_t b = 1; b <= 9; ++b) {
      CHECK(floor_div(a, b) * b + floor_mod(a, b) == a);
      CHECK(floor_mod(a, b) >= 0);
      CHECK(floor_mod(a, b) < b);
      CHECK(gcd(a, b) == std::gcd(a, b));
    }
}

TEST_CASE("the smallest number has a magnitude and divisors") {
  constexpr std::int64_t smallest = std::numeric_limits<std::int64_t>::min();
  CHECK(tg::analysis::magnitude(smallest) == std::numeric_limits<std::int64_t>::max());
  CHECK(tg::analysis::magnitude(-5) == 5);
  CHECK(tg::analysis::gcd(smallest, 24) == 8);
  CHECK(tg::analysis::gcd(24, smallest) == 8);
  CHECK(tg::analysis::gcd(0, smallest) == std::int64_t{1} << 62);
  CHECK(tg::analysis::gcd(smallest, smallest) == std::int64_t{1} << 62);
}

TEST_CASE("a product that is too large is refused, its divisor is not overstated") {
  std::int64_t product = 0;
  CHECK(multiply(1 << 20, 1 << 20, product));
  CHECK_FALSE(multiply(std::int64_t{1} << 40, 1 << 20, product));
  CHECK_FALSE(multiply(INT64_MAX, INT64_MAX, product));
  CHECK(divisor_of_product(std::int64_t{1} << 40, std::int64_t{3} << 20) == std::int64_t{1} << 40);
}
