#include <tg/array/scatter.hpp>

#include <tg/array/random.hpp>
#include <tg/array/take.hpp>
#include <tg/runtime/stream.hpp>
#include <tg/tree/functions.hpp>

#include "../random_seed.hpp"
#include "arrays.hpp"

namespace {

template <class T> void check_sums() {
  tg::device gpu;
  std::mt19937 random(random_seed());
  for (const std::int64_t count : {1, 31, 1000, 5000})
    for (const std::int64_t bins : {1, 7, 300}) {
      std::vector<int> at(static_cast<std::size_t>(count));
      for (int& i : at) i = static_cast<int>(random() % static_cast<unsigned>(bins));
      std::vector<T> x(at.size()), wanted(static_cast<std::size_t>(bins), T(1)), most = wanted, least = wanted;
      for (T& each : x) each = static_cast<T>(static_cast<int>(random() % 2000) - (std::is_unsigned_v<T> ? 0 : 1000));
      for (std::size_t k = 0; k < at.size(); ++k) {
        const auto to = static_cast<std::size_t>(at[k]);
        wanted[to] = static_cast<T>(wanted[to] + x[k]);
        most[to] = std::max(most[to], x[k]);
        least[to] = std::min(least[to], x[k]);
      }
      const tg::array<int, 1> i(gpu, at);
      const tg::array<T, 1> dx(gpu, x);
      tg::array<T, 1> sums(gpu, std::vector<T>(wanted.size(), T(1))), tops = sums, bottoms = sums;
      tg::add_at(sums, i, dx);
      tg::max_at(tops, i, dx);
      tg::min_at(bottoms, i, dx);
      CHECK(sums.to_host() == wanted);  // integers, exact in any order
      CHECK(tops.to_host() == most);
      CHECK(bottoms.to_host() == least);
    }
}

}  // namespace

TEST_CASE("sums, largest and smallest of groups") {
  check_sums<int>();
  check_sums<unsigned>();
  check_sums<std::int64_t>();
  check_sums<std::uint64_t>();
  check_sums<float>();
  check_sums<double>();
}

TEST_CASE("floats below zero, and zeros of both signs, have an order") {
  tg::device gpu;
  tg::array<float, 1> y(gpu, std::vector<float>{-5, -5, 5, -0.0f});
  const tg::array<int, 1> i(gpu, std::vector<int>{0, 1, 2, 3, 0, 1});
  const tg::array<float, 1> x(gpu, std::vector<float>{-7, -3, -1, -1, -0.0f, INFINITY});
  tg::max_at(y, i, x);
  CHECK(y.to_host() == std::vector<float>{0, INFINITY, 5, 0});
  tg::min_at(y, i, x);
  CHECK(y.to_host() == std::vector<float>{-7, -3, -1, -1});
}

TEST_CASE("rows, columns and single numbers") {
  tg::device gpu;
  std::mt19937 random(random_seed());
  const arrays::host rows = arrays::random_numbers<float>({50, 33}, random);
  std::vector<int> at(50);
  for (int& i : at) i = static_cast<int>(random() % 8);
  const tg::array<float, 2> x(gpu, {50, 33}, rows.numbers);
  const tg::array<int, 1> i(gpu, at);
  tg::array<float, 2> table(gpu, {8, 33}), columns(gpu, {33, 8});
  table = 0.0f;
  columns = 0.0f;
  tg::add_at(table, i, x * 2.0f);
  tg::add_at<1>(columns, i, tg::transpose(x));
  arrays::host wanted({8, 33});
  arrays::for_each_index(rows.shape, [&](const auto& k, std::size_t n) {
    wanted.numbers[static_cast<std::size_t>(at[static_cast<std::size_t>(k[0])] * 33 + k[1])] += rows.numbers[n];
  });
  CHECK(arrays::excess(arrays::on_host(columns), arrays::on_host(tg::eval(tg::transpose(table) * 0.5f)), 1e-4) <= 1);
  CHECK(arrays::excess(arrays::on_host(table), arrays::map([](double a) { return 2 * a; }, wanted), 1e-4) <= 1);

  tg::array<unsigned, 1> bins(gpu, std::vector<unsigned>(8, 0u));
  tg::add_at(bins, i, 1);
  std::vector<unsigned> counted(8, 0u);
  for (const int k : at) ++counted[static_cast<std::size_t>(k)];
  CHECK(bins.to_host() == counted);

  // The other way round as tg::take.
  tg::array<int, 1> order(gpu, std::vector<int>{3, 1, 0, 2}), back(gpu, {4});
  tg::put_at(back, order, tg::index_of<0>(order));
  CHECK(back.to_host() == std::vector<int>{2, 1, 3, 0});
  tg::array<tg::bf16, 2> half(gpu, {4, 33});
  tg::put_at(half, order, tg::cast<tg::bf16>(x(tg::range(4), tg::full_extent)));
  CHECK(static_cast<float>(half.to_host()[3 * 33]) == static_cast<float>(tg::bf16(static_cast<float>(rows.numbers[0]))));
}

TEST_CASE("on a stream, and into a view") {
  tg::device gpu;
  tg::stream stream(gpu);
  tg::array<int, 1> y(gpu, std::vector<int>(10, 0));
  const tg::array<int, 1> i(gpu, std::vector<int>{0, 1, 1, 4});
  tg::add_at_on(stream, y(tg::range(0, 10, 2)), i, i * 0 + 5);
  gpu.synchronize();
  CHECK(y.to_host() == std::vector<int>{5, 0, 10, 0, 0, 0, 0, 0, 5, 0});
}

TEST_CASE("what does not fit") {
  tg::device gpu;
  tg::array<float, 1> y(gpu, std::vector<float>(10, 0.0f)), x(gpu, {4}), longer(gpu, {5});
  const tg::array<int, 1> i(gpu, std::vector<int>{0, 1, 1, 4});
  const auto code_of = [](auto f) {
    try {
      f();
    } catch (const tg::error& e) { return static_cast<int>(e.code()); }
    return 0;
  };
  CHECK(code_of([&] { tg::add_at(y, i, longer); }) == 700);
  CHECK(code_of([&] { tg::add_at(y, i, y(tg::range(4))); }) == 701);
  tg::array<float, 1> nothing;
  CHECK(code_of([&] { tg::add_at(nothing, i, x); }) == 704);
  tg::array<int, 1> none(gpu, {0});
  tg::add_at(y, none, 1.0f);
  CHECK(y.to_host() == std::vector<float>(10, 0.0f));
}
