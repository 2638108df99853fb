#include <tg/emulator/lanes/convert.hpp>

#include <doctest/doctest.h>

TEST_CASE("the ends of the integer ranges") {
  CHECK_EQ(to_integer_op<int32_t>::of(2147483648.0f), INT32_MAX);
  CHECK_EQ(to_integer_op<int32_t>::of(-3e9f), INT32_MIN);
  CHECK_EQ(to_integer_op<uint32_t>::of(-1.0f), 0);
  CHECK_EQ(to_integer_op<uint32_t>::of(4294967040.0f), 4294967040u);
  CHECK_EQ(to_integer_op<uint64_t>::of(1.9e19), ~uint64_t{0});
  CHECK_EQ(to_integer_op<int32_t>::of(from_bits<float>(0x7fc00000)), 0);
  CHECK_EQ(to_integer_op<uint32_t>::of(from_bits<double>(0x7ff8000000000000)), 0x80000000u);
  CHECK_EQ(to_integer_op<int64_t>::of(from_bits<float>(0xffc00000)), INT64_MIN);
}
