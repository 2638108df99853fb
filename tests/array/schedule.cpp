#include <tg/array/schedule.hpp>

#include "arrays.hpp"

using arrays::plan_of;
using tg::detail::array_plan;
using tg::detail::array_schedule;
using tg::detail::final_pass;

TEST_CASE("reductions go along rows or down columns, as memory lies") {
  tg::device gpu;
  tg::array<float, 2> x(gpu, {2000, 512}), y(gpu, {2000, 512});
  tg::array<float, 1> down(gpu, {512}), along(gpu, {2000});
  const array_plan rows = plan_of(along.view(), tg::sum<1>(x));
  CHECK(rows.own.schedule == array_schedule::rows);
  CHECK(rows.own.threads == 32);
  CHECK(rows.own.chunks == 4);
  CHECK(rows.own.is_exact);
  CHECK(rows.own.final == final_pass::none);
  CHECK(plan_of(down.view(), tg::sum<0>(x)).own.schedule == array_schedule::columns);
  CHECK(plan_of(y.view(), tg::softmax<1>(x)).own.final == final_pass::shared);
  CHECK(plan_of(down.view(), tg::sum<0>(x.transpose()(tg::range(512), tg::range(512)))).own.schedule == array_schedule::rows);
  tg::array<float, 2> wide(gpu, {4, 100000});
  CHECK(plan_of(wide.view(), tg::softmax<1>(wide)).own.chunks == 0);
}
