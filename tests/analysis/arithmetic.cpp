#include <tg/analysis/arithmetic.hpp>

#include <doctest/doctest.h>

using namespace tg::analysis;

namespace {

constexpr lane_value x = thread_coordinate({32, 8}, axis::x, 3);
constexpr lane_value y = thread_coordinate({16, 16}, axis::y, 1);
constexpr lane_value global_x = add(mul(uniform(), constant(256)), x);

}  // namespace

static_assert(global_x.divisor == 256 && global_x.offset == x.offset && is_non_negative(global_x));
static_assert(sub(x, x) == constant(0) && mul(x, constant(0)) == constant(0));
static_assert(sub(global_x, uniform()).maybe_negative && !is_non_negative(sub(global_x, uniform())));
static_assert(mul(constant(4), global_x) == mul(global_x, constant(4)) &&
              shl(global_x, constant(2)) == mul(global_x, constant(4)));
static_assert(!add(x, unknown()).known && !mul(unknown(), constant(0)).known);

// A row of its own for each y, and the base keeps what both factors say of it.
static_assert([] {
  const lane_value row = add(mul(uniform(), constant(16)), y);
  const lane_value at = add(mul(row, stride(4)), global_x);
  return at.stride_count == 1 && at.strides[0].divisor == 4 && at.strides[0].coef == y.offset && at.divisor == 64;
}());

TEST_CASE("unknown times unknown is as divisible as both") {
  const lane_value a = add(uniform(6), constant(9));
  const lane_value b = uniform(10, true);
  CHECK(mul(a, b).divisor == 30);
  CHECK(mul(a, b).maybe_negative);
  CHECK(is_uniform(mul(a, b)));
}

TEST_CASE("a mask survives what cannot carry, becomes base where it may, and else is unknown") {
  lane_value swizzled = x;
  swizzled.xor_bits = 24;
  const lane_value row = mul(y, constant(32));
  CHECK(add(row, swizzled).xor_bits == 24);
  CHECK(mul(swizzled, constant(8)).xor_bits == 192);
  CHECK(mul(swizzled, constant(8)).offset == mul(x, constant(8)).offset);
  CHECK_FALSE(mul(swizzled, constant(3)).known);
  CHECK_FALSE(add(swizzled, x).known);
  CHECK(add(swizzled, constant(12)).divisor == 12);
  CHECK(add(swizzled, constant(12)).xor_bits == 24);

  lane_value beside = x;
  beside.xor_bits = 96;
  CHECK(mul(beside, constant(3)).divisor == 96);
  CHECK(add(beside, x).divisor == 32);
}

TEST_CASE("shifting by lanes scales lane by lane") {
  const lane_value r = shl(constant(3), x);
  CHECK(is_exact(r));
  CHECK(r.offset[5] == 96);
  CHECK_FALSE(shl(x, constant(-1)).known);
  CHECK_FALSE(shl(constant(1 << 20), constant(40)).known);
  CHECK(is_uniform(shl(uniform(4), uniform())));
}

TEST_CASE("numbers too large are given up, not wrapped") {
  const lane_value big = constant(magnitude_limit);
  CHECK_FALSE(add(big, big).known);
  CHECK_FALSE(mul(big, x).known);
  CHECK_FALSE(mul(mul(uniform(), x), big).known);
}

TEST_CASE("a narrow type wraps what is exact and gives up what is not") {
  const lane_value hash = narrow(mul(x, constant(2654435761)), 32, false);
  for (int l = 0; l < warp_lanes; ++l) CHECK(hash.offset[l] == std::uint32_t(l) * 2654435761u);
  CHECK(fits(constant(255), 8, false));
  CHECK_FALSE(fits(constant(200), 8, true));
  CHECK(narrow(constant(200), 8, true) == constant(-56));
  CHECK(narrow(constant(-1), 32, false) == constant(-1));
  CHECK_FALSE(narrow(mul(global_x, constant(2654435761)), 32, false).known);
  CHECK(narrow(global_x, 32, false) == global_x);
}

TEST_CASE("a clamped value stays clamped, between bounds that move along") {
  lane_value at = mul(uniform(), constant(64));
  add_stride(at, 4, x.offset, false, lane_term::clamped);
  const lane_value vector = mul(at, constant(4));
  REQUIRE(clamped_term(vector) == 0);
  CHECK(vector.strides[0].divisor == 16);
  CHECK(clamped_term(add(vector, constant(2))) == 0);
  CHECK(clamped_term(add(global_x, x)) == -1);
  const lane_value two = add(at, mul(at, constant(2)));
  REQUIRE(two.stride_count == 2);
  CHECK(two.strides[0].kind == lane_term::clamped);
  CHECK(two.strides[1].kind == lane_term::grouped);
  CHECK(mul(at, uniform()).strides[0].kind == lane_term::grouped);
  CHECK_FALSE(mul(at, x).known);
}
