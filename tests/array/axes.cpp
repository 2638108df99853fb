#include <tg/array/axes.hpp>

#include "../runtime/hand_written.hpp"
#include "arrays.hpp"

using arrays::counted;
using hand_written::error_of;

TEST_CASE("axes are named once, and all where none is") {
  using tg::detail::are_axes;
  using tg::detail::axis_mask;
  static_assert(axis_mask({}, 3) == 0b111);
  static_assert(axis_mask({2, 0}, 3) == 0b101);
  static_assert(!are_axes(axis_mask({3}, 3)));
  static_assert(!are_axes(axis_mask({-1}, 3)));
  static_assert(!are_axes(axis_mask({1, 1}, 3)));
  static_assert(!are_axes(axis_mask({}, 0)));
  CHECK(true);
}

TEST_CASE("expressions are transposed, permuted and expanded without moving anything") {
  tg::device gpu;
  const tg::array<float, 2> x(gpu, {2, 3}, counted(6));
  const tg::array<float, 2> y(gpu, {3, 2}, counted(6));
  CHECK(tg::eval(tg::transpose(x + x)).to_host() == std::vector<float>{0, 6, 2, 8, 4, 10});
  CHECK(tg::eval(tg::transpose(x) + y).to_host() == std::vector<float>{0, 4, 3, 7, 6, 10});
  const tg::array<float, 3> cube(gpu, {2, 3, 4}, counted(24));
  const auto turned = tg::eval(tg::permute<2, 0, 1>(cube * 1.0f));
  CHECK(turned.shape() == tg::array_shape{4, 2, 3});
  CHECK(turned(1, 1, 2).item() == 21.0f);
  CHECK(turned.to_host() == cube.permute<2, 0, 1>().to_host());
  const tg::array<float, 1> a(gpu, counted(3)), b(gpu, counted(2));
  CHECK(tg::eval(tg::expand<1>(a) * tg::expand<0>(b)).to_host() == std::vector<float>{0, 0, 0, 1, 0, 2});
}

TEST_CASE("numbers along an axis") {
  tg::device gpu;
  for (const auto how : arrays::all_layouts) {
    arrays::host numbers({5, 7}, 1.0);
    arrays::on_device<float, 2> x(gpu, numbers, how);
    const auto rows = tg::eval(tg::index_of<0>(x.view)).to_host(), columns = tg::eval(tg::index_of<1>(x.view)).to_host();
    x.view = tg::where(tg::index_of<0>(x.view) >= tg::index_of<1>(x.view), x.view, 0.0f);
    const arrays::host got = x.read();
    for (int r = 0; r < 5; ++r)
      for (int c = 0; c < 7; ++c) {
        const auto at = static_cast<std::size_t>(r * 7 + c);
        CHECK(rows[at] == r);
        CHECK(columns[at] == c);
        CHECK(got.numbers[at] == (r >= c ? 1.0 : 0.0));
      }
  }
}

TEST_CASE("numbers along an axis of more than 2^31 elements are refused") {
  tg::device gpu;
  const tg::array<float, 1> one(gpu, {1});
  const auto many = one.broadcast(tg::array_shape{std::int64_t{1} << 31});
  tg::array<int, 0> y(gpu, {});
  CHECK(error_of([&] { y = tg::max(tg::index_of<0>(many)); }).number == 707);
}
