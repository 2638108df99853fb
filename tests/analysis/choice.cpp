#include <tg/analysis/choice.hpp>

#include <doctest/doctest.h>

#include <tg/analysis/global.hpp>
#include <tg/analysis/shared.hpp>

using namespace tg::analysis;

namespace {

constexpr lane_value tx = thread_coordinate({32, 8}, axis::x, 2);
constexpr lane_value i = add(mul(uniform(), constant(32)), tx);
constexpr lane_value n = uniform();

}  // namespace

static_assert(min(tx, constant(5)).offset[9] == 5 && max(tx, constant(5)).offset[2] == 5 && is_exact(min(tx, constant(5))));
static_assert(max(i, constant(0)) == i && max(constant(0), i) == i);
static_assert(is_uniform(min(n, constant(8))) && is_non_negative(max(sub(n, n), constant(0))));
static_assert(!min(i, i).known && !min(tx, unknown()).known);
static_assert(!min(sub(tx, constant(1)), constant(5), false).known && min(sub(tx, constant(1)), constant(5), true).known);
static_assert(less(tx, constant(3)).offset[2] == 1 && less(tx, constant(3)).offset[3] == 0 && equal(tx, tx) == constant(1));
static_assert(is_uniform(less(n, n)) && !less(i, n).known);

TEST_CASE("a coordinate kept inside the picture costs what it costs in the interior, at most") {
  const lane_value free = sub(i, constant(1));
  const lane_value at = min(max(free, constant(0)), sub(n, constant(1)));
  REQUIRE(clamped_term(at) == 0);
  CHECK(interior(at).offset == sub(tx, constant(1)).offset);
  CHECK(at.strides[0].divisor == 1);
  CHECK(count_global(at, 4, 4, 16, all_lanes).good);
  CHECK(count_global(at, 4, 4, 16, all_lanes).sectors == count_global(free, 4, 4, 16, all_lanes).sectors);
  const lane_value pixel = add(mul(at, constant(3)), constant(1));
  CHECK(clamped_term(pixel) == 0);
  CHECK_FALSE(count_global(pixel, 4, 4, 16, all_lanes).exact);
}

TEST_CASE("what is added behind a clamp counts at the bounds too") {
  const lane_value spread = sub(mul(max(i, n), constant(33)), mul(i, constant(32)));
  CHECK(count_global(spread, 4, 4, 16, all_lanes).sectors == 32);
  CHECK_FALSE(count_global(spread, 4, 4, 16, all_lanes).good);
  CHECK(count_shared(spread, 4, 4, all_lanes).wavefronts == 32);
  // Three channels of each pixel: the bytes of one pixel are among those of its neighbours.
  const lane_value x = thread_coordinate({96}, axis::x, 1);
  const lane_value pixel = add(div(x, constant(3), true), mul(uniform(), constant(32)));
  const lane_value channel = mod(x, constant(3), true);
  const lane_value at = add(mul(min(max(sub(pixel, constant(1)), constant(0)), sub(n, constant(1))), constant(3)), channel);
  CHECK(count_global(at, 4, 4, 16, all_lanes).good);
  CHECK(count_global(at, 4, 4, 16, all_lanes).sectors == 5);
}

TEST_CASE("bounds are multiples of what both sides are multiples of") {
  CHECK(min(i, uniform(8)).strides[0].divisor == 8);
  CHECK(min(min(i, uniform(8)), uniform(12)).strides[0].divisor == 4);
  CHECK(max(sub(i, constant(1)), constant(0)).strides[0].divisor == 32);
  CHECK(granularity(min(mul(i, constant(4)), mul(n, constant(4)))) == 4);
}

TEST_CASE("a clamped row times an unknown stride is a row of its own") {
  const lane_value row = thread_coordinate({16, 16}, axis::y, 1);
  const lane_value at = add(mul(min(row, n), stride(8)), thread_coordinate({16, 16}, axis::x, 1));
  REQUIRE(at.stride_count == 1);
  CHECK(at.strides[0].kind == lane_term::grouped);
  CHECK(at.strides[0].divisor == 8);
  CHECK(count_global(at, 4, 4, 32, all_lanes).good);
  CHECK(count_global(at, 4, 4, 32, all_lanes).sectors == 4);
  CHECK_FALSE(count_shared(at, 4, 4, all_lanes).known);
}

TEST_CASE("no claim where unsigned lanes may have wrapped, or bits of a clamped number are taken") {
  CHECK_FALSE(min(sub(i, constant(1)), n, false).known);
  CHECK(min(sub(i, constant(1)), n, true).known);
  CHECK_FALSE(bit_and(min(i, n), constant(7)).known);
  CHECK_FALSE(mod(min(i, n), constant(3), true).known);
  CHECK_FALSE(mul(min(i, n), tx).known);
  CHECK(clamped_term(div(min(i, n), constant(4), true)) == 0);
}

TEST_CASE("a choice the warp makes as one keeps the pattern, one that lanes make needs to be known") {
  const lane_value either = select(n, add(i, constant(64)), add(i, constant(16)));
  CHECK(either.known);
  CHECK(either.divisor == 16);
  CHECK(select(less(tx, constant(4)), tx, constant(9)).offset[3] == 3);
  CHECK(select(less(tx, constant(4)), tx, constant(9)).offset[4] == 9);
  CHECK(select(constant(0), tx, i) == i);
  CHECK_FALSE(select(n, tx, constant(0)).known);
  CHECK_FALSE(select(less(i, n), i, constant(0)).known);
  CHECK(select(unknown(), tx, tx) == tx);
}
