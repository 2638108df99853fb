#include <kernels/nearest.hpp>

#include <doctest/doctest.h>

#include <algorithm>

#include <kernels/reference/nearest.hpp>

#include "inputs.hpp"

using namespace tg::kernels;

namespace {

struct found_points {
  std::vector<float> distances;
  std::vector<unsigned> points;
};

template <int K, int Dimensions>
found_points found(const std::vector<float>& points, const std::vector<float>& queries, unsigned n, unsigned count) {
  tg::device gpu;
  inputs::rows<float> on_points(gpu, points, Dimensions, n, n + 3), on_queries(gpu, queries, Dimensions, count, count + 1);
  inputs::rows<float> distances(gpu, K, count, count + 5);
  inputs::rows<unsigned> numbers(gpu, K, count, count + 2);
  gpu.launch(nearest<K, Dimensions>, nearest_grid(count), on_points.matrix(), on_queries.matrix(), distances.matrix(),
             numbers.matrix(), n, count);
  return {distances.to_host(), numbers.to_host()};
}

std::vector<float> column(const std::vector<float>& rows, std::size_t width, std::size_t c) {
  std::vector<float> out;
  for (std::size_t i = c; i < rows.size(); i += width) out.push_back(rows[i]);
  return out;
}

/// Distances are off by a rounding of each difference, which counts twice, of each square and of each sum; so is the i-th
/// smallest of them. The point of each has that distance, and no point comes twice.
template <int K, int Dimensions> void check() {
  inputs::generator random;
  for (const unsigned n : {1u, 5u, 127u, 128u, 129u, 256u, 509u})
    for (const unsigned count : {1u, 31u, 130u}) {
      INFO("seed ", random.seed, ", n ", n, ", queries ", count, ", K ", K, ", dimensions ", Dimensions);
      const auto points = random.floats(std::size_t{Dimensions} * n), queries = random.floats(std::size_t{Dimensions} * count);
      const auto all = found<K, Dimensions>(points, queries, n, count);
      std::size_t wrong = 0;
      for (unsigned q = 0; q < count; ++q) {
        const auto wanted = reference::nearest(points, n, column(queries, count, q), K);
        auto by_number = reference::nearest(points, n, column(queries, count, q), n);
        std::sort(by_number.begin(), by_number.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
        std::vector<unsigned> numbers;
        for (unsigned i = 0; i < K; ++i) {
          const double distance = all.distances[i * count + q];
          const unsigned number = all.points[i * count + q];
          if (i >= n) {
            wrong += !(std::isinf(distance) && number == ~0u);
            continue;
          }
          numbers.push_back(number);
          const auto is_close = [&](double exact) {
            return std::abs(distance - exact) <= (Dimensions + 3) * inputs::unit_roundoff * exact;
          };
          wrong += !is_close(wanted[i].first) || number >= n || !is_close(by_number[number].first);
        }
        std::sort(numbers.begin(), numbers.end());
        wrong += std::adjacent_find(numbers.begin(), numbers.end()) != numbers.end();
      }
      CHECK(wrong == 0);
    }
}

}  // namespace

TEST_CASE("nearest points in spaces of some dimensions") {
  check<1, 1>();
  check<5, 2>();
  check<32, 3>();
  check<3, 16>();
}

TEST_CASE("equal points come in the order of their numbers") {
  const auto all = found<16, 2>(std::vector<float>(2 * 300, 0.5f), std::vector<float>{1, 1}, 300, 1);
  for (unsigned i = 0; i < 16; ++i) {
    CHECK(all.distances[i] == 0.5f);
    CHECK(all.points[i] == i);
  }
}

TEST_CASE("points at distances that are no finite numbers are not found") {
  constexpr float infinite = std::numeric_limits<float>::infinity(), none = std::numeric_limits<float>::quiet_NaN();
  const auto all = found<4, 1>({none, 3, infinite, 1, -infinite}, {0}, 5, 1);
  CHECK((all.points == std::vector<unsigned>{3, 1, ~0u, ~0u}));
}
