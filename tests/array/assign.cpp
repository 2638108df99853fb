#include <tg/array/assign.hpp>

#include <tg/runtime/stream.hpp>
#include <tg/runtime/telemetry.hpp>

#include "../random_seed.hpp"
#include "../runtime/hand_written.hpp"
#include "arrays.hpp"

using arrays::host;
using hand_written::error_of;

TEST_CASE("several results of one kernel") {
  tg::device gpu;
  std::mt19937 random(random_seed());
  for (const std::int64_t columns : {1, 31, 128, 1000}) {
    const host x = arrays::random_numbers<float>({37, columns}, random);
    const tg::array<float, 2> dx(gpu, {37, columns}, x.numbers);
    tg::array<float, 2> dy(gpu, {37, columns});
    tg::array<float, 1> dm(gpu, {37}), dv(gpu, {37});
    const std::size_t before = tg::telemetry_of(gpu).launches;
    tg::assign(tg::into(dy) = dx - tg::mean<1>(dx, tg::keep), tg::into(dm) = tg::mean<1>(dx),
               tg::into(dv) = tg::variance<1>(dx));
    CHECK(tg::telemetry_of(gpu).launches == before + 1);
    const double n = static_cast<double>(columns);
    const host m = arrays::map([&](double s) { return s / n; }, arrays::sum(x, {1}));
    const host apart = arrays::map([](double a, double b) { return a - b; }, x, m);
    const host v =
        arrays::map([&](double s) { return s / n; }, arrays::sum(arrays::map([](double a) { return a * a; }, apart), {1}));
    const auto wanted = [](const host& h) { return arrays::squeeze(h, {1}).numbers; };
    CHECK(arrays::excess(arrays::on_host(dy), apart, 1e-5) <= 1);
    CHECK(arrays::excess(arrays::on_host(dm), host({37}, wanted(m)), 1e-5) <= 1);
    CHECK(arrays::excess(arrays::on_host(dv), host({37}, wanted(v)), 1e-5) <= 1);
  }
}

TEST_CASE("results of rows or columns beside one of all elements, in any order") {
  tg::device gpu;
  const tg::array<int, 2> x(gpu, {2, 3}, std::vector<int>{1, 2, 3, 4, 5, 6});
  tg::array<int, 2> y(gpu, {2, 3}), z(gpu, {2, 3});
  tg::array<int, 1> of_rows(gpu, {2}), of_columns(gpu, {3});
  tg::assign(tg::into(y) = x * 2, tg::into(of_rows) = tg::sum<1>(x) * 10);
  CHECK(y.to_host()[5] == 12);
  CHECK(of_rows.to_host() == std::vector<int>{60, 150});
  tg::assign(tg::into(y) = x + 1, tg::into(z) = x - tg::sum<0>(x), tg::into(of_columns) = tg::sum<0>(x));
  CHECK(z.to_host() == std::vector<int>{-4, -5, -6, -1, -2, -3});
  CHECK(of_columns.to_host() == std::vector<int>{5, 7, 9});
}

TEST_CASE("on a stream") {
  tg::device gpu;
  const tg::array<int, 1> x(gpu, std::vector<int>{1, 2, 3});
  tg::array<int, 1> y(gpu, {3});
  auto work = tg::stream(gpu).begin();
  tg::assign_on(work, tg::into(y) = x * 2);
  auto idle = std::move(work).submit().wait();
  CHECK(y.to_host() == std::vector<int>{2, 4, 6});
  tg::assign_on(idle.native(), tg::into(y) = x * 3);
  gpu.synchronize();
  CHECK(y.to_host() == std::vector<int>{3, 6, 9});
}

TEST_CASE("results that share memory, and results without memory, are refused") {
  tg::device gpu;
  tg::array<float, 1> x(gpu, {8}), none;
  CHECK(error_of([&] { tg::assign(tg::into(x(tg::range(0, 5))) = 1.0f, tg::into(x(tg::range(4, 8))) = 2.0f); }).number == 700);
  CHECK(error_of([&] { tg::assign(tg::into(x(tg::range(0, 4))) = 1.0f, tg::into(x(tg::range(2, 6))) = 2.0f); }).number == 701);
  CHECK(error_of([&] { tg::assign(tg::into(none) = x); }).number == 704);
}

TEST_CASE("a result without elements along an axis that is not reduced is refused: many threads would write it") {
  tg::device gpu;
  tg::array<float, 2> y(gpu, {4, 2048});
  tg::array<float, 1> w(gpu, {2048});
  tg::array<float, 0> s(gpu, {});
  const tg::array<float, 2> x(gpu, {4, 2048});
  const auto refused = error_of([&] { tg::assign(tg::into(y) = x * w, tg::into(w) = w * 2.0f); });
  CHECK(refused.number == 700);
  CHECK(refused.says("an array of shape (2048,) is to be a result beside one of shape (4, 2048)"));
  CHECK(error_of([&] { tg::assign(tg::into(y) = x * s, tg::into(s) = s * 2.0f); }).number == 700);
}
