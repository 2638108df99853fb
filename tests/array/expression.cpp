#include <tg/array/expression.hpp>

#include <thread>

#include <tg/emulator/driver_table/driver_table.hpp>
#include <tg/runtime/capture.hpp>
#include <tg/runtime/telemetry.hpp>

#include "../runtime/hand_written.hpp"
#include "arrays.hpp"

using arrays::counted;
using hand_written::error_of;

namespace {

/// Two devices, while it lives.
struct more_devices {
  more_devices() { tg::emulator::show_devices(2); }
  ~more_devices() { tg::emulator::show_devices(1); }
};

}  // namespace

TEST_CASE("expressions of one type whose numbers are copies, or are not, are told apart") {
  tg::device gpu;
  const tg::array<float, 1> x(gpu, std::vector<float>{1, 2, 3});
  tg::array<float, 1> y(gpu, {3});
  const auto twice = [&](float a) {
    const auto own = x * a;
    y = own + own;
  };
  for (int k = 0; k < 3; ++k) {
    twice(2.0f);
    CHECK(y.to_host() == std::vector<float>{4, 8, 12});
    twice(3.0f);
    CHECK(y.to_host() == std::vector<float>{6, 12, 18});
    y = x * 2.0f + x * 3.0f;
    CHECK(y.to_host() == std::vector<float>{5, 10, 15});
    y = x * 2.0f + x * 2.0f;
    CHECK(y.to_host() == std::vector<float>{4, 8, 12});
  }
}

TEST_CASE("another number, another array of the same layout and another size are not another kernel") {
  tg::device gpu;
  const tg::array<float, 1> x(gpu, counted(1024)), longer(gpu, counted(2048));
  tg::array<float, 1> y(gpu, {1024}), z(gpu, {2048});
  const auto step = [](auto& to, const auto& from, float scale) { to = from * scale; };
  step(y, x, 2.0f);
  const auto before = tg::telemetry_of(gpu);
  step(y, x, 3.0f);
  step(z, longer, 4.0f);
  CHECK(z.to_host()[2047] == 4 * 2047.0f);
  const auto after = tg::telemetry_of(gpu);
  CHECK(after.modules_loaded == before.modules_loaded);
  CHECK(after.launches == before.launches + 2);
  step(y, x(tg::range(0, 1024)), 5.0f);
  tg::array<float, 1> odd(gpu, {1023});
  step(odd, tg::array<float, 1>(gpu, counted(1023)), 5.0f);  // another class: elements behind the last vector
  CHECK(tg::telemetry_of(gpu).modules_loaded == after.modules_loaded + 1);
}

TEST_CASE("the same memory in another order, by other strides, or by another start is another assignment") {
  tg::device gpu;
  tg::array<float, 2> square(gpu, {4, 4}, counted(16)), y(gpu, {4, 4});
  const auto twice = [&](const tg::array_view<float, 2>& x) {
    y = x * 2.0f;
    return y.to_host();
  };
  for (int turn = 0; turn < 3; ++turn) {
    CHECK(twice(square.view())[1] == 2.0f);
    CHECK(twice(square.transpose())[1] == 8.0f);
  }
  tg::array<float, 1> line(gpu, counted(20)), five(gpu, {5});
  const auto copied = [&](const tg::array_view<float, 1>& x) {
    five = x * 1.0f;
    return five.to_host();
  };
  for (int turn = 0; turn < 2; ++turn)
    for (const int step : {1, 2, 4}) CHECK(copied(line(tg::range(0, 5 * step, step)))[4] == 4.0f * static_cast<float>(step));
  CHECK(copied(line(tg::range(3, 8)))[0] == 3.0f);
}

TEST_CASE("shapes that do not fit name both and the line") {
  tg::device gpu;
  const tg::array<float, 2> x(gpu, {4, 5}, counted(20)), z(gpu, {4, 7});
  tg::array<float, 2> y(gpu, {4, 5});
  const auto beside = error_of([&] { y = x * z; });
  CHECK(beside.number == 700);
  CHECK(beside.says("an array of shape (4, 7) does not fit the result, of shape (4, 5)"));
  CHECK(beside.says("expression.cpp:"));
  CHECK(error_of([&] { tg::eval(x * z); }).says("an array of shape (4, 7) stands beside one of shape (4, 5)"));
  CHECK(error_of([&] { y = tg::sum<0>(x) + tg::sum<1>(x); }).number != 0);
  const tg::array<float, 1> five(gpu, counted(5)), four(gpu, {4});
  y = x + five;
  CHECK(error_of([&] { y = x + four; }).number == 700);
  CHECK(error_of([&] { y = tg::sum<1>(x * z, tg::keep) + x; }).number == 700);
}

TEST_CASE("reductions over rows of different lengths, and the largest of nothing, are refused") {
  tg::device gpu;
  const tg::array<float, 2> x(gpu, {4, 5}), z(gpu, {4, 1}), none(gpu, {4, 0});
  tg::array<float, 1> y(gpu, {4});
  const auto lengths = error_of([&] { y = tg::sum<1>(x) + tg::sum<1>(z); });
  CHECK(lengths.number == 706);
  CHECK(lengths.says("tg::sum over rows of 1 elements beside a reduction over rows of 5"));
  const auto empty = error_of([&] { y = tg::max<1>(none); });
  CHECK(empty.number == 706);
  CHECK(empty.says("tg::max of no elements"));
  y = tg::sum<1>(none) + 7.0f;
  CHECK(y.to_host() == std::vector<float>(4, 7.0f));
}

