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

TEST_CASE("a dimension of one element has number 0, also beside a longer one") {
  tg::device gpu;
  for (const auto& shape : {std::array<std::int64_t, 2>{5, 1}, {1, 7}, {1, 1}, {5, 7}}) {
    const tg::array<float, 2> z(gpu, {shape[0], shape[1]}, counted(shape[0] * shape[1])), x(gpu, {5, 7}, counted(35));
    const auto number = tg::cast<float>(tg::index_of<0>(z) * 10 + tg::index_of<1>(z));
    const tg::array<float, 2> own = number;
    CHECK(tg::eval(number + x).to_host() == tg::eval(own + x).to_host());
    CHECK(tg::eval(tg::transpose(number + x)).to_host() == tg::eval(tg::transpose(own + x)).to_host());
    // Beside reductions, outside of them and in them.
    CHECK(tg::eval(number + tg::max<1>(x, tg::keep)).to_host() == tg::eval(own + tg::max<1>(x, tg::keep)).to_host());
    CHECK(tg::eval(tg::sum<1>(number + x)).to_host() == tg::eval(tg::sum<1>(own + x)).to_host());
    CHECK(tg::eval(tg::sum<0>(number + x)).to_host() == tg::eval(tg::sum<0>(own + x)).to_host());
    CHECK(tg::eval(tg::cumsum<1>(number + x)).to_host() == tg::eval(tg::cumsum<1>(own + x)).to_host());
  }
}

TEST_CASE("a reduction over numbers of fewer elements than another one's is refused") {
  tg::device gpu;
  const tg::array<float, 2> row(gpu, {1, 4}, counted(4)), x(gpu, {5, 4}, counted(20)), y(gpu, {5, 1}, counted(5));
  const auto number = [](const auto& of) { return tg::cast<float>(tg::index_of<1>(of)); };
  tg::array<float, 0> total(gpu, {});
  CHECK(error_of([&] { total = tg::sum(number(row)) + tg::sum(x); }).number == 706);
  tg::array<float, 2> rows(gpu, {5, 4});
  CHECK(error_of([&] { rows = tg::max<1>(number(y), tg::keep) + x / tg::max<1>(x, tg::keep); }).number == 706);
  CHECK(error_of([&] { rows = tg::cumsum<1>(number(y)) + tg::cumsum<1>(x); }).number == 706);
  total = tg::sum(number(x)) + tg::sum(x);
  CHECK(total.item() == 30 + 190);
  // Two reductions that differ by that alone are two.
  const tg::array<float, 2> wide(gpu, {1, 4}, counted(4)), narrow(gpu, {1, 1}, counted(1));
  rows = tg::sum<1>(number(narrow) + wide, tg::keep) * 10.0f + tg::sum<1>(number(wide) + wide, tg::keep);
  CHECK(rows.to_host() == std::vector<float>(20, 72));
}
