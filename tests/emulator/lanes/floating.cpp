#include <tg/emulator/lanes/floating.hpp>

#include <doctest/doctest.h>

TEST_CASE("zeros are ordered, NaN is canonical") {
  CHECK_EQ(to_bits(float_min_op<false>::of(0.0f, -0.0f)), 0x80000000);
  CHECK_EQ(to_bits(float_max_op<false>::of(-0.0f, 0.0f)), 0);
  const float nan = from_bits<float>(0x7fc12345);
  CHECK_EQ(float_min_op<false>::of(nan, 1.0f), 1.0f);
  CHECK_EQ(to_bits(float_min_op<true>::of(nan, 1.0f)), 0x7fffffff);
  CHECK_EQ(to_bits(float_max_op<false>::of(nan, nan)), 0x7fffffff);
}

TEST_CASE("saturation and flushing") {
  CHECK_EQ(to_bits(saturate_op::of(-0.0f)), 0);
  CHECK_EQ(saturate_op::of(from_bits<float>(0x7fc00000)), 0.0f);
  CHECK_EQ(saturate_op::of(2.0), 1.0);
  CHECK_EQ(to_bits(flush_op::of(-0x1p-140f)), 0x80000000);
  CHECK_EQ(flush_op::of(0x1p-126f), 0x1p-126f);
}

TEST_CASE("gross approximations of doubles have an empty lower word") {
  CHECK_EQ(to_bits(rcp_high_op::of(3.0)) & 0xffffffff, 0);
  CHECK(rcp_high_op::of(3.0) == doctest::Approx(1.0 / 3).epsilon(1e-6));
  CHECK(rsqrt_high_op::of(4.0) == 0.5);
}
