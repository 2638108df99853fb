#include <tg/ptx/passes/division.hpp>

#include <doctest/doctest.h>

TEST_CASE("the multipliers of known divisors") {
  using namespace tg::ptx;
  constexpr auto by_10 = divide_unsigned_by(10, 32);
  static_assert(by_10.multiplier == 0xcccccccd && by_10.shift == 3 && !by_10.adds);
  constexpr auto by_3 = divide_unsigned_by(3, 32);
  static_assert(by_3.multiplier == 0xaaaaaaab && by_3.shift == 1 && !by_3.adds);
  constexpr auto by_7 = divide_unsigned_by(7, 32);  // 33 bits
  static_assert(by_7.multiplier == 0x24924925 && by_7.shift == 2 && by_7.adds);
  constexpr auto by_14 = divide_unsigned_by(14, 32);  // even: one shift first saves the 33rd bit
  static_assert(by_14.pre_shift == 1 && !by_14.adds);
  constexpr auto signed_by_7 = divide_signed_by(7, 32);
  static_assert(signed_by_7.multiplier == static_cast<std::int32_t>(0x92492493) && signed_by_7.shift == 2 && signed_by_7.adds);
  CHECK(divide_unsigned_by(10, 64).multiplier == 0xcccccccccccccccdull);
}

// What the multipliers do is tested with the instructions made from them, in reduce_strength.cpp.
TEST_CASE("every 16-bit divisor is exact at the largest value and below each multiple near it") {
  using namespace tg::ptx;
  for (std::uint64_t d = 3; d < 65536; ++d) {
    if ((d & (d - 1)) == 0) continue;
    const unsigned_division by = divide_unsigned_by(d, 16);
    for (std::uint64_t n : {std::uint64_t{65535}, 65535 / d * d, 65535 / d * d - 1}) {
      std::uint64_t q = (n >> by.pre_shift) * by.multiplier >> 16;
      q = by.adds ? (q + ((n - q) >> 1)) >> by.shift : q >> by.shift;
      if (q != n / d) FAIL_CHECK(d);
    }
  }
}
