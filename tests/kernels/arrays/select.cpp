#include <kernels/arrays/select.hpp>

#include <algorithm>
#include <cmath>

#include "../inputs.hpp"
#include "refusals.hpp"

namespace {

using refusals::code_of_error;

constexpr std::int64_t sizes[] = {0, 1, 2, 255, 2047, 2048, 2049, 5003};

template <class T> std::vector<T> few_values(inputs::generator& random, std::int64_t n, unsigned values) {
  std::vector<T> out(static_cast<std::size_t>(n));
  for (T& x : out) x = static_cast<T>(random.engine() % values);
  return out;
}

template <class T> void check_runs() {
  tg::device gpu;
  inputs::generator random;
  for (const std::int64_t n : sizes)
    for (const unsigned values : {1u, 2u, 100u}) {
      INFO("seed ", random.seed, ", n ", n, ", values ", values);
      const auto host = few_values<T>(random, n, values);
      std::vector<T> wanted;
      std::vector<int> lengths;
      for (std::size_t i = 0; i < host.size(); ++i) {
        if (i == 0 || host[i] != host[i - 1]) wanted.push_back(host[i]), lengths.push_back(0);
        ++lengths.back();
      }
      const tg::array<T, 1> x(gpu, host);
      CHECK(tg::unique(x).to_host() == wanted);
      const auto runs = tg::run_lengths(x);
      CHECK(runs.values.to_host() == wanted);
      CHECK(runs.lengths.to_host() == lengths);
    }
}

}  // namespace

TEST_CASE("where a mask is true, and the elements there") {
  tg::device gpu;
  inputs::generator random;
  for (const std::int64_t n : sizes)
    for (const float bound : {-2.0f, 0.0f, 0.9f, 2.0f}) {
      INFO("seed ", random.seed, ", n ", n, ", bound ", bound);
      const auto host = random.floats(static_cast<std::size_t>(n));
      std::vector<int> places;
      std::vector<float> kept;
      for (std::size_t i = 0; i < host.size(); ++i)
        if (host[i] > bound) places.push_back(static_cast<int>(i)), kept.push_back(host[i]);
      const tg::array<float, 1> x(gpu, host);
      CHECK(tg::nonzero(x > bound).to_host() == places);
      CHECK(tg::compress(x, x > bound).to_host() == kept);
      CHECK(tg::compress(x * 2.0f, tg::eval(x > bound)).size() == kept.size());
    }
}

TEST_CASE("rows that a mask chooses, and elements of a matrix") {
  tg::device gpu;
  inputs::generator random;
  INFO("seed ", random.seed);
  const std::int64_t rows = 523, columns = 7;
  const auto host = random.floats(static_cast<std::size_t>(rows * columns));
  const tg::array<float, 2> x(gpu, {rows, columns}, host);
  std::vector<float> chosen, positive;
  for (std::size_t r = 0; r < 523; ++r)
    if (host[r * 7] > 0)
      chosen.insert(chosen.end(), host.begin() + static_cast<std::ptrdiff_t>(r * 7),
                    host.begin() + static_cast<std::ptrdiff_t>(r * 7 + 7));
  std::copy_if(host.begin(), host.end(), std::back_inserter(positive), [](float each) { return each > 0; });
  const auto found = tg::compress(x, x(tg::full_extent, 0) > 0.0f);
  CHECK(found.extent(1) == columns);
  CHECK(found.to_host() == chosen);
  CHECK(tg::compress(x, x > 0.0f).to_host() == positive);
}

TEST_CASE("runs of equal elements") {
  check_runs<int>();
  check_runs<unsigned char>();
  check_runs<std::int64_t>();
  check_runs<float>();
}

TEST_CASE("NaN begins a run each time, and the zeros are one") {
  tg::device gpu;
  const tg::array<float, 1> x(gpu, std::vector<float>{0.0f, -0.0f, NAN, NAN, 1});
  CHECK(tg::run_lengths(x).lengths.to_host() == std::vector<int>{2, 1, 1, 1});
}

TEST_CASE("masks of other shapes and arrays without memory are refused") {
  tg::device gpu;
  const tg::array<float, 2> x(gpu, {3, 4}, std::vector<float>(12));
  const tg::array<bool, 1> four(gpu, std::vector<bool>(4));
  const tg::array<bool, 2> turned(gpu, {4, 3}, std::vector<bool>(12));
  CHECK(code_of_error([&] { tg::compress(x, four); }) == 700);
  CHECK(code_of_error([&] { tg::compress(x, turned); }) == 700);
  CHECK(code_of_error([&] { tg::unique(tg::array<int, 1>()); }) == 704);
}
