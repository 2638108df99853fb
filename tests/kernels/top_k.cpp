#include <kernels/top_k.hpp>

#include <algorithm>
#include <numeric>

#include "inputs.hpp"

using tg::kernels::top_k;

namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

/// Columns of a row in the order that is wanted.
std::vector<unsigned> order_of(const float* row, unsigned columns) {
  std::vector<unsigned> out(columns);
  std::iota(out.begin(), out.end(), 0u);
  std::stable_sort(out.begin(), out.end(),
                   [&](unsigned a, unsigned b) { return std::isnan(row[a]) ? !std::isnan(row[b]) : row[a] > row[b]; });
  return out;
}

void check(const std::vector<float>& x, unsigned rows, unsigned columns, unsigned k) {
  tg::device gpu;
  inputs::rows<float> on_x(gpu, x, rows, columns, columns + 3), values(gpu, rows, k, k + 1);
  inputs::rows<unsigned> places(gpu, rows, k, k + 2);
  gpu.launch(top_k, tg::grid(rows), on_x.matrix(), values.matrix(), places.matrix(), columns, k);
  const auto v = values.to_host();
  const auto p = places.to_host();
  std::size_t wrong = 0;
  for (unsigned r = 0; r < rows; ++r) {
    const float* row = &x[std::size_t{r} * columns];
    const auto wanted = order_of(row, columns);
    for (unsigned i = 0; i < k; ++i) {
      wrong += p[r * k + i] != wanted[i];
      wrong += std::memcmp(&v[r * k + i], &row[wanted[i]], sizeof(float)) != 0;
    }
  }
  CHECK(wrong == 0);
}

}  // namespace

TEST_CASE("the largest of each row and their columns") {
  inputs::generator random;
  for (const unsigned columns : {1u, 2u, 31u, 32u, 33u, 63u, 64u, 65u, 255u, 256u, 257u, 1009u, 5000u})
    for (const unsigned k : {1u, 2u, 31u, 32u, 33u, 63u, 64u}) {
      if (k > columns) continue;
      INFO("seed ", random.seed, ", columns ", columns, ", k ", k);
      check(random.floats(3 * columns), 3, columns, k);
    }
}

TEST_CASE("of equals the one of the lower column comes first") {
  inputs::generator random;
  for (const unsigned columns : {64u, 300u, 1000u}) {
    INFO("seed ", random.seed, ", columns ", columns);
    check(std::vector<float>(columns, 2.5f), 1, columns, 64);
    std::vector<float> few(columns);
    for (float& x : few) x = static_cast<float>(random.engine() % 3);
    check(few, 1, columns, 64);
    for (float& x : few) x = random.engine() % 2 == 0 ? 0.0f : -0.0f;
    check(few, 1, columns, 64);
  }
}

TEST_CASE("rows in order and in reverse, infinities and NaN") {
  std::vector<float> up(2000);
  std::iota(up.begin(), up.end(), -1000.0f);
  check(up, 1, 2000, 64);
  check({up.rbegin(), up.rend()}, 1, 2000, 64);
  up[5] = infinity;
  up[77] = up[1500] = std::numeric_limits<float>::quiet_NaN();
  up[3] = -infinity;
  check(up, 1, 2000, 64);
  check(std::vector<float>(100, -infinity), 1, 100, 40);
}
