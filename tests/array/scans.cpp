#include <tg/array/scans.hpp>

#include <array>
#include <random>
#include <thread>
#include <vector>

#include <tg/array/assign.hpp>
#include <tg/array/scan.hpp>
#include <tg/runtime/capture.hpp>
#include <tg/runtime/stream.hpp>

#include "../random_seed.hpp"
#include "arrays.hpp"

using arrays::plan_of;
using tg::detail::array_schedule;

TEST_CASE("which threads scan") {
  tg::device gpu;
  tg::array<float, 2> x(gpu, {2000, 512}), small(gpu, {3, 50});
  CHECK(plan_of(x.view(), tg::cumsum<1>(x)).own.schedule == array_schedule::rows);
  CHECK(plan_of(x.view(), tg::cumsum<1>(x)).own.threads == 32);
  CHECK(plan_of(x.view(), tg::cumsum<1>(x)).own.chunks == 0);
  CHECK(plan_of(small.view(), tg::cumsum<1>(small)).own.is_scanned);
  CHECK(plan_of(x.view(), tg::cumsum<0>(x)).own.schedule == array_schedule::columns);
  CHECK(plan_of(x.view(), tg::cumsum<0>(x)).own.beside == 1);
}

namespace {

template <class T> std::vector<T> line_of(std::int64_t n, std::mt19937& random) {
  std::vector<T> x(static_cast<std::size_t>(n));
  for (T& v : x) v = static_cast<T>(static_cast<int>(random() % 200) - 100);
  return x;
}

/// `f` over the elements up to each, of rows of n.
template <class T, class F> std::vector<T> scanned(std::vector<T> x, std::int64_t n, F f) {
  for (std::size_t k = 0; k < x.size(); ++k)
    if (k % static_cast<std::size_t>(n) != 0) x[k] = f(x[k - 1], x[k]);
  return x;
}

/// Integers in a T, so that every order of additions gives one sum.
template <class T> void check_long_lines(tg::device& gpu, const std::vector<std::int64_t>& lengths) {
  std::mt19937 random(random_seed());
  const auto add = [](T a, T b) { return static_cast<T>(a + b); };
  const auto larger = [](T a, T b) { return a > b ? a : b; };
  for (const std::int64_t rows : {1, 3})
    for (const std::int64_t n : lengths) {
      CAPTURE(rows);
      CAPTURE(n);
      const std::vector<T> x = line_of<T>(rows * n, random);
      const tg::array<T, 2> dx(gpu, {rows, n}, x);
      tg::array<T, 2> y(gpu, dx.shape()), most(gpu, dx.shape()), least(gpu, dx.shape());
      for (int turn = 0; turn < 2; ++turn) {
        y = T(-7);
        y = tg::cumsum<1>(dx);
        CHECK(y.to_host() == scanned(x, n, add));
      }
      // Two scans of one kernel, and what an expression does with them.
      tg::assign(tg::into(y) = tg::cumsum<1>(dx) - dx, tg::into(most) = tg::cummax<1>(dx), tg::into(least) = tg::cumsum<1>(dx));
      CHECK(most.to_host() == scanned(x, n, larger));
      CHECK(least.to_host() == scanned(x, n, add));
      std::vector<T> exclusive = scanned(x, n, add);
      for (std::size_t k = 0; k < x.size(); ++k) exclusive[k] = static_cast<T>(exclusive[k] - x[k]);
      CHECK(y.to_host() == exclusive);
      // In place.
      y = dx;
      y = tg::cumsum<1>(y);
      CHECK(y.to_host() == scanned(x, n, add));
    }
}

}  // namespace

TEST_CASE("blocks share a long line that is scanned: words of memory of 32 and 64 bits") {
  tg::device gpu;
  constexpr std::int64_t block = 4096;
  check_long_lines<int>(gpu, {4 * block - 4, 4 * block, 4 * block + 4, 150001});
  check_long_lines<double>(gpu, {4 * block - 4, 4 * block + 4, 40009});
  check_long_lines<float>(gpu, {4 * block, 40009});
  check_long_lines<std::int64_t>(gpu, {4 * block + 4});
}

TEST_CASE("a long line with gaps, an odd number of elements, bytes, and a scan of an expression") {
  tg::device gpu;
  std::mt19937 random(random_seed());
  constexpr std::int64_t n = 50001;
  const auto add = [](float a, float b) { return a + b; };
  const std::vector<float> all = line_of<float>(2 * n, random);
  const tg::array<float, 1> x(gpu, {2 * n}, all);
  std::vector<float> own(n);
  for (std::size_t k = 0; k < own.size(); ++k) own[k] = all[2 * k] * 2 + 1;
  tg::array<float, 1> y(gpu, {n});
  y = tg::cumsum(x(tg::range(0, 2 * n, 2)) * 2.0f + 1.0f);
  CHECK(y.to_host() == scanned(own, n, add));
  std::vector<std::int8_t> bytes(n);
  std::vector<int> sums(n);
  for (std::size_t k = 0; k < bytes.size(); ++k) {
    bytes[k] = static_cast<std::int8_t>(random());
    sums[k] = (k == 0 ? 0 : sums[k - 1]) + bytes[k];
  }
  const tg::array<std::int8_t, 1> small(gpu, bytes);
  CHECK(tg::eval(tg::cumsum(small)).to_host() == sums);
}

TEST_CASE("a long line is scanned in graphs and by streams at once") {
  tg::device gpu;
  std::mt19937 random(random_seed());
  constexpr std::int64_t n = 60000;
  const std::vector<int> all = line_of<int>(n, random);
  const std::vector<int> wanted = scanned(all, n, [](int a, int b) { return a + b; });
  const tg::array<int, 1> x(gpu, all);
  tg::array<int, 1> y(gpu, {n});
  auto capture = tg::stream(gpu).capture();
  tg::assign_on(capture, tg::into(y) = tg::cumsum(x));
  auto done = std::move(capture).end();
  auto work = std::move(done.stream).begin();
  work.replay(done.graph.instantiate());
  const auto idle = std::move(work).submit().wait();
  CHECK(y.to_host() == wanted);
  std::vector<std::thread> threads;
  std::array<bool, 3> are_right{};
  for (std::size_t k = 0; k < are_right.size(); ++k)
    threads.emplace_back([&, k] {
      tg::array<int, 1> own(gpu, {n});
      auto other = tg::stream(gpu).begin();
      for (int turn = 0; turn < 3; ++turn) tg::assign_on(other, tg::into(own) = tg::cumsum(x));
      const auto over = std::move(other).submit().wait();
      are_right[k] = own.to_host() == wanted;
    });
  for (auto& t : threads) t.join();
  for (const bool is_right : are_right) CHECK(is_right);
}
