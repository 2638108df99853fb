#include <kernels/reduction.hpp>

#include <doctest/doctest.h>

#include <kernels/reference/reduction.hpp>

#include "inputs.hpp"
#include "ledger.hpp"

using namespace tg::kernels;

namespace {

constexpr unsigned sizes[] = {1, 3, 31, 255, 256, 257, 511, 512, 513, 1009, 2048, 66049};

double absolute_sum(const std::vector<float>& x) {
  double out = 0;
  for (const double v : x) out += std::abs(v);
  return out;
}

/// Launches until one sum is left. Each launch adds at most nine numbers one after the other on the way to the result.
template <class K> void check_partial(const K& kernel, unsigned per_block) {
  tg::device gpu;
  inputs::generator random;
  for (const unsigned n : sizes) {
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
    const double bound = 9 * launches * inputs::unit_roundoff * 1.01 * absolute_sum(x);
    CHECK(std::abs(from.to_host().front() - reference::sum(x)) <= bound);
  }
}

template <class K> std::vector<ledger_row> count(const K& kernel) {
  tg::device gpu;
  ledger counted(kernel);
  if (!gpu.is_emulated()) return counted.rows();
  auto x = gpu.zeros<float>(5000), out = gpu.zeros<float>(64);
  counted.count([&] { gpu.launch(kernel, tg::grid(4), x, out, 4095u); });
  counted.count([&] { gpu.launch(kernel, tg::grid(4), x.part(4, 4096), out, 4090u); });
  for (const auto& mismatch : counted.mismatches()) FAIL_CHECK(mismatch);
  return counted.rows();
}

}  // namespace

TEST_CASE("interleaved sum") { check_partial(sum_interleaved, 256); }
TEST_CASE("sequential sum") { check_partial(sum_sequential, 256); }
TEST_CASE("sum with the first addition while loading") { check_partial(sum_first_add, 512); }
TEST_CASE("sum by shuffles") { check_partial(sum_shuffled, 512); }

TEST_CASE("sum in one launch") {
  tg::device gpu;
  inputs::generator random;
  for (const unsigned n : sizes)
    for (const unsigned blocks : {1u, 3u}) {
      INFO("seed ", random.seed, ", n ", n, ", blocks ", blocks);
      const auto x = random.floats(n);
      auto on_x = gpu.upload(x), total = gpu.upload(std::vector<float>{0.5f});
      gpu.launch(sum, tg::grid(blocks), on_x, total, n);
      const double additions = 3.0 + n / (4.0 * blocks * reduction_threads) + 1 + 8 + blocks;
      const double bound = additions * inputs::unit_roundoff * 1.01 * (absolute_sum(x) + 0.5);
      CHECK(std::abs(total.to_host().front() - (0.5 + reference::sum(x))) <= bound);
    }
}

TEST_CASE("the sums cost what the compiler says") {
  for (const auto& row : count(sum_interleaved)) CHECK(row.access.verdict == tg::verdict::proved);
  for (const auto& row : count(sum_sequential)) CHECK(row.access.verdict == tg::verdict::proved);
  for (const auto& row : count(sum_first_add)) CHECK(row.access.verdict == tg::verdict::proved);
  for (const auto& row : count(sum_shuffled)) CHECK(row.access.verdict == tg::verdict::proved);
  for (const auto& row : count(sum)) CHECK(row.access.verdict == tg::verdict::proved);
}
