#include <tg/analysis/division.hpp>

#include <doctest/doctest.h>

using namespace tg::analysis;

namespace {

constexpr lane_value x = thread_coordinate({256}, axis::x, 1);
constexpr lane_value ty = thread_coordinate({8, 8}, axis::y, 1);
constexpr lane_value i = add(mul(uniform(), constant(256)), x);
constexpr lane_value c4 = constant(4);

}  // namespace

static_assert(div(i, constant(64), false).divisor == 4 && is_same(div(i, constant(64), false).offset));
static_assert(div(i, c4, false).offset[7] == 9 && mod(i, c4, false) == mod(x, c4, false));
static_assert(shr(i, constant(2), false) == div(i, c4, false));
static_assert(mod(i, constant(32), true) == thread_coordinate({32}, axis::x, 0));
static_assert(!div(i, constant(3), false).known && !mod(i, constant(3), false).known);
static_assert(is_uniform(div(uniform(), constant(3), true)) && is_uniform(mod(uniform(), uniform(), false)));
static_assert(!div(x, constant(0), false).known && !div(x, uniform(), false).known);

TEST_CASE("a common divisor of base and divisor settles what the lanes cannot cross") {
  const lane_value row = add(mul(uniform(), constant(8)), ty);  // ty is 4..7
  CHECK(is_uniform(div(row, constant(16), false)));
  CHECK(mod(row, constant(12), false).divisor == 4);
  CHECK(mod(row, constant(12), false).offset[0] == 0);
  CHECK_FALSE(mod(add(row, constant(2)), constant(12), false).known);
}

TEST_CASE("signed division rounds to zero, so it needs a sign; a right shift does not") {
  const lane_value before = sub(i, constant(33));
  CHECK_FALSE(div(before, c4, true).known);
  CHECK(shr(before, constant(2), true).offset[0] == -1);
  CHECK_FALSE(mod(before, c4, true).known);
  CHECK(mod(before, c4, false).offset[0] == 3);
  CHECK(div(sub(x, constant(36)), c4, true).offset[0] == -1);
  CHECK(div(sub(x, constant(33)), c4, true).offset[0] == 0);
  CHECK_FALSE(div(sub(x, constant(33)), c4, false).known);
  CHECK_FALSE(shr(sub(x, constant(33)), constant(2), false).known);
  CHECK(div(mul(sub(i, uniform()), c4), c4, true).offset == x.offset);
}

TEST_CASE("strides divide where their factors do") {
  const lane_value at = mul(mul(ty, c4), stride(6));
  const lane_value half = div(at, constant(8), false);
  CHECK(half.stride_count == 1);
  CHECK(half.strides[0].divisor == 3);
  CHECK(half.strides[0].coef == ty.offset);
  CHECK_FALSE(div(at, constant(16), false).known);
  CHECK(mod(at, constant(24), false) == constant(0));
  CHECK_FALSE(mod(at, constant(48), false).known);
}

TEST_CASE("a mask divides by powers of two") {
  lane_value swizzled = x;
  swizzled.xor_bits = 24;
  CHECK(div(swizzled, c4, false).xor_bits == 6);
  CHECK(div(swizzled, c4, false).offset == div(x, c4, false).offset);
  CHECK_FALSE(div(swizzled, constant(3), false).known);
}
