#include <tg/array/plan.hpp>

#include "arrays.hpp"

using arrays::plan_of;
using tg::detail::array_plan;
using tg::detail::array_schedule;
using tg::detail::lane_step;

TEST_CASE("elements in one line become one line") {
  tg::device gpu;
  tg::array<float, 3> x(gpu, {4, 5, 6}), y(gpu, {4, 5, 6});
  const array_plan dense = plan_of(y.view(), x + 1.0f);
  CHECK(dense.own.schedule == array_schedule::flat);
  CHECK(dense.lanes == 120);
  CHECK(dense.own.width == 4);
  CHECK(!dense.own.has_tail);
  CHECK(plan_of(y.transpose(), x.transpose() + 1.0f).own == dense.own);
  tg::array<tg::f16, 1> h(gpu, {1003});
  const array_plan halves = plan_of(h.view(), h + tg::f16(1.0f));
  CHECK(halves.own.width == 8);
  CHECK(halves.own.has_tail);
  CHECK(halves.own.leaves[0].is_written);
  CHECK(plan_of(h(tg::range(1, 1003)), h(tg::range(1, 1003)) + tg::f16(1.0f)).own.width == 1);
}

TEST_CASE("what broadcasts along rows makes rows") {
  tg::device gpu;
  tg::array<float, 2> x(gpu, {100, 512}), y(gpu, {100, 512});
  tg::array<float, 1> row(gpu, {512});
  tg::array<float, 2> column(gpu, {100, 1});
  const array_plan plan = plan_of(y.view(), x * row + column);
  CHECK(plan.own.schedule == array_schedule::matrix);
  CHECK(plan.rows == 100);
  CHECK(plan.own.width == 4);
  CHECK(plan.own.leaves[1].lane == lane_step::dense);
  CHECK(plan.own.leaves[1].row_axes == 0);
  CHECK(plan.own.leaves[2].lane == lane_step::none);
  tg::array<float, 2> narrow(gpu, {1000, 3}), three(gpu, {1, 3});
  CHECK(plan_of(narrow.view(), narrow * three).own.schedule == array_schedule::flat);
}

TEST_CASE("what is written twice in an expression is read and reduced once") {
  tg::device gpu;
  tg::array<float, 2> x(gpu, {2000, 512}), y(gpu, {2000, 512});
  const array_plan plan = plan_of(y.view(), tg::softmax<1>(x) + x);
  for (std::size_t l = 0; l < 4; ++l) CHECK(plan.own.leaves[l].same_as == 0);
  CHECK(plan.own.same_reduction[1] == 0);
  CHECK(plan.count == 512);
}
