#include <tg/array/pad.hpp>

#include <tg/array/reduce.hpp>
#include <tg/tree/operators.hpp>

#include "../random_seed.hpp"
#include "arrays.hpp"

using arrays::host;
using arrays::on_host;

namespace {

template <class T> void check() {
  tg::device gpu;
  std::mt19937 random(random_seed());
  const std::int64_t sizes[] = {1, 2, 7, 33, 128};
  for (int turn = 0; turn < 12; ++turn) {
    const std::vector<std::int64_t> shape{sizes[random() % 5], sizes[random() % 5]};
    const host x = arrays::random_numbers<T>(shape, random);
    const std::int64_t up = random() % 3, down = random() % 4, left = random() % 3, right = random() % 40;
    const arrays::on_device<T, 2> dx(gpu, x, arrays::all_layouts[random() % 5]);
    host wanted({shape[0] + up + down, shape[1] + left + right}, 3);
    arrays::for_each_index(shape, [&](const auto& i, std::size_t n) {
      wanted.numbers[static_cast<std::size_t>((i[0] + up) * wanted.shape[1] + i[1] + left)] = x.numbers[n];
    });
    CHECK(on_host(tg::eval(tg::pad(dx.view, {up, left}, {down, right}, T(3)))).numbers == wanted.numbers);
  }
}

}  // namespace

TEST_CASE("a border of any width around arrays in any layout") {
  check<float>();
  check<double>();
  check<int>();
  check<tg::bf16>();
  check<std::uint8_t>();
}

TEST_CASE("padding is part of its expression, and its numbers are arguments") {
  tg::device gpu;
  const tg::array<float, 1> x(gpu, arrays::counted(5)), w(gpu, std::vector<float>(8, 2.0f));
  tg::array<float, 1> y(gpu, {8});
  for (const int before : {0, 1, 3}) {
    y = tg::pad(x, {before}, {3 - before}) * w + 1.0f;
    std::vector<float> wanted(8, 1.0f);
    for (std::size_t k = 0; k < 5; ++k) wanted[k + static_cast<std::size_t>(before)] = 2 * static_cast<float>(k) + 1;
    CHECK(y.to_host() == wanted);
  }
  const tg::array<float, 3> cube(gpu, {2, 3, 4}, arrays::counted(24));
  const auto padded = tg::eval(tg::pad(cube, {1, 0, 2}, {0, 1, 1}));
  CHECK(padded.shape() == tg::array_shape<3>{3, 4, 7});
  CHECK(tg::eval(tg::sum(padded)).item() == 276.0f);
}

TEST_CASE("paddings that are refused") {
  tg::device gpu;
  tg::array<float, 1> x(gpu, {5}), none(gpu, {0}), y(gpu, {9});
  CHECK_THROWS_AS(tg::pad(none, {1}, {1}), tg::error);
  CHECK_THROWS_AS(tg::pad(x, {-1}, {1}), tg::error);
  CHECK_THROWS_AS(y = tg::pad(x, {1}, {1}), tg::error);
  CHECK_THROWS_AS(x = tg::pad(x(tg::range(3)), {1}, {1}), tg::error);
}

TEST_CASE("a padded row, column or element stands for all") {
  tg::device gpu;
  const tg::array<float, 2> x(gpu, {4, 6}, arrays::counted(24));
  for (const auto& shape : {std::array<std::int64_t, 2>{2, 1}, {1, 4}, {1, 1}}) {
    const tg::array<float, 2> z(gpu, {shape[0], shape[1]}, arrays::counted(shape[0] * shape[1]));
    const auto more = [](std::int64_t extent) { return extent == 1 ? std::int64_t{0} : std::int64_t{1}; };
    const auto padded = tg::pad(z, {more(shape[0]), more(shape[1])}, {more(shape[0]), more(shape[1])}, 100.0f);
    const tg::array<float, 2> own = padded;
    CHECK(tg::eval(padded + x).to_host() == tg::eval(own + x).to_host());
    CHECK(tg::eval(tg::sum<1>(padded * x)).to_host() == tg::eval(tg::sum<1>(own * x)).to_host());
  }
}
