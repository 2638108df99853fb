#include <tg/dsl/cost/kernel_cost.hpp>

#include <doctest/doctest.h>

#include <tg/analysis/device_table.hpp>

namespace {

tg::kernel_cost sample() {
  tg::kernel_cost c;
  c.name = "sample";
  c.block_threads = 256;
  c.shared_bytes = 4096;
  c.global_requests = 4, c.sectors = 20, c.sectors_best = 16;
  c.shared_requests = 2, c.wavefronts = 64;
  c.flops = 512, c.multiply_adds = 256;
  return c;
}

}  // namespace

TEST_CASE("ratios follow from the counts, and are 0 where nothing was counted") {
  const tg::kernel_cost c = sample();
  CHECK(c.sectors_per_request() == 5);
  CHECK(c.wavefronts_per_request() == 32);
  CHECK(c.all_flops() == 1024);
  CHECK(c.arithmetic_intensity() == 2);
  CHECK(tg::kernel_cost{}.sectors_per_request() == 0);
  CHECK(tg::kernel_cost{}.arithmetic_intensity() == 0);
}

TEST_CASE("the roof of a part bounds the time") {
  CHECK(sample().least_us({1, 512}) == doctest::Approx(0.001024));  // 1024 operations at 1 TFLOP/s, 512 bytes in 1 ns
  CHECK(sample().least_us({100, 512}) == doctest::Approx(0.001));
}

TEST_CASE("figures add up by name") {
  tg::cost_figures a = sample();
  a += a;
  for (const auto& [name, figure] : tg::cost_figure_names) {
    const auto what = name;  // clang 14 captures no bindings
    CAPTURE(what);
    CHECK(a.*figure == 2 * (sample().*figure));
  }
  CHECK(sizeof(tg::cost_figures) == tg::cost_figure_names.size() * sizeof(std::uint64_t));
}

TEST_CASE("registers bound the occupancy of a cost") {
  const auto& h100 = tg::analysis::find_device("H100")->multiprocessor;
  CHECK(sample().occupancy_on(h100, 32).blocks == 8);
  CHECK(sample().occupancy_on(h100, 64).blocks == 4);
}

TEST_CASE("a cost with an open loop or a gathered access is not complete") {
  tg::kernel_cost c = sample();
  CHECK(c.is_complete());
  c.uncounted_loops.push_back({"k.cpp", 3});
  CHECK_FALSE(c.is_complete());
  c = sample();
  c.uncounted_accesses = 1;
  CHECK_FALSE(c.is_complete());
}
