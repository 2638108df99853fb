#include <kernels/reduction_steps.hpp>

#include "sums.hpp"

using namespace tg::kernels;

namespace {

/// Launches until one sum is left. Each launch adds at most nine numbers one after the other on the way to the result.
template <class K> void check_partial(const K& kernel, unsigned per_block) {
  tg::device gpu;
  inputs::generator random;
  for (const unsigned n : sums::sizes) {
    INFO("seed ", random.seed, ", n ", n);
    const auto x = random.floats(n);
    auto from = gpu.upload(x);
    int launches = 0;
    for (unsigned left = n; launches == 0 || left > 1; ++launches) {
      const unsigned blocks = (left + per_block - 1) / per_block;
      auto to = gpu.upload(std::vector<float>(blocks + 1, inputs::poison<float>()));
      gpu.launch(kernel, tg::grid(blocks), from, to, left);
      CHECK(inputs::is_poison(to.to_host().back()));
      from = std::move(to);
      left = blocks;
    }
    const double bound = 9 * launches * inputs::unit_roundoff * 1.01 * sums::absolute_sum(x);
    CHECK(std::abs(from.to_host().front() - reference::sum(x)) <= bound);
  }
}

}  // namespace

TEST_CASE("interleaved sum") { check_partial(sum_interleaved, 256); }
TEST_CASE("sequential sum") { check_partial(sum_sequential, 256); }
TEST_CASE("sum with the first addition while loading") { check_partial(sum_first_add, 512); }
TEST_CASE("sum by shuffles") { check_partial(sum_shuffled, 512); }

TEST_CASE("the steps of the sum cost what the compiler says") {
  for (const auto& row : sums::count(sum_interleaved)) CHECK(row.access.verdict == tg::verdict::proved);
  for (const auto& row : sums::count(sum_sequential)) CHECK(row.access.verdict == tg::verdict::proved);
  for (const auto& row : sums::count(sum_first_add)) CHECK(row.access.verdict == tg::verdict::proved);
  for (const auto& row : sums::count(sum_shuffled)) CHECK(row.access.verdict == tg::verdict::proved);
}
