#include <tg/array/split_schedule.hpp>

#include <array>

#include <tg/array/mean.hpp>
#include <tg/array/scan.hpp>
#include <tg/array/softmax.hpp>

#include "arrays.hpp"

using arrays::plan_of;

TEST_CASE("long lines of scans are cut into parts that registers hold") {
  tg::device gpu;
  tg::array<float, 2> wide(gpu, {4, 100000}), many(gpu, {65, 20000}), small(gpu, {4, 3000});
  CHECK(plan_of(wide.view(), tg::cumsum<1>(wide)).own.is_split);
  CHECK(plan_of(wide.view(), tg::cumsum<1>(wide)).own.chunks == 4);
  CHECK(plan_of(wide.view(), tg::cumsum<1>(wide)).grid == tg::fixed_array<std::int64_t, 3>{25, 4, 1});
  // Another reduction is needed before the scan, or beside it.
  CHECK(plan_of(wide.view(), tg::cumsum<1>(wide) / tg::sum<1>(wide, tg::keep)).own.threads == 1024);
  CHECK_FALSE(plan_of(wide.view(), tg::cumsum<1>(wide) / tg::sum<1>(wide, tg::keep)).own.is_split);
  CHECK_FALSE(plan_of(many.view(), tg::cumsum<1>(many)).own.is_split);
  CHECK_FALSE(plan_of(small.view(), tg::cumsum<1>(small)).own.is_split);
}

TEST_CASE("few long rows are shared where one pass is enough") {
  tg::device gpu;
  tg::array<float, 2> wide(gpu, {4, 100000}), many(gpu, {65, 100000});
  tg::array<float, 1> of_wide(gpu, {4}), of_many(gpu, {65});
  CHECK(plan_of(of_wide.view(), tg::sum<1>(wide)).own.is_split);
  CHECK(plan_of(of_wide.view(), tg::logsumexp<1>(wide)).own.is_split);
  CHECK_FALSE(plan_of(of_wide.view(), tg::variance<1>(wide)).own.is_split);
  CHECK_FALSE(plan_of(wide.view(), tg::softmax<1>(wide)).own.is_split);
  CHECK_FALSE(plan_of(of_many.view(), tg::sum<1>(many)).own.is_split);
}

TEST_CASE("long columns are shared where one pass is enough") {
  tg::device gpu;
  tg::array<float, 2> tall(gpu, {4096, 96}), low(gpu, {2047, 96}), broad(gpu, {4096, 10000});
  tg::array<float, 1> of_tall(gpu, {96}), of_broad(gpu, {10000});
  CHECK(plan_of(of_tall.view(), tg::sum<0>(tall)).own.is_split);
  const std::int64_t at_once = std::int64_t{4} * gpu.context()->limits().multiprocessors;
  CHECK(plan_of(of_tall.view(), tg::sum<0>(tall)).grid[1] == 1);
  CHECK(plan_of(of_tall.view(), tg::sum<0>(tall)).grid[0] == std::min(std::int64_t{4096} / (8 * 32), at_once));
  CHECK_FALSE(plan_of(of_tall.view(), tg::sum<0>(low)).own.is_split);
  CHECK_FALSE(plan_of(of_broad.view(), tg::sum<0>(broad)).own.is_split);
  CHECK_FALSE(plan_of(of_tall.view(), tg::variance<0>(tall)).own.is_split);
  CHECK_FALSE(plan_of(tall.view(), tg::cumsum<0>(tall)).own.is_split);
}
