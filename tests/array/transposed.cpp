#include <tg/array/transposed.hpp>

#include <cstdlib>

#include <tg/array/kernel_of.hpp>
#include <tg/emulator.hpp>

#include "../random_seed.hpp"
#include "arrays.hpp"

using arrays::host;
using arrays::layout;
using tg::detail::array_schedule;
using tg::detail::lane_step;

namespace {

/// y = x * a + z for arrays in any layout.
template <class T, class U>
void check_sum(const tg::device& gpu, const std::vector<std::int64_t>& shape, std::mt19937& random) {
  const auto any_layout = [&] { return arrays::all_layouts[random() % std::size(arrays::all_layouts)]; };
  const host x = arrays::random_numbers<T>(shape, random), z = arrays::random_numbers<U>(shape, random);
  const arrays::on_device<T, 3> dx(gpu, x, any_layout());
  const arrays::on_device<U, 3> dz(gpu, z, layout::transposed);
  arrays::on_device<float, 3> y(gpu, host(shape), any_layout());
  y.view = tg::cast<float>(dx.view) * 2.0f + tg::cast<float>(dz.view);
  const host wanted = arrays::map([](double a, double b) { return a * 2 + b; }, x, z);
  CAPTURE(shape[0]);
  CAPTURE(shape[1]);
  CAPTURE(shape[2]);
  CHECK(arrays::excess(y.read(), wanted, 1e-6) <= 1);
}

}  // namespace

TEST_CASE("arrays that lie across the result go through tiles") {
  tg::device gpu;
  tg::array<float, 2> x(gpu, {100, 300}), y(gpu, {300, 100});
  const auto plan = arrays::plan_of(y.view(), tg::transpose(x) + y);
  CHECK(plan.own.schedule == array_schedule::transposed);
  CHECK(plan.own.leaves[0].lane == lane_step::across);
  CHECK(plan.own.leaves[1].lane == lane_step::dense);
  CHECK(plan.grid == tg::fixed_array<std::int64_t, 3>{4, 10, 1});
  // Lines that are too short stay where they are, and so does what the kernel writes.
  tg::array<float, 2> narrow(gpu, {100, 3}), wide(gpu, {3, 100});
  CHECK(arrays::plan_of(wide.view(), tg::transpose(narrow) + 1.0f).own.schedule != array_schedule::transposed);
  CHECK(arrays::plan_of(narrow.view(), tg::transpose(wide) + 1.0f).own.schedule != array_schedule::transposed);
}

TEST_CASE("elements of all sizes, shapes and layouts") {
  tg::device gpu;
  std::mt19937 random(random_seed());
  constexpr std::int64_t extents[] = {1, 2, 15, 16, 31, 32, 33, 64, 67, 100};
  const auto any = [&] { return extents[random() % std::size(extents)]; };
  for (int round = 0; round < 12; ++round) {
    check_sum<float, float>(gpu, {1 + static_cast<std::int64_t>(random() % 3), any(), any()}, random);
    check_sum<tg::bf16, double>(gpu, {any(), any(), 1 + static_cast<std::int64_t>(random() % 3)}, random);
    check_sum<std::uint8_t, tg::f16>(gpu, {any(), 1 + static_cast<std::int64_t>(random() % 3), any()}, random);
    check_sum<bool, std::int64_t>(gpu, {any(), any(), 1}, random);
  }
}

TEST_CASE("numbers along axes, neighbours and values of rows stand beside what lies across") {
  tg::device gpu;
  std::mt19937 random(random_seed());
  const host x = arrays::random_numbers<float>({2, 40, 50}, random), scale = arrays::random_numbers<float>({2, 1, 1}, random);
  const tg::array<float, 3> dx(gpu, {2, 40, 50}, x.numbers), dscale(gpu, {2, 1, 1}, scale.numbers);
  const auto across = dx.permute<0, 2, 1>();
  const host got =
      arrays::on_host(tg::eval(across * dscale + tg::cast<float>(tg::index_of<1>(across) * 100 + tg::index_of<2>(across))));
  const host neighbours = arrays::on_host(tg::eval(across + tg::shifted<2, tg::border::zero>(across, 1)));
  for (std::int64_t b = 0, n = 0; b < 2; ++b)
    for (std::int64_t c = 0; c < 50; ++c)
      for (std::int64_t r = 0; r < 40; ++r, ++n) {
        const double own = arrays::at(x, {b, r, c});
        const double wanted = own * arrays::at(scale, {b, 0, 0}) + static_cast<double>(c * 100 + r);
        CHECK(got.numbers[static_cast<std::size_t>(n)] == doctest::Approx(wanted));
        const double other = r + 1 < 40 ? arrays::at(x, {b, r + 1, c}) : 0;
        CHECK(neighbours.numbers[static_cast<std::size_t>(n)] == doctest::Approx(own + other));
      }
}

