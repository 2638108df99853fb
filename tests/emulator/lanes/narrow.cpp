#include <tg/emulator/lanes/narrow.hpp>

#include <doctest/doctest.h>

TEST_CASE("small floats at their ends") {
  CHECK_EQ(narrow<half>(1.0), 0x3c00);
  CHECK_EQ(narrow<half>(65520.0), 0x7c00);
  CHECK_EQ(narrow<half>(65519.999), 0x7bff);
  CHECK_EQ(narrow<half>(0x1p-24f), 1);
  CHECK_EQ(narrow<half>(0x1p-25f), 0);
  CHECK_EQ(narrow<half>(-0x1.8p-25), 0x8001);
  CHECK_EQ(narrow<half>(0x1.ffep-15), 0x0400);
  CHECK_EQ(narrow<bfloat>(from_bits<float>(0x7f7fffff)), 0x7f80);
  CHECK_EQ(narrow<bfloat>(from_bits<float>(0xffc00000)), 0x7fff);
  CHECK_EQ(narrow<e4m3>(448.0f), 0x7e);
  CHECK_EQ(narrow<e5m2>(-57344.0f), 0xfb);
}

TEST_CASE("what is widened comes back") {
  for (uint32_t a = 0; a < 0x10000; ++a) {
    const bool is_nan = (a & 0x7fff) > half::infinity;
    if (!is_nan) REQUIRE_EQ(narrow<half>(widen<half>(a)), a);
    if ((a & 0x7fff) <= bfloat::infinity) REQUIRE_EQ(narrow<bfloat>(widen<bfloat>(a)), a);
  }
  for (uint32_t a = 0; a < 0x100; ++a) {
    if ((a & 0x7f) != e4m3::nan) CHECK_EQ(narrow<e4m3>(widen<e4m3>(a)), a);
    if ((a & 0x7f) <= e5m2::infinity) CHECK_EQ(narrow<e5m2>(widen<e5m2>(a)), a);
  }
  CHECK_EQ(widen<half>(0xfbff), -65504.0f);
}

TEST_CASE("a sum rounded to odd keeps what nearest would lose") {
  CHECK_EQ(fma_odd_op::of(1.0, 1.0, 0x1p-100), 1.0 + 0x1p-52);
  CHECK_EQ(fma_odd_op::of(1.0, 1.0, -0x1p-100), 1.0 - 0x1p-53);
  CHECK_EQ(fma_odd_op::of(3.0, 5.0, 1.0), 16.0);
  CHECK_EQ(sticky_op::of((uint64_t{1} << 60) + 1), (uint64_t{1} << 60) + 2048);
  CHECK_EQ(sticky_op::of(int64_t{-5}), -5);
}
