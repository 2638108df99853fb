#include <tg/array/array_view.hpp>

#include <tg/emulator/driver_table/driver_table.hpp>

#include "../random_seed.hpp"
#include "../runtime/hand_written.hpp"
#include "arrays.hpp"

using arrays::counted;
using hand_written::error_of;

TEST_CASE("slices have the elements that they name") {
  tg::device gpu;
  tg::array<float, 2> x(gpu, {4, 5}, counted(20));
  CHECK(x(1, tg::full_extent).to_host() == std::vector<float>{5, 6, 7, 8, 9});
  CHECK(x(tg::full_extent, 2).to_host() == std::vector<float>{2, 7, 12, 17});
  CHECK(x(tg::range(1, 3), tg::range(0, 5, 2)).to_host() == std::vector<float>{5, 7, 9, 10, 12, 14});
  CHECK(x(3, 4).item() == 19.0f);
  CHECK(x(tg::range(4), tg::range(2, 2)).to_host().empty());
  x(2, tg::range(1, 4)) = -1.0f;
  CHECK(x(2, tg::full_extent).to_host() == std::vector<float>{10, -1, -1, -1, 14});
  x(0, tg::full_extent) += x(3, tg::full_extent) * 2.0f;
  CHECK(x(0, tg::full_extent).to_host() == std::vector<float>{30, 33, 36, 39, 42});
  const auto outside = error_of([&] { x(4, 0); });
  CHECK(outside.number == 703);
  CHECK(outside.says("index 4 of dimension 0, which has 4 elements"));
  CHECK(error_of([&] { x(0, tg::range(2, 6)); }).says("the range from 2 to 6 in steps of 1 of dimension 1"));
  CHECK(error_of([&] { x(-1, 0); }).number == 703);
  CHECK(error_of([&] { x(0, tg::range(3, 2)); }).number == 703);
}

TEST_CASE("the same elements by other indices") {
  tg::device gpu;
  tg::array<float, 2> x(gpu, {2, 3}, counted(6));
  CHECK(x.transpose().to_host() == std::vector<float>{0, 3, 1, 4, 2, 5});
  CHECK(x.reshape(tg::array_shape{3, 2})(2, 0).item() == 4.0f);
  CHECK(x.reshape(tg::array_shape{6}).to_host() == counted(6));
  const std::size_t rows = 3;
  CHECK(x.reshape({rows, 2})(2, 0).item() == 4.0f);  // extents of two types
  CHECK(x.view().reshape({6}).to_host() == counted(6));
  CHECK(x.reshape<2>({rows, 2u}).shape() == tg::array_shape{3, 2});
  const tg::array<float, 2>& read = x;
  CHECK(read.reshape({1, rows, 2, 1}).shape() == tg::array_shape{1, 3, 2, 1});
  x.reshape({6})(5) = 5.0f;
  CHECK(x(0, tg::full_extent).broadcast(tg::array_shape{2, 3}).to_host() == std::vector<float>{0, 1, 2, 0, 1, 2});
  CHECK(tg::eval(x(0, tg::full_extent)).broadcast({2, rows}).to_host() == std::vector<float>{0, 1, 2, 0, 1, 2});
  CHECK(error_of([&] { x.reshape({-2, -3}); }).number == 705);
  tg::array<float, 3> cube(gpu, {2, 3, 4}, counted(24));
  const auto turned = cube.permute<2, 0, 1>();
  CHECK(turned.shape() == tg::array_shape{4, 2, 3});
  CHECK(turned(1, 1, 2).item() == 21.0f);
  CHECK(error_of([&] { x.reshape(tg::array_shape{7}); }).number == 705);
  CHECK(error_of([&] { x.transpose().reshape(tg::array_shape{6}); }).says("with gaps or another order"));
  CHECK(error_of([&] { x.broadcast(tg::array_shape{2, 4}); }).number == 700);
  CHECK(error_of([&] { x.broadcast(tg::array_shape{3}); }).number == 700);
}