TEST_CASE("more arrays than tiles have room for are read where they lie") {
  tg::device gpu;
  std::mt19937 random(random_seed());
  std::vector<host> numbers;
  std::vector<tg::array<double, 2>> all;
  for (int k = 0; k < 6; ++k) {
    numbers.push_back(arrays::random_numbers<double>({33, 70}, random));
    all.emplace_back(gpu, tg::array_shape<2>{33, 70}, numbers.back().numbers);
  }
  const auto t = [&](int k) { return tg::transpose(all[static_cast<std::size_t>(k)]); };
  tg::array<double, 2> y(gpu, {70, 33});
  const auto sum = t(0) + t(1) * t(2) + t(3) * t(4) + t(5);
  const auto plan = arrays::plan_of(y.view(), sum);
  CHECK(plan.own.leaves[3].lane == lane_step::across);
  CHECK(plan.own.leaves[4].lane == lane_step::strided);
  y = sum;
  const host got = arrays::on_host(y);
  for (std::size_t r = 0; r < 33; ++r)
    for (std::size_t c = 0; c < 70; ++c) {
      const auto of = [&](std::size_t k) { return numbers[k].numbers[r * 70 + c]; };
      CHECK(got.numbers[c * 33 + r] == doctest::Approx(of(0) + of(1) * of(2) + of(3) * of(4) + of(5)));
    }
}

TEST_CASE("blocks of more rows than a grid is high") {
  if (std::getenv("TG_EMULATOR_CHECK") != nullptr)
    return;  // half a minute under all checkers, for what smaller shapes show too
  tg::device gpu;
  constexpr std::int64_t rows = 65537;
  std::vector<std::uint8_t> numbers(rows * 256);
  for (std::size_t k = 0; k < numbers.size(); ++k) numbers[k] = static_cast<std::uint8_t>(k / 256 * 7 + k % 256);
  const tg::array<std::uint8_t, 3> x(gpu, {rows, 16, 16}, numbers);
  tg::array<std::uint8_t, 3> y(gpu, {rows, 16, 16});
  y = tg::permute<0, 2, 1>(x);
  const auto plan = arrays::plan_of(y.view(), tg::permute<0, 2, 1>(x));
  CHECK(plan.own.has_planes);
  const auto got = y.to<std::vector>();
  std::int64_t wrong = 0;
  for (std::int64_t b = 0, n = 0; b < rows; ++b)
    for (int c = 0; c < 16; ++c)
      for (int r = 0; r < 16; ++r, ++n)
        wrong += got[static_cast<std::size_t>(n)] != static_cast<std::uint8_t>(b * 7 + r * 16 + c);
  CHECK(wrong == 0);
}

TEST_CASE("each byte moves once") {
  tg::device gpu("emulator");
  tg::array<float, 2> x(gpu, {256, 512}), y(gpu, {512, 256}), z(gpu, {512, 256});
  x = 1.0f;
  z = 2.0f;
  tg::emulator::count_launches(true);
  y = tg::transpose(x) + z;
  tg::emulator::count_launches(false);
  std::uint64_t sectors = 0;
  for (const auto& i : tg::emulator::counters_of_last_launch().instructions) sectors += i.sectors;
  CHECK(sectors * 32 == static_cast<std::uint64_t>(tg::kernel_of(tg::into(y) = tg::transpose(x) + z).floor_bytes()));
}
