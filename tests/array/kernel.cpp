#include <tg/array/kernel.hpp>

#include <tg/emulator.hpp>

#include "../random_seed.hpp"
#include "arrays.hpp"

using arrays::host;

namespace {

double square(double x) { return x * x; }

/// The sum of squares along axes, plus what is added outside, by every schedule: each is the host's.
template <int... Axes> void check_sums(std::vector<std::int64_t> shape, arrays::layout how, std::mt19937& random) {
  tg::device gpu;
  const host x = arrays::random_numbers<float>(shape, random);
  const arrays::on_device<float, 3> dx(gpu, x, how);
  const host sums = arrays::sum(arrays::map(square, x), {Axes...});
  arrays::on_device<float, 3> kept(gpu, host(sums.shape), how), all(gpu, host(shape), how);
  kept.view = tg::sum<Axes...>(dx.view * dx.view, tg::keep);
  all.view = tg::sum<Axes...>(dx.view * dx.view, tg::keep) - dx.view;
  CAPTURE(shape[0]);
  CAPTURE(shape[1]);
  CAPTURE(shape[2]);
  CHECK(arrays::excess(kept.read(), sums, 1e-4) <= 1);
  CHECK(arrays::excess(all.read(), arrays::map([](double a, double b) { return a - b; }, sums, x), 1e-4) <= 1);
}

}  // namespace

TEST_CASE("reductions along any axes of arrays of any layout") {
  std::mt19937 random(random_seed());
  const std::int64_t sizes[] = {1, 2, 3, 8, 17, 32, 40, 65};
  for (int turn = 0; turn < 40; ++turn) {
    const auto size = [&] { return sizes[random() % 8]; };
    const auto how = arrays::all_layouts[random() % 5];
    check_sums<0>({size(), size(), size()}, how, random);
    check_sums<1>({size(), size(), size()}, how, random);
    check_sums<2>({size(), size(), size()}, how, random);
    check_sums<0, 1>({size(), size(), size()}, how, random);
    check_sums<0, 2>({size(), size(), size()}, how, random);
    check_sums<1, 2>({size(), size(), size()}, how, random);
    check_sums<0, 1, 2>({size(), size(), size()}, how, random);
  }
}

TEST_CASE("rows of any length: in registers of a warp or a block, and read again") {
  std::mt19937 random(random_seed());
  tg::device gpu;
  for (const std::int64_t length : {1, 31, 32, 33, 127, 128, 129, 1000, 1024, 4096, 5000, 16384, 32768, 40000, 70001})
    for (const std::int64_t rows : {1, 3}) {
      const host x = arrays::random_numbers<float>({rows, length}, random);
      const tg::array<float, 2> dx(gpu, {rows, length}, x.numbers);
      tg::array<float, 2> dy(gpu, {rows, length});
      dy = tg::softmax<1>(dx);
      const host e = arrays::map([](double a, double b) { return std::exp(a - b); }, x, arrays::max(x, {1}));
      const host wanted = arrays::map([](double a, double b) { return a / b; }, e, arrays::sum(e, {1}));
      const auto own = dy.to_host();
      CAPTURE(length);
      CHECK(arrays::excess(host{{rows, length}, std::vector<double>(own.begin(), own.end())}, wanted, 1e-5) <= 1);
    }
}

TEST_CASE("seven dimensions, whatever their order in memory") {
  std::mt19937 random(random_seed());
  tg::device gpu;
  const host x = arrays::random_numbers<float>({2, 3, 1, 4, 2, 3, 5}, random);
  for (const auto how : arrays::all_layouts) {
    const arrays::on_device<float, 7> dx(gpu, x, how), dz(gpu, x, arrays::layout::dense);
    arrays::on_device<float, 7> dy(gpu, host(x.shape), how);
    dy.view = dx.view * 2.0f + dz.view;
    CHECK(arrays::excess(dy.read(), arrays::map([](double a) { return 3 * a; }, x), 1e-6) <= 1);
    const tg::array<float, 4> sums = tg::sum<1, 3, 6>(dx.view);
    const auto own = sums.to_host();
    const host wanted = arrays::squeeze(arrays::sum(x, {1, 3, 6}), {1, 3, 6});
    CHECK(arrays::excess(host{wanted.shape, std::vector<double>(own.begin(), own.end())}, wanted, 1e-5) <= 1);
  }
}

TEST_CASE("each element moves once where rows fit") {
  tg::device gpu;
  tg::array<float, 2> x(gpu, {64, 1024}), y(gpu, {64, 1024});
  x = 1.0f;
  if (!gpu.is_emulated()) return;  // only the emulator counts
  const auto moved = [&](auto assign) {
    tg::emulator::count_launches(true);
    assign();
    tg::emulator::count_launches(false);
    std::uint64_t sectors = 0;
    for (const auto& i : tg::emulator::counters_of_last_launch().instructions) sectors += i.sectors;
    return 32 * sectors;
  };
  constexpr std::uint64_t once = 2 * 64 * 1024 * sizeof(float);
  CHECK(moved([&] { y = x * 2.0f; }) == once);
  CHECK(moved([&] { y = tg::softmax<1>(x); }) == once);
  CHECK(moved([&] { y = x - tg::mean<1>(x, tg::keep); }) == once);
}
