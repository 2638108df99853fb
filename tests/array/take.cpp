#include <tg/array/take.hpp>

#include "../random_seed.hpp"
#include "../runtime/hand_written.hpp"
#include "arrays.hpp"

using arrays::counted;
using arrays::host;
using hand_written::error_of;

TEST_CASE("elements, rows and columns at indices") {
  tg::device gpu;
  const tg::array<float, 1> x(gpu, counted(10));
  const tg::array<int, 1> i(gpu, std::vector<int>{3, 0, 9, 3});
  const tg::array<std::uint64_t, 2> square(gpu, {2, 2}, std::vector<int>{1, 2, 3, 4});
  CHECK(tg::eval(tg::take(x, i)).to_host() == std::vector<float>{3, 0, 9, 3});
  CHECK(tg::eval(tg::take(x, square) * 2.0f).to_host() == std::vector<float>{2, 4, 6, 8});
  CHECK(tg::eval(tg::take(x, i + 0) + tg::take(x, i * 0)).to_host() == std::vector<float>{3, 0, 9, 3});
  const tg::array<float, 2> rows(gpu, {10, 3}, counted(30));
  CHECK(tg::eval(tg::take(rows, i)).to_host() == std::vector<float>{9, 10, 11, 0, 1, 2, 27, 28, 29, 9, 10, 11});
  const tg::array<float, 2> wide(gpu, {2, 10}, counted(20));
  CHECK(tg::eval(tg::take<1>(wide, i)).to_host() == std::vector<float>{3, 0, 9, 3, 13, 10, 19, 13});
  CHECK(tg::eval(tg::take<1>(wide, tg::argmax<1>(wide))).shape() == tg::array_shape{2, 2});
  CHECK(tg::eval(tg::take_along<1>(wide, tg::argmax<1>(wide, tg::keep))).to_host() == std::vector<float>{9, 19});
}

TEST_CASE("takes inside of reductions, along rows and down columns, of any length") {
  tg::device gpu;
  std::mt19937 random(random_seed());
  for (const std::int64_t n : {5, 33, 300, 5000}) {
    std::vector<int> places(static_cast<std::size_t>(n));
    for (int& p : places) p = static_cast<int>(random() % 100);
    const tg::array<int, 1> i(gpu, places);
    const tg::array<double, 1> table(gpu, counted(100));
    const tg::array<double, 2> rows(gpu, {100, 7}, counted(700));
    double wanted = 0;
    for (const int p : places) wanted += p;
    CHECK(tg::eval(tg::sum(tg::take(table, i))).item() == wanted);
    const auto sums = tg::eval(tg::sum<0>(tg::take(rows, i))).to_host();
    for (std::size_t c = 0; c < 7; ++c) CHECK(sums[c] == 7 * wanted + static_cast<double>(c) * static_cast<double>(n));
    const tg::array<double, 2> wide(gpu, {7, 100}, counted(700));
    const auto along = tg::eval(tg::sum<1>(tg::take<1>(wide, i))).to_host();
    for (std::size_t r = 0; r < 7; ++r) CHECK(along[r] == wanted + 100 * static_cast<double>(r) * static_cast<double>(n));
  }
}

TEST_CASE("neighbours, with each rule for what lies outside") {
  tg::device gpu;
  for (const auto how : arrays::all_layouts) {
    host numbers({6, 9});
    for (std::size_t k = 0; k < numbers.numbers.size(); ++k) numbers.numbers[k] = static_cast<double>(k * k % 101);
    const arrays::on_device<float, 2> x(gpu, numbers, how);
    for (const int by : {-3, -1, 0, 2, 5}) {
      const auto check = [&](const tg::array<float, 2>& got, auto outside) {
        const auto own = got.to_host();
        for (std::int64_t r = 0; r < 6; ++r)
          for (std::int64_t c = 0; c < 9; ++c) {
            const std::int64_t at = c + by;
            const double wanted = at >= 0 && at < 9 ? numbers.numbers[static_cast<std::size_t>(r * 9 + at)] : outside(r, at);
            CHECK(static_cast<double>(own[static_cast<std::size_t>(r * 9 + c)]) == wanted);
          }
      };
      const auto element = [&](std::int64_t r, std::int64_t c) { return numbers.numbers[static_cast<std::size_t>(r * 9 + c)]; };
      check(tg::shifted<1>(x.view, by), [&](auto r, auto at) { return element(r, at < 0 ? 0 : 8); });
      check(tg::shifted<1, tg::border::wrap>(x.view, by), [&](auto r, auto at) { return element(r, (at + 9) % 9); });
      check(tg::shifted<1, tg::border::zero>(x.view, by), [](auto, auto) { return 0.0; });
    }
  }
}

TEST_CASE("what is taken from is not what is written") {
  tg::device gpu;
  tg::array<float, 1> x(gpu, counted(10));
  const auto in_place = error_of([&] { x = tg::shifted<0>(x, 1); });
  CHECK(in_place.number == 701);
  x = tg::eval(tg::shifted<0>(x, 1));
  CHECK(x.to_host()[8] == 9.0f);
}

TEST_CASE("neighbours further away than the array is long") {
  tg::device gpu;
  const tg::array<float, 1> x(gpu, counted(5));
  CHECK(tg::eval(tg::shifted<0, tg::border::wrap>(x, 7)).to_host() == std::vector<float>{2, 3, 4, 0, 1});
  CHECK(tg::eval(tg::shifted<0, tg::border::wrap>(x, -12)).to_host() == std::vector<float>{3, 4, 0, 1, 2});
  CHECK(tg::eval(tg::shifted<0>(x, std::numeric_limits<int>::max())).to_host() == std::vector<float>(5, 4.0f));
  CHECK(tg::eval(tg::shifted<0, tg::border::zero>(x, std::numeric_limits<int>::min())).to_host() ==
        std::vector<float>(5, 0.0f));
  const tg::array<float, 0> last = tg::take(x, tg::eval(tg::argmax(x)));
  CHECK(last.item() == 4.0f);
}

TEST_CASE("neighbours in a row or a column that stands for all") {
  tg::device gpu;
  const tg::array<float, 2> x(gpu, {4, 6}, counted(24));
  for (const auto& shape : {std::array<std::int64_t, 2>{4, 1}, {1, 6}, {1, 1}})
    for (const int by : {-1, 0, 1}) {
      const tg::array<float, 2> z(gpu, {shape[0], shape[1]}, counted(shape[0] * shape[1]));
      const auto check = [&](const auto& moved) {
        const tg::array<float, 2> own = moved;
        CHECK(tg::eval(moved + x).to_host() == tg::eval(own + x).to_host());
      };
      check(tg::shifted<1, tg::border::zero>(z, by));
      check(tg::shifted<1, tg::border::wrap>(z, by));
      check(tg::shifted<0>(z, by));
    }
}
