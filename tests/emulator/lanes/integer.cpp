#include <tg/emulator/lanes/integer.hpp>

#include <doctest/doctest.h>

TEST_CASE("the upper half of 64-bit products") {
  CHECK_EQ(mul_hi_op::of(~uint64_t{0}, ~uint64_t{0}), ~uint64_t{0} - 1);
  CHECK_EQ(mul_hi_op::of(uint64_t{1} << 63, uint64_t{2}), 1);
  CHECK_EQ(mul_hi_op::of(int64_t{-1}, int64_t{1}), -1);
  CHECK_EQ(mul_hi_op::of(INT64_MIN, INT64_MIN), int64_t{1} << 62);
}

TEST_CASE("carries and borrows with a carry in") {
  CHECK_EQ(add_carry_op::carry(~uint32_t{0}, uint32_t{0}, 1), 1);
  CHECK_EQ(add_carry_op::carry(~uint32_t{0}, uint32_t{0}, 0), 0);
  CHECK_EQ(add_carry_op::carry(~uint64_t{0}, ~uint64_t{0}, 1), 1);
  CHECK_EQ(sub_borrow_op::carry(uint32_t{5}, uint32_t{5}, 1), 1);
  CHECK_EQ(sub_borrow_op::carry(uint32_t{5}, uint32_t{5}, 0), 0);
  CHECK_EQ(sub_borrow_op::carry(uint32_t{6}, uint32_t{5}, 0), 1);
  CHECK_EQ(sub_borrow_op::carry(uint32_t{5}, uint32_t{6}, 1), 0);
  CHECK_EQ(sub_borrow_op::of(uint64_t{5}, uint64_t{6}, 1), ~uint64_t{0});
  CHECK_EQ(sub_borrow_op::of(uint64_t{5}, uint64_t{3}, 0), 1);
}

TEST_CASE("division where C++ has no answer") {
  CHECK_EQ(div_op::of(5u, 0u), ~0u);
  CHECK_EQ(div_op::of(INT32_MIN, -1), INT32_MIN);
  CHECK_EQ(rem_op::of(INT64_MIN, int64_t{-1}), 0);
  CHECK_EQ(rem_op::of(5, 0), -1);
}
