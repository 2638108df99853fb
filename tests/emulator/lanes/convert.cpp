#include <tg/emulator/lanes/convert.hpp>

#include <doctest/doctest.h>

TEST_CASE("the ends of the integer ranges") {
  CHECK_EQ(to_integer_op<int32_t>::of(2147483648.0f), INT32_MAX);
  CHECK_EQ(to_integer_op<int32_t>::of(-3e9f), INT32_MIN);
  CHECK_EQ(to_integer_op<uint32_t>::of(-1.0f), 0);
  CHECK_EQ(to_integer_op<uint32_t>::of(4294967040.0f), 4294967040u);
  CHECK_EQ(to_integer_op<uint64_t>::of(1.9e19), ~uint64_t{0});
  CHECK_EQ(to_integer_op<int64_t>::of(from_bits<double>(0x7ff8000000000000)), 0);
}

TEST_CASE("halves") {
  CHECK_EQ(narrow_to_half(1.0), 0x3c00);
  CHECK_EQ(narrow_to_half(65520.0), 0x7c00);
  CHECK_EQ(narrow_to_half(65519.999), 0x7bff);
  CHECK_EQ(narrow_to_half(0x1p-24), 1);
  CHECK_EQ(narrow_to_half(0x1p-25), 0);
  CHECK_EQ(narrow_to_half(0x1.8p-25), 1);
  CHECK_EQ(narrow_to_half(0x1.ffep-15), 0x0400);
  CHECK_EQ(widen_half(0xfbff), -65504.0f);
  CHECK_EQ(narrow_to_bfloat(from_bits<float>(0x7f7fffff)), 0x7f80);
}
