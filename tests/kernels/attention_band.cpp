#include <kernels/attention_band.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "inputs.hpp"

using namespace tg::kernels;

namespace {

using band_type = attention_band<tg::f16, 64>;

/// Scores of 16 queries and 128 keys in two steps; the weights of keys 64 apart are added up. Register i of the lanes
/// is elements 32 * i to 32 * i + 31.
const auto weigh_twice =
    tg::kernel<"weigh_twice">(tg::block<32>, [](auto block, tg::in<float> x, tg::out<float> y, tg::scalar<float> factor) {
      const auto warp = block.warp();
      band_type band;
      for (unsigned step = 0; step < 2; ++step) {
        band.score = band_type::zeros(4);
        for (unsigned i = 0; i < 32; ++i) band.score[i / 8](i % 8) = x(block.thread.x + (step * 32 + i) * 32);
        band.weigh(warp, factor);
        for (unsigned i = 0; i < 32; ++i) band.out[i / 8](i % 8) += band.score[i / 8](i % 8);
      }
      band.finish(warp);
      for (unsigned i = 0; i < 32; ++i) y(block.thread.x + i * 32) = band.out[i / 8](i % 8);
    });

/// Where a row and column of 16 x 64 sums are.
std::size_t number_of(int row, int column) {
  for (int lane = 0; lane < 32; ++lane)
    for (int e = 0; e < 8; ++e)
      if (band_type::sums::place(lane, e) == tg::matrix_place{row, column % 16})
        return static_cast<std::size_t>((column / 16 * 8 + e) * 32 + lane);
  return 0;
}

}  // namespace

TEST_CASE("the softmax of a band does not depend on the step in which the largest score comes") {
  tg::device gpu;
  inputs::generator random;
  INFO("seed ", random.seed);
  constexpr double bound = 20;
  auto x = random.floats(2048, -bound, bound);
  constexpr int hidden = 3;  // a query that sees no key
  for (int c = 0; c < 64; ++c)
    x[number_of(hidden, c)] = x[1024 + number_of(hidden, c)] = -std::numeric_limits<float>::infinity();
  auto on_x = gpu.upload(x);
  auto on_y = gpu.upload(std::vector<float>(1024, inputs::poison<float>()));
  gpu.launch(weigh_twice, tg::grid(1), on_x, on_y, 0x1.715476p0f);
  const auto got = on_y.to_host();
  for (int row = 0; row < 16; ++row) {
    double peak = -1e300, sum = 0;
    const auto score = [&](int c) { return double(x[static_cast<std::size_t>(c / 64 * 1024) + number_of(row, c % 64)]); };
    for (int c = 0; c < 128; ++c) peak = std::max(peak, score(c));
    for (int c = 0; c < 128; ++c) sum += std::exp(score(c) - peak);
    for (int c = 0; c < 64; ++c) {
      const float own = got[number_of(row, c)];
      if (row == hidden) {
        CHECK(own == 0.0f);
        continue;
      }
      const double wanted = (std::exp(score(c) - peak) + std::exp(score(c + 64) - peak)) / sum;
      // The product with log2 e, the difference from the peak, and two units of each exponential; of the total too.
      CHECK(std::abs(double(own) - wanted) <= wanted * (2 * 8 * bound + 200) * inputs::unit_roundoff + 1e-37);
    }
  }
}
