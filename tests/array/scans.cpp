#include <tg/array/scans.hpp>

#include <tg/array/scan.hpp>

#include "arrays.hpp"

using arrays::plan_of;
using tg::detail::array_schedule;

TEST_CASE("which threads scan") {
  tg::device gpu;
  tg::array<float, 2> x(gpu, {2000, 512}), wide(gpu, {4, 100000}), small(gpu, {3, 50});
  CHECK(plan_of(x.view(), tg::cumsum<1>(x)).own.schedule == array_schedule::rows);
  CHECK(plan_of(x.view(), tg::cumsum<1>(x)).own.threads == 32);
  CHECK(plan_of(x.view(), tg::cumsum<1>(x)).own.chunks == 0);
  CHECK(plan_of(wide.view(), tg::cumsum<1>(wide)).own.threads == 1024);
  CHECK(plan_of(small.view(), tg::cumsum<1>(small)).own.is_scanned);
  CHECK(plan_of(x.view(), tg::cumsum<0>(x)).own.schedule == array_schedule::columns);
  CHECK(plan_of(x.view(), tg::cumsum<0>(x)).own.beside == 1);
}
