#include <tg/analysis/choice.hpp>

#include <doctest/doctest.h>

#include <tg/analysis/global.hpp>

using namespace tg::analysis;

namespace {

constexpr lane_value tx = thread_coordinate({32, 8}, axis::x, 2);
constexpr lane_value i = add(mul(uniform(), constant(32)), tx);
constexpr lane_value n = uniform();

}  // namespace

static_assert(min(tx, constant(5)).offset[9] == 5 && max(tx, constant(5)).offset[2] == 5 &&
              !min(tx, constant(5)).clamped);
static_assert(max(i, constant(0)) == i && max(constant(0), i) == i);
static_assert(is_uniform(min(n, constant(8))) && !min(n, constant(8)).clamped &&
              is_non_negative(max(sub(n, n), constant(0))));
static_assert(!min(i, i).known && !min(tx, unknown()).known);
static_assert(!min(sub(tx, constant(1)), constant(5), false).known &&
              min(sub(tx, constant(1)), constant(5), true).known);
static_assert(less(tx, constant(3)).offset[2] == 1 && less(tx, constant(3)).offset[3] == 0 &&
              equal(tx, tx) == constant(1));
static_assert(is_uniform(less(n, n)) && !less(i, n).known);

TEST_CASE("a coordinate kept inside the picture is judged in the interior") {
  const lane_value at = min(max(sub(i, constant(1)), constant(0)), sub(n, constant(1)));
  CHECK(at.clamped);
  CHECK(at.offset == sub(tx, constant(1)).offset);
  const lane_value pixel = add(mul(at, constant(3)), constant(1));
  CHECK(pixel.clamped);
  CHECK_FALSE(count_global(pixel, 4, 4, 16, all_lanes).exact);
  CHECK(count_global(at, 4, 4, 16, all_lanes).good);
}

TEST_CASE("the edge keeps the divisor of the bound") {
  CHECK(min(i, uniform(8)).edge_divisor == 8);
  CHECK(min(min(i, uniform(8)), uniform(12)).edge_divisor == 4);
  CHECK(max(sub(i, constant(1)), constant(0)).edge_divisor == 0);
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
