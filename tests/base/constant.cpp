#include <tg/base/constant.hpp>

#include <doctest/doctest.h>

#include <type_traits>

using namespace tg::literals;

static_assert(std::is_same_v<decltype(33_c), tg::constant<33>> && std::is_same_v<decltype(-33_c), tg::constant<-33>>);
static_assert(std::is_same_v<decltype(0x20_c), tg::constant<32>> && std::is_same_v<decltype(0b101_c), tg::constant<5>> &&
              std::is_same_v<decltype(1'000_c), tg::constant<1000>>);
static_assert(std::is_same_v<decltype(7_c * 5_c - 3_c + 1_c), tg::constant<33>>);
static_assert(std::is_same_v<decltype(7_c / 2_c), tg::constant<3>> && std::is_same_v<decltype(7_c % 4_c), tg::constant<3>>);
static_assert(std::is_same_v<decltype(~31_c & 96_c), tg::constant<96>> &&
              std::is_same_v<decltype(1_c << 4_c), tg::constant<16>> &&
              std::is_same_v<decltype((6_c | 1_c) ^ 2_c), tg::constant<5>> &&
              std::is_same_v<decltype(-16_c >> 2_c), tg::constant<-4>>);
static_assert(tg::is_constant<tg::constant<3>> && !tg::is_constant<int>);

TEST_CASE("a constant is a number where C++ wants one") {
  const long long n = 3_c;
  CHECK(n == 3);
  CHECK(2_c < 3_c);
}
