#include <tg/array/array.hpp>

#include <array>
#include <deque>
#include <span>

#include <range/v3/view/iota.hpp>
#include <range/v3/view/take.hpp>
#include <range/v3/view/transform.hpp>

#include "../runtime/hand_written.hpp"
#include "arrays.hpp"

using arrays::counted;
using hand_written::error_of;

namespace {

/// 0 on a GPU, which other processes share.
std::size_t free_bytes(const tg::device& gpu) { return gpu.is_emulated() ? gpu.memory_info().free_bytes : 0; }

}  // namespace

TEST_CASE("an array is made from a shape, from numbers, and from an expression") {
  tg::device gpu;
  const auto numbers = counted(12);
  const tg::array<float, 2> x(gpu, {3, 4}, numbers);
  CHECK(x.to_host() == numbers);
  CHECK(x.size() == 12);
  CHECK(x.extent(1) == 4);
  const tg::array y(gpu, numbers);
  static_assert(std::is_same_v<decltype(y), const tg::array<float, 1>>);
  CHECK(y.to<std::deque>() == std::deque<float>(numbers.begin(), numbers.end()));
  CHECK(y.to<std::vector<double>>() == std::vector<double>(numbers.begin(), numbers.end()));
  const tg::array z = tg::eval(x + 1.0f);
  static_assert(std::is_same_v<decltype(z), const tg::array<float, 2>>);
  CHECK(z.to_host()[11] == 12.0f);
  const tg::array<float, 2> w = x * 2.0f;
  CHECK(w.to_host()[11] == 22.0f);
  const tg::array<int, 1> from_others(gpu, std::vector<short>{1, 2, 3});
  CHECK(from_others.to_host() == std::vector<int>{1, 2, 3});
  CHECK(error_of([&] {
          tg::array<float, 2>(gpu, {3, 5}, numbers);
        }).says("12 elements for an array of shape (3, 5), which has 15"));
  CHECK(error_of([&] { tg::array<float, 1>(gpu, {-1}); }).number == 705);
}

TEST_CASE("an array of one element is made from its device alone, and extents may be in an array of C++") {
  tg::device gpu;
  tg::array<float, 0> one(gpu);
  one = 3.0f;
  CHECK(one.item() == 3.0f);
  const tg::array<float, 2> x(gpu, std::array<std::int64_t, 2>{2, 3});
  CHECK(x.shape() == tg::array_shape<2>(2, 3));
}

TEST_CASE("an array is made from any range") {
  tg::device gpu;
  const auto squares = ranges::views::iota(0, 5) | ranges::views::transform([](int k) { return k * k; });
  const tg::array x(gpu, squares);
  static_assert(std::is_same_v<decltype(x), const tg::array<int, 1>>);
  CHECK(x.to_host() == std::vector<int>{0, 1, 4, 9, 16});
  const tg::array<double, 2> y(gpu, {2, 2}, ranges::views::iota(1) | ranges::views::take(4));
  CHECK(y.to_host() == std::vector<double>{1, 2, 3, 4});
  const std::array<float, 3> three{1, 2, 3};
  CHECK(tg::array(gpu, std::span(three)).to_host() == std::vector<float>{1, 2, 3});
  const tg::array<bool, 1> bits(gpu, std::vector<bool>{true, false, true});
  CHECK(bits.to<std::vector>() == std::vector<bool>{true, false, true});
}

TEST_CASE("an array is made of a C array and of a list, and takes other elements") {
  tg::device gpu;
  const float three[] = {1, 2, 3};
  CHECK(tg::array(gpu, three).to_host() == std::vector<float>{1, 2, 3});
  const tg::array<int, 1> one(gpu, {1}, {7});
  CHECK(one.to_host() == std::vector<int>{7});
  CHECK(tg::array<float, 2>(gpu, {1, 3}, three).to_host() == std::vector<float>{1, 2, 3});
  const tg::array<tg::f16, 2> halves(gpu, {2, 2}, {1, 0, 0, 2.5f});
  CHECK(halves.to<std::vector<float>>() == std::vector<float>{1, 0, 0, 2.5f});
  const tg::array<bool, 1> bits(gpu, {3}, {true, false, true});
  CHECK(bits.to_host() == std::vector<bool>{true, false, true});
  CHECK(error_of([&] {
          tg::array<float, 2>(gpu, {2, 2}, {1, 2, 3});
        }).says("3 elements for an array of shape (2, 2), which has 4"));

  tg::array<float, 1> x(gpu, {4});
  const tg::driver::device_address memory = x.native();
  x.copy_from(std::vector<double>{4, 3, 2, 1});
  CHECK(x.native() == memory);
  CHECK(x.to_host() == std::vector<float>{4, 3, 2, 1});
  CHECK(error_of([&] { x.copy_from(three); }).number == 705);
  tg::array<float, 1> none;
  CHECK(error_of([&] { none.copy_from(three); }).number == 704);
}

