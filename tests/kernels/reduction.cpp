#include <kernels/reduction.hpp>

#include "sums.hpp"

using namespace tg::kernels;

TEST_CASE("sum in one launch") {
  tg::device gpu;
  inputs::generator random;
  for (const unsigned n : sums::sizes)
    for (const unsigned blocks : {1u, 3u}) {
      INFO("seed ", random.seed, ", n ", n, ", blocks ", blocks);
      const auto x = random.floats(n);
      auto on_x = gpu.upload(x), total = gpu.upload(std::vector<float>{0.5f});
      gpu.launch(sum, tg::grid(blocks), on_x, total, n);
      const double additions = 3.0 + n / (4.0 * blocks * reduction_threads) + 1 + 8 + blocks;
      const double bound = additions * inputs::unit_roundoff * 1.01 * (sums::absolute_sum(x) + 0.5);
      CHECK(std::abs(total.to_host().front() - (0.5 + reference::sum(x))) <= bound);
    }
}

TEST_CASE("the sum costs what the compiler says") {
  for (const auto& row : sums::count(sum)) CHECK(row.access.verdict == tg::verdict::proved);
}
