#include <tg/emulator/matrix/product.hpp>

#include <doctest/doctest.h>

using namespace tg::emulator;

TEST_CASE("integer sums wrap, saturate, or count the bits that differ") {
  const float sums[] = {1, -1, 100, -6};
  const std::uint32_t c[] = {0x7fffffff, 0x80000000, 5, 0};
  std::uint32_t d[4];
  finish_integers(accumulation::wrapping, 16, sums, c, d, 4);
  CHECK_EQ(d[0], 0x80000000);
  CHECK_EQ(d[1], 0x7fffffff);
  CHECK_EQ(d[2], 105);
  finish_integers(accumulation::saturating, 16, sums, c, d, 4);
  CHECK_EQ(d[0], 0x7fffffff);
  CHECK_EQ(d[1], 0x80000000);
  CHECK_EQ(d[3], 0xfffffffa);
  finish_integers(accumulation::differing, 10, sums, c, d, 4);
  CHECK_EQ(d[3], 8);  // 8 of 10 products of signs are -1
}
