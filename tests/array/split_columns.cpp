#include <tg/array/split_columns.hpp>

#include <random>
#include <thread>

#include <tg/array/kernel_of.hpp>
#include <tg/runtime/capture.hpp>
#include <tg/runtime/stream.hpp>
#include <tg/runtime/telemetry.hpp>

#include "../random_seed.hpp"
#include "arrays.hpp"

using arrays::host;
using arrays::on_host;

namespace {

host wanted_sums(const host& x) { return arrays::squeeze(arrays::sum(x, {0}), {0}); }

}  // namespace

TEST_CASE("blocks share long columns: sums, means, the largest and where it is, in one launch and again") {
  tg::device gpu;
  std::mt19937 random(random_seed());
  for (const std::int64_t rows : {2048, 5003})
    for (const std::int64_t columns : {1, 3, 32, 131}) {
      CAPTURE(rows);
      CAPTURE(columns);
      const host x = arrays::random_numbers<int>({rows, columns}, random);
      const tg::array<int, 2> dx(gpu, {rows, columns}, x.numbers);
      tg::array<int, 1> sums(gpu, {columns}), most(gpu, {columns}), places(gpu, {columns});
      tg::array<double, 1> means(gpu, {columns});
      const host wanted = wanted_sums(x), largest = arrays::max(x, {0});
      if (columns > 1) CHECK(tg::kernel_of(tg::into(sums) = tg::sum<0>(dx)).blocks() > (columns + 127) / 128);
      for (int turn = 0; turn < 2; ++turn) {
        sums = -1, most = -1, places = -1;
        const auto before = tg::telemetry_of(gpu).launches;
        tg::assign(tg::into(sums) = tg::sum<0>(dx), tg::into(most) = tg::max<0>(dx), tg::into(places) = tg::argmax<0>(dx),
                   tg::into(means) = tg::mean<0>(tg::cast<double>(dx)));
        CHECK(tg::telemetry_of(gpu).launches == before + 1);
        CHECK(on_host(sums).numbers == wanted.numbers);
        CHECK(on_host(most).numbers == largest.numbers);
        const auto found = places.to_host();
        for (std::size_t c = 0; c < found.size(); ++c) {
          std::size_t first = 0;
          while (x.numbers[first * found.size() + c] != largest.numbers[c]) ++first;
          REQUIRE(found[c] == static_cast<int>(first));
        }
        const auto mean = on_host(means);
        for (std::size_t c = 0; c < found.size(); ++c)
          REQUIRE(std::abs(mean.numbers[c] - wanted.numbers[c] / static_cast<double>(rows)) < 1e-9);
      }
    }
}

TEST_CASE("columns of an expression, with a result beside it that has no column, and of two axes") {
  tg::device gpu;
  std::mt19937 random(random_seed());
  const host x = arrays::random_numbers<float>({4096, 96}, random), w = arrays::random_numbers<float>({96}, random);
  const tg::array<float, 2> dx(gpu, {4096, 96}, x.numbers);
  const tg::array<float, 1> dw(gpu, {96}, w.numbers);
  const host scaled = arrays::map([](double a, double b) { return a * a * b; }, x, w);
  const tg::array<float, 1> sums = tg::sum<0>(dx * dx * dw) * 2.0f + dw;
  const host twice = arrays::map([](double s, double b) { return 2 * s + b; }, wanted_sums(scaled), w);
  CHECK(arrays::excess(on_host(sums), twice, 1e-4) <= 1);
  const tg::array<float, 3> cube(gpu, {64, 64, 96}, x.numbers);
  const tg::array<float, 1> of_both = tg::sum<0, 1>(cube);
  CHECK(arrays::excess(on_host(of_both), wanted_sums(x), 1e-4) <= 1);
}

TEST_CASE("long columns in graphs and by streams at once") {
  tg::device gpu;
  std::mt19937 random(random_seed());
  const host x = arrays::random_numbers<int>({8192, 64}, random);
  const tg::array<int, 2> dx(gpu, {8192, 64}, x.numbers);
  const std::vector<double> wanted = wanted_sums(x).numbers;
  tg::array<int, 1> y(gpu, {64});
  auto capture = tg::stream(gpu).capture();
  tg::assign_on(capture, tg::into(y) = tg::sum<0>(dx));
  auto done = std::move(capture).end();
  auto work = std::move(done.stream).begin();
  work.replay(done.graph.instantiate());
  const auto idle = std::move(work).submit().wait();
  CHECK(on_host(y).numbers == wanted);
  std::vector<std::thread> threads;
  std::array<bool, 3> are_right{};
  for (std::size_t k = 0; k < are_right.size(); ++k)
    threads.emplace_back([&, k] {
      tg::array<int, 1> own(gpu, {64});
      auto other = tg::stream(gpu).begin();
      for (int turn = 0; turn < 3; ++turn) tg::assign_on(other, tg::into(own) = tg::sum<0>(dx));
      const auto over = std::move(other).submit().wait();
      are_right[k] = on_host(own).numbers == wanted;
    });
  for (auto& t : threads) t.join();
  for (const bool is_right : are_right) CHECK(is_right);
}