TEST_CASE("a part of a buffer is seen as an array") {
  tg::device gpu;
  auto memory = gpu.upload(counted(20));
  const tg::array_view<float, 2> x(memory.part(2, 18), {3, 6});
  CHECK(x(1, 0).item() == 8.0f);
  x *= 2.0f;
  CHECK(memory.to_host()[19] == 38.0f);
  CHECK(memory.to_host()[1] == 1.0f);
  CHECK(error_of([&] { tg::array_view<float, 2>(memory.whole(), {3, 7}); }).number == 705);
}

TEST_CASE("a slice of an expression is the expression of the slices") {
  tg::device gpu;
  std::mt19937 random(random_seed());
  for (int turn = 0; turn < 20; ++turn) {
    std::vector<std::int64_t> shape(5);
    for (auto& n : shape) n = 1 + static_cast<std::int64_t>(random() % 6);
    const arrays::host x = arrays::random_numbers<float>(shape, random), z = arrays::random_numbers<float>(shape, random);
    const arrays::host w = arrays::random_numbers<float>({shape[3], shape[4]}, random);
    const arrays::on_device<float, 5> dx(gpu, x, arrays::all_layouts[random() % 5]),
        dz(gpu, z, arrays::all_layouts[random() % 5]);
    const tg::array<float, 2> dw(gpu, arrays::to_shape<2>(w.shape), w.numbers);
    std::array<decltype(tg::range(std::int64_t{}, std::int64_t{}, std::int64_t{})), 5> cut;
    for (std::size_t k = 0; k < 5; ++k) {
      const std::int64_t first = static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(shape[k]));
      const std::int64_t last = first + 1 + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(shape[k] - first));
      cut[k] = tg::range(first, last, std::int64_t{1} + static_cast<std::int64_t>(random() % 3));
    }
    const auto of = [&](const auto& a) { return a(cut[0], cut[1], cut[2], cut[3], cut[4]); };
    const auto fused = [](const auto& a, const auto& b, const auto& c) {
      return tg::where(a > b, tg::exp(a * c), tg::sqrt(tg::abs(b)) - tg::tanh(c)) + a * 2.0f;
    };
    const tg::array<float, 5> whole = fused(dx.view, dz.view, dw);
    const tg::array<float, 5> part = fused(of(dx.view), of(dz.view), dw(cut[3], cut[4]));
    CHECK(tg::eval(of(whole)).to_host() == part.to_host());
    // Reductions along other axes stay what they are; what is reduced is whole.
    const tg::array<float, 4> sums = tg::max<2>(fused(dx.view, dz.view, dw));
    const auto all = tg::full_extent;
    const auto lines = [&](const auto& a) { return a(cut[0], cut[1], all, cut[3], cut[4]); };
    const tg::array<float, 4> part_of_sums = tg::max<2>(fused(lines(dx.view), lines(dz.view), dw(cut[3], cut[4])));
    CHECK(tg::eval(sums(cut[0], cut[1], cut[3], cut[4])).to_host() == part_of_sums.to_host());
  }
}

TEST_CASE("uploads and reads come before later work of non-blocking streams and after earlier, in whatever order it runs") {
  tg::device gpu("emulator");
  constexpr int n = 256;
  const std::vector<float> ones(n, 1.0f), twos(n, 2.0f);
  int wrong = 0;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    tg::emulator::run_streams_asynchronously(true, seed);
    auto work = tg::stream(gpu, {.is_non_blocking = true}).begin();
    tg::array<float, 1> x(gpu, ones), y(gpu, std::vector<float>(n));  // after the stream
    tg::assign_on(work, tg::into(y) = x * 2.0f);
    wrong += y.to_host() != twos;
    tg::assign_on(work, tg::into(y) = y + x);
    wrong += y(5).item() != 3.0f;
    tg::assign_on(work, tg::into(y) = y + x);
    wrong += y(tg::range(0, n, 2)).to_host() != std::vector<float>(n / 2, 4.0f);  // not dense: by way of the host
    auto going = std::move(work).submit();
    (void)std::move(going).wait();
    tg::emulator::run_streams_asynchronously(false);
  }
  CHECK(wrong == 0);
}
