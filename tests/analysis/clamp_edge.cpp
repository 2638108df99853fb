#include <tg/analysis/clamp_edge.hpp>

#include <doctest/doctest.h>

#include <tg/analysis/arithmetic.hpp>
#include <tg/analysis/choice.hpp>
#include <tg/analysis/global.hpp>
#include <tg/analysis/shared.hpp>

using namespace tg::analysis;

namespace {

constexpr lane_value x = thread_coordinate({8, 4}, axis::x, 0);
constexpr lane_value y = thread_coordinate({8, 4}, axis::y, 0);
constexpr lane_value n = uniform(1, true);

lane_value rows_of(int pitch, const lane_value& row) { return add(mul(min(row, n), constant(pitch)), x); }

bool is_covered(const lane_value& v) {
  const detail::clamp_parts parts(v, 4);
  const byte_runs runs = collect_runs(offset_bytes(interior(v), 4), 4, all_lanes);
  return detail::is_covered(parts, runs.at.data(), runs.count, 4, all_lanes);
}

}  // namespace

TEST_CASE("the parts of a clamped value") {
  const detail::clamp_parts parts(rows_of(100, y), 4);
  CHECK(parts.step_bytes == 400);
  CHECK(parts.rest.stride_count == 0);
  CHECK(parts.rest_bytes[9] == 4);
  CHECK(parts.limited_bytes[9] == 400);
  CHECK_FALSE(parts.is_plain());
  CHECK(detail::clamp_parts(min(x, n), 4).is_plain());
}

TEST_CASE("rows that collapse on a row of the warp touch nothing new, those between two rows do") {
  CHECK(is_covered(rows_of(100, y)));
  CHECK_FALSE(is_covered(rows_of(100, mul(y, constant(2)))));
  CHECK(is_covered(min(add(mul(y, constant(8)), x), n)));
}

TEST_CASE("what is covered costs no more than the interior, what is not costs the sum") {
  CHECK(count_global(rows_of(96, y), 4, 4, 32, all_lanes).sectors == 4);
  CHECK(count_global(rows_of(96, y), 4, 4, 32, all_lanes).good);
  CHECK(count_global(rows_of(96, mul(y, constant(2))), 4, 4, 32, all_lanes).sectors == 6);
  CHECK_FALSE(count_global(rows_of(96, mul(y, constant(2))), 4, 4, 32, all_lanes).good);
  // 8 words of each of 4 rows, 40 words apart: no bank twice. A row may come to lie between two.
  CHECK(count_shared(rows_of(40, y), 4, 4, all_lanes).wavefronts == 1);
  CHECK(count_shared(rows_of(36, mul(y, constant(2))), 4, 4, all_lanes).wavefronts == 3);
}

TEST_CASE("the bound of a clamp whose accesses straddle sectors takes one more") {
  const lane_value at = min(mul(x, constant(9)), n);
  CHECK(count_global(at, 4, 8, 4, all_lanes).sectors > count_global(interior(at), 4, 8, 4, all_lanes).sectors);
  CHECK(count_global(at, 4, 4, 4, all_lanes).sectors == count_global(interior(at), 4, 4, 4, all_lanes).sectors);
}
