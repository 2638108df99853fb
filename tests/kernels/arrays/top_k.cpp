#include <kernels/arrays/top_k.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "../inputs.hpp"
#include "refusals.hpp"

namespace {

using refusals::code_of_error;

/// The columns of the k largest of a row, of equals the lower first.
std::vector<int> best_of(const float* row, int columns, int k) {
  std::vector<int> out(static_cast<std::size_t>(columns));
  std::iota(out.begin(), out.end(), 0);
  const auto is_before = [&](int a, int b) {
    if (std::isnan(row[a]) || std::isnan(row[b])) return std::isnan(row[a]) && !std::isnan(row[b]);
    return row[a] > row[b];
  };
  std::stable_sort(out.begin(), out.end(), is_before);
  out.resize(static_cast<std::size_t>(k));
  return out;
}

template <class T, int Rank> void check(const tg::top_elements<T, Rank>& got, const std::vector<float>& x, int columns, int k) {
  const auto values = got.values.to_host();
  const auto places = got.columns.to_host();
  const auto rows = x.size() / static_cast<std::size_t>(columns);
  REQUIRE(values.size() == rows * static_cast<std::size_t>(k));
  REQUIRE(places.size() == values.size());
  std::size_t at = 0, wrong = 0;
  for (std::size_t r = 0; r < rows; ++r) {
    const float* row = x.data() + r * static_cast<std::size_t>(columns);
    for (const int column : best_of(row, columns, k)) {
      const float value = static_cast<float>(values[at]);
      if (places[at] != column || !(value == row[column] || (std::isnan(value) && std::isnan(row[column])))) ++wrong;
      ++at;
    }
  }
  CHECK(wrong == 0);
}

}  // namespace

TEST_CASE("the largest of rows of any rank, with their columns") {
  tg::device gpu;
  inputs::generator random;
  for (const int columns : {1, 31, 64, 257, 1009}) {
    INFO("seed ", random.seed, ", columns ", columns);
    auto host = random.floats(static_cast<std::size_t>(6 * columns));
    for (std::size_t i = 0; i < host.size(); i += 3) host[i] = static_cast<float>(static_cast<int>(host[i] * 4));
    if (columns > 100) host[17] = NAN, host[50] = INFINITY;
    const tg::array<float, 3> x(gpu, {2, 3, columns}, host);
    for (const int k : {1, std::min(columns, 7), std::min(columns, 64)}) {
      const auto best = tg::top_k(x, k);
      CHECK(best.values.shape() == tg::array_shape<3>(2, 3, k));
      check(best, host, columns, k);
    }
    check(tg::top_k(x(1, 2, tg::full_extent), 1), {host.end() - columns, host.end()}, columns, 1);
  }
}

TEST_CASE("halves, expressions and rows that lie across") {
  tg::device gpu;
  inputs::generator random;
  INFO("seed ", random.seed);
  const int rows = 5, columns = 300;
  std::vector<float> host(static_cast<std::size_t>(rows * columns)), across(host.size()), negative(host.size());
  for (float& x : host) x = static_cast<float>(tg::bf16(random.between(-1, 1)));
  for (std::size_t r = 0; r < 5; ++r)
    for (std::size_t c = 0; c < 300; ++c) across[c * 5 + r] = host[r * 300 + c];
  std::transform(host.begin(), host.end(), negative.begin(), [](float x) { return -x; });
  const tg::array<tg::bf16, 2> x(gpu, {columns, rows}, across);
  const auto best = tg::top_k(x.transpose(), 9);
  static_assert(std::is_same_v<decltype(best.values), tg::array<tg::bf16, 2>>);
  check(best, host, columns, 9);
  check(tg::top_k(-tg::cast<float>(tg::transpose(x)), 9), negative, columns, 9);
}

TEST_CASE("no rows and no elements to find give arrays of that shape") {
  tg::device gpu;
  const tg::array<float, 2> none(gpu, {0, 8}), some(gpu, {3, 8});
  CHECK(tg::top_k(none, 2).values.shape() == tg::array_shape<2>(0, 2));
  CHECK(tg::top_k(some, 0).columns.shape() == tg::array_shape<2>(3, 0));
}

TEST_CASE("more elements than a row has, or than the kernel finds, are refused") {
  tg::device gpu;
  const tg::array<float, 2> x(gpu, {2, 8}, std::vector<float>(16)), wide(gpu, {1, 100}, std::vector<float>(100));
  CHECK(code_of_error([&] { tg::top_k(x, 9); }) == 705);
  CHECK(code_of_error([&] { tg::top_k(x, -1); }) == 705);
  CHECK(code_of_error([&] { tg::top_k(wide, 65); }) == 705);
  CHECK(code_of_error([&] { tg::top_k(tg::array<float, 1>(), 1); }) == 704);
}