TEST_CASE("what a result overwrites is read at the same index only") {
  tg::device gpu;
  tg::array<float, 1> x(gpu, counted(10));
  x = x * 2.0f;
  CHECK(x.to_host()[9] == 18.0f);
  const auto moved = error_of([&] { x(tg::range(1, 10)) = x(tg::range(0, 9)) + 0.0f; });
  CHECK(moved.number == 701);
  CHECK(moved.says("shares memory with an array of shape (9,) that the expression reads at other indices"));
  CHECK(x.to_host()[9] == 18.0f);
  const auto added = error_of([&] { x(tg::range(1, 10)) += x(tg::range(0, 9)); });
  CHECK(added.number == 701);
  CHECK(!added.says("array_view.hpp"));  // an operator cannot know its line: it names none rather than its own
  x(tg::range(1, 10)) = tg::eval(x(tg::range(0, 9)) + 0.0f);
  CHECK(x.to_host()[9] == 16.0f);
  x(tg::range(0, 10, 2)) = x(tg::range(1, 10, 2));  // neighbours in turn
  CHECK(x.to_host()[8] == 16.0f);
  tg::array<float, 2> square(gpu, {4, 4}, counted(16));
  CHECK(error_of([&] { square = square.transpose() + 0.0f; }).number == 701);
  CHECK(error_of([&] { square(0, tg::full_extent) = tg::sum<0>(square); }).number == 701);
  square = square - tg::sum<1>(square, tg::keep);  // each row is read whole before it is written
  CHECK(square.to_host()[3] == -3.0f);
  square = square - tg::sum<0>(square, tg::keep);
}

TEST_CASE("arrays of two devices do not meet") {
  const more_devices two;
  tg::device one("emulator"), other("emulator:1");
  const tg::array<float, 1> x(one, counted(4)), z(other, counted(4));
  tg::array<float, 1> y(one, {4});
  CHECK(error_of([&] { y = x + z; }).number == 702);
}

TEST_CASE("a result whose elements share memory is refused") {
  tg::device gpu;
  tg::array<float, 1> x(gpu, counted(1));
  tg::detail::array_leaf<float, 1> leaf = x.node();
  leaf.extents[0] = 8;
  leaf.strides[0] = 0;
  CHECK(error_of([&] {
          const tg::array_view<float, 1> shared(leaf);
          shared = 1.0f;
        }).number == 705);
}

TEST_CASE("threads evaluate at the same time") {
  tg::device gpu;
  std::vector<std::thread> threads;
  std::vector<float> last(8);
  for (std::size_t k = 0; k < last.size(); ++k)
    threads.emplace_back([&, k] {
      const tg::array<float, 1> x(gpu, counted(500 + k));
      for (int turn = 0; turn < 20; ++turn) {
        const tg::array<float, 1> y = tg::exp(x * 0.001f) + static_cast<float>(k);
        last[k] = y.to_host().back();
      }
    });
  for (auto& t : threads) t.join();
  for (std::size_t k = 0; k < last.size(); ++k)
    CHECK(last[k] == doctest::Approx(std::exp(0.001 * static_cast<double>(499 + k)) + static_cast<double>(k)));
}

TEST_CASE("assignments become nodes of a graph") {
  tg::device gpu;
  const tg::array<float, 1> x(gpu, counted(100));
  tg::array<float, 1> y(gpu, counted(100));
  auto capture = tg::stream(gpu).capture();
  tg::assign_on(capture, tg::into(y) = y + x);
  tg::assign_on(capture, tg::into(y) = y * 2.0f);
  const auto done = std::move(capture).end();
  const auto ready = done.graph.instantiate();
  auto work = tg::stream(gpu).begin();
  work.replay(ready);
  work.replay(ready);
  std::move(work).submit().wait();
  CHECK(y.to_host()[10] == ((10 + 10) * 2 + 10) * 2);
}

TEST_CASE("the same text on both devices of the emulator, from two threads") {
  const more_devices two;
  std::vector<float> sums(2);
  std::vector<std::thread> threads;
  for (std::size_t k = 0; k < 2; ++k)
    threads.emplace_back([&sums, k] {
      tg::device gpu(k == 0 ? "emulator" : "emulator:1");
      const tg::array<float, 1> x(gpu, counted(1000));
      tg::array<float, 1> y(gpu, {1000});
      for (int turn = 0; turn < 10; ++turn) y = x * static_cast<float>(k + 1);
      sums[k] = tg::eval(tg::sum(y)).item();
    });
  for (auto& t : threads) t.join();
  CHECK(sums == std::vector<float>{499500, 999000});
}

TEST_CASE("assignments that take turns, more than a thread keeps, are each right, from several threads too") {
  tg::device gpu;
  const auto work = [&](float base) {
    std::vector<tg::array<float, 1>> from, to;
    for (int k = 0; k < 150; ++k) {
      const auto n = static_cast<std::size_t>(20 + k);
      from.emplace_back(gpu, std::vector<float>(n, base + static_cast<float>(k)));
      to.emplace_back(gpu, tg::array_shape<1>{20 + k});
    }
    int wrong = 0;
    for (const float scale : {2.0f, 3.0f})
      for (std::size_t k = 0; k < from.size(); ++k) {
        to[k] = from[k] * scale + 1.0f;
        const std::vector<float> own = to[k].to_host();
        const float wanted = (base + static_cast<float>(k)) * scale + 1;
        wrong += static_cast<int>(std::count_if(own.begin(), own.end(), [&](float x) { return x != wanted; }));
      }
    return wrong;
  };
  int in_first = -1, in_second = -1;
  std::thread first([&] { in_first = work(0); }), second([&] { in_second = work(1000); });
  first.join();
  second.join();
  CHECK(in_first == 0);
  CHECK(in_second == 0);
  CHECK(work(-500) == 0);
}
