#include <tg/array/product_schedule.hpp>

#include <tg/array/matmul.hpp>

#include "arrays.hpp"

using arrays::plan_of;
using tg::detail::product_layout;

TEST_CASE("which operands are copied and which are computed") {
  tg::device gpu;
  tg::array<tg::bf16, 2> a(gpu, {256, 64}), b(gpu, {64, 384}), odd(gpu, {64, 383});
  tg::array<float, 2> c(gpu, {256, 384}), narrow(gpu, {256, 383}), turned(gpu, {384, 256});
  const auto own = plan_of(c.view(), tg::matmul(a, b));
  CHECK(own.own.left == product_layout::along);
  CHECK(own.own.right == product_layout::across);
  CHECK(own.left_pitch == 128);
  CHECK(own.right_pitch == 768);
  CHECK(own.own.width == 4);
  CHECK(own.own.threads == 128);
  CHECK(own.grid == tg::fixed_array<std::int64_t, 3>{3, 2, 1});
  tg::array<tg::bf16, 2> tall(gpu, {1300, 64});
  tg::array<float, 2> high(gpu, {1300, 384});
  CHECK(plan_of(high.view(), tg::matmul(tall, b)).own.band == 8);
  CHECK(plan_of(high.view(), tg::matmul(tall, b)).grid == tg::fixed_array<std::int64_t, 3>{24, 2, 1});
  const auto shared = plan_of(turned.view().transpose(), tg::matmul(a, b));
  CHECK(shared.own.is_swapped);
  CHECK(shared.own.left == product_layout::across);
  CHECK(shared.own.right == product_layout::along);
  CHECK(shared.own.width == 4);
  CHECK(plan_of(narrow.view(), tg::matmul(a, odd)).own.left == product_layout::computed);
  CHECK(plan_of(narrow.view(), tg::matmul(a, odd)).own.width == 1);
  CHECK(plan_of(c.view(), tg::matmul(a + a, b)).own.left == product_layout::computed);
  // Eight-bit elements are multiplied along the depth only.
  tg::array<signed char, 2> left(gpu, {256, 64}), right(gpu, {64, 384}), along(gpu, {384, 64});
  tg::array<int, 2> sums(gpu, {256, 384});
  CHECK(plan_of(sums.view(), tg::matmul(left, right)).own.left == product_layout::computed);
  CHECK(plan_of(sums.view(), tg::matmul(left, along.transpose())).own.left == product_layout::along);
  CHECK(plan_of(sums.view(), tg::matmul(left, along.transpose())).own.right == product_layout::along);
}