TEST_CASE("a copy has its own memory, a moved-from array none, and memory is freed once") {
  tg::device gpu;
  const std::size_t before = free_bytes(gpu);
  {
    tg::array<float, 1> x(gpu, counted(1000));
    tg::array<float, 1> copy = x;
    x += 1.0f;
    CHECK(copy.to_host() == counted(1000));
    tg::array<float, 1> taken = std::move(x);
    CHECK(taken.to_host()[0] == 1.0f);
    CHECK(!x.is_allocated());
    CHECK(error_of([&] { copy = x + 1.0f; }).number == 704);
    CHECK(error_of([&] { x.to_host(); }).number == 704);
    x = taken;
    CHECK(x.to_host() == taken.to_host());
    x = tg::eval(taken * 2.0f);
    CHECK(x.to_host()[0] == 2.0f);
    tg::array<float, 1> empty;
    tg::array<float, 1> also = empty;
    CHECK(!also.is_allocated());
    CHECK(error_of([&] { empty = 1.0f; }).number == 704);
  }
  CHECK(free_bytes(gpu) == before);
}

TEST_CASE("a default-constructed array gets memory by its first assignment, and then keeps its shape") {
  tg::device gpu;
  const tg::array<float, 1> x(gpu, counted(8)), longer(gpu, counted(9));
  tg::array<float, 1> y;
  y = x * 2.0f;
  CHECK(y.to_host()[7] == 14.0f);
  const auto wrong = error_of([&] { y = longer * 2.0f; });
  CHECK(wrong.number == 700);
  CHECK(wrong.says("an array of shape (9,) does not fit the result, of shape (8,)"));
  CHECK(wrong.says("array.cpp:"));
  CHECK(error_of([&] { y += longer; }).number == 700);
  y = longer;  // a copy, of another shape
  CHECK(y.to_host() == counted(9));
}

TEST_CASE("a view keeps the memory of its array") {
  tg::device gpu;
  const std::size_t before = free_bytes(gpu);
  {
    auto x = std::make_unique<tg::array<float, 1>>(gpu, counted(100));
    const auto view = (*x)(tg::range(10, 20));
    const auto expression = *x + 1.0f;
    x.reset();
    CHECK(view.to_host()[0] == 10.0f);
    CHECK(tg::eval(expression).to_host()[99] == 100.0f);
  }
  CHECK(free_bytes(gpu) == before);
}

TEST_CASE("an array is an argument of a launch") {
  tg::device gpu;
  constexpr auto twice = tg::kernel<"twice">(tg::block<32>, [](auto block, tg::inout<float> x) {
    const auto i = block.global_index();
    x(i) = x(i) * 2.0f;
  });
  tg::array<float, 1> x(gpu, counted(64));
  gpu.launch(twice, tg::cover(64), x);
  CHECK(x.to_host()[63] == 126.0f);
}

TEST_CASE("a view of 2 to 4 dimensions takes an array of as many") {
  tg::device gpu;
  constexpr auto next = tg::kernel<"next">(tg::block<32>, [](auto block, tg::in2<float> x, tg::out3<float> y) {
    const auto c = block.thread.x;
    const auto r = block.index.x;
    y(0, r, c) = x(r, c) + 1.0f;
  });
  const tg::array<float, 2> x(gpu, {2, 32}, counted(64));
  tg::array<float, 3> y(gpu, {1, 2, 32});
  gpu.launch(next, tg::grid(2), x, y);
  CHECK(y.to_host()[63] == 64.0f);
  // The launch knows the array's extents: 2 rows are not the 3 that the kernel relies on.
  constexpr auto three = tg::kernel<"three">(
      tg::block<32>, [](auto block, tg::inout2<float, tg::extents<3, 32>> z) { z(block.index.x, block.thread.x) = 0.0f; });
  tg::array<float, 2> z = x;
  CHECK(error_of([&] { gpu.launch(three, tg::grid(2), z); }).number == 526);
  tg::array<float, 2> none;
  CHECK(error_of([&] { gpu.launch(next, tg::grid(2), none, y); }).number == 523);
}

TEST_CASE("arrays of no elements and of none of dimensions") {
  tg::device gpu;
  tg::array<float, 2> none(gpu, {0, 5}), also(gpu, {0, 5});
  also = none * 2.0f;
  CHECK(also.to_host().empty());
  tg::array<float, 0> one(gpu, {});
  one = 3.0f;
  CHECK(one.item() == 3.0f);
  tg::array<float, 1> x(gpu, counted(4));
  x = x * one;
  CHECK(x.to_host() == std::vector<float>{0, 3, 6, 9});
}

TEST_CASE("arrays are values: in containers and structs, copied to other shapes, passed as views") {
  tg::device gpu;
  tg::array<float, 1> five(gpu, counted(5)), one(gpu, counted(1)), none, also;
  five = one;
  CHECK(five.to_host() == counted(1));
  none = also;
  CHECK(!none.is_allocated());
  std::vector<tg::array<float, 1>> a{tg::array<float, 1>(gpu, counted(3)), none}, b;
  b = a;
  a[0] += 1.0f;
  CHECK(b[0].to_host() == counted(3));
  CHECK(!b[1].is_allocated());
  std::swap(a[0], a[1]);
  CHECK(a[1].to_host()[2] == 3.0f);
  const auto sum = [](tg::array_view<const float, 1> x) { return tg::eval(tg::sum(x)).item(); };
  CHECK(sum(b[0]) == 3.0f);
  const tg::array_view<float, 1> view = b[0];
  view = 2.0f;
  CHECK(sum(view) == 6.0f);
  CHECK(error_of([&] { none(0); }).number == 704);
  CHECK(error_of([&] { tg::eval(none + 1.0f); }).number == 704);
}
