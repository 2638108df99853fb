#include <kernels/arrays/nearest.hpp>

#include <cmath>

#include <kernels/reference/nearest.hpp>

#include "../../tile/tiles.hpp"
#include "../inputs.hpp"
#include "refusals.hpp"

namespace {

using refusals::code_of_error;

/// Coordinates are small integers, so that distances are exact, and many are equal.
template <int K> void check(std::int64_t n, std::int64_t count, std::int64_t dimensions) {
  tg::device gpu;
  inputs::generator random;
  INFO("seed ", random.seed, ", n ", n, ", count ", count, ", dimensions ", dimensions);
  std::vector<float> points(static_cast<std::size_t>(n * dimensions)), queries(static_cast<std::size_t>(count * dimensions));
  for (auto* all : {&points, &queries})
    for (float& x : *all) x = static_cast<float>(static_cast<int>(random.engine() % 21) - 10);
  const auto width = static_cast<std::size_t>(dimensions), many = static_cast<std::size_t>(n);
  std::vector<float> apart(points.size());
  for (std::size_t p = 0; p < many; ++p)
    for (std::size_t d = 0; d < width; ++d) apart[d * many + p] = points[p * width + d];
  const auto found =
      tg::nearest<K>(tg::array<float, 2>(gpu, {n, dimensions}, points), tg::array<float, 2>(gpu, {count, dimensions}, queries));
  std::vector<float> squares;
  std::vector<int> numbers;
  for (std::size_t q = 0; q < static_cast<std::size_t>(count); ++q) {
    const auto begin = queries.begin() + static_cast<std::ptrdiff_t>(q * width);
    const std::vector<float> query(begin, begin + static_cast<std::ptrdiff_t>(width));
    for (const auto& [square, number] : tg::kernels::reference::nearest(apart, static_cast<unsigned>(n), query, K)) {
      squares.push_back(static_cast<float>(square));
      numbers.push_back(static_cast<int>(number));
    }
  }
  CHECK(found.squares.shape() == tg::array_shape<2>(count, K));
  CHECK(found.squares.to_host() == squares);
  CHECK(found.points.to_host() == numbers);
}

}  // namespace

TEST_CASE("the nearest points of any number of dimensions") {
  check<1>(1, 1, 1);
  check<4>(3, 5, 2);
  check<4>(257, 131, 3);
  check<8>(130, 129, 5);
  check<1>(300, 17, 12);
  check<1>(129, 128, 32);
}

TEST_CASE("an expression, no points and no queries") {
  tg::device gpu;
  const tg::array<float, 2> points(gpu, {3, 2}, std::vector<float>{0, 0, 4, 0, 0, 6}), none(gpu, {0, 2});
  CHECK(tg::nearest<1>(points * 2.0f, points + 1.0f).points.to_host() == std::vector<int>{0, 1, 2});
  CHECK(tg::nearest<2>(none, points).points.to_host() == std::vector<int>(6, -1));
  CHECK(std::isinf(tg::nearest<2>(none, points).squares.to_host()[5]));
  CHECK(tg::nearest<2>(points, none).points.size() == 0);
}

TEST_CASE("points of other dimensions than the queries, or of too many, are refused") {
  tg::device gpu;
  const tg::array<float, 2> two(gpu, {1, 2}), three(gpu, {1, 3}), wide(gpu, {1, 33}), flat(gpu, {1, 0});
  CHECK(code_of_error([&] { tg::nearest<1>(two, three); }) == 700);
  CHECK(code_of_error([&] { tg::nearest<1>(wide, wide); }) == 705);
  CHECK(code_of_error([&] { tg::nearest<1>(flat, flat); }) == 705);
}
