#include <tg/runtime/deferred.hpp>

#include <doctest/doctest.h>

#include <random>
#include <string>
#include <utility>
#include <vector>

#include <tg/dsl.hpp>
#include <tg/runtime/variants.hpp>

#include <tg/emulator.hpp>

#include "../random_seed.hpp"
#include "hand_written.hpp"

using hand_written::error_of;

namespace {

constexpr auto axpy = tg::kernel<"axpy">(
    tg::block<64>, [](auto block, tg::in<float> x, tg::inout<float> y, tg::scalar<float> a, tg::scalar<unsigned> n) {
      const auto i = tg::let(block.global_index());
      tg::if_(i < n, [&] { y(i) += a * x(i); });
    });

}  // namespace

TEST_CASE("a deferred launch is made when it is asked for, as often as it is") {
  tg::device gpu("emulator");
  const auto x = gpu.upload(std::vector<float>(100, 2.0f));
  auto y = gpu.zeros<float>(100);
  const unsigned n = 100;
  tg::deferred later(axpy, tg::cover(n), x, y, 3.0f, n);
  CHECK(y.to_host() == std::vector<float>(100));
  later.launch(gpu);
  CHECK(y.to_host() == std::vector<float>(100, 6.0f));
  later.launch(gpu);
  CHECK(y.to_host() == std::vector<float>(100, 12.0f));
}

TEST_CASE("it holds numbers, parts and unnamed memory as they were, and refers to named buffers") {
  tg::device gpu("emulator");
  auto y = gpu.zeros<float>(10);
  const auto make = [&] {
    float a = 5.0f;  // of this function alone
    const auto part = y.part(0, 10);
    const unsigned n = 10;
    return tg::deferred(axpy, tg::cover(n), gpu.upload(std::vector<float>(10, 2.0f)), part, a, n);
  };
  auto later = make();
  later.launch(gpu);
  CHECK(y.to_host() == std::vector<float>(10, 10.0f));
  auto moved = std::move(later);
  moved.launch(gpu);
  CHECK(y.to_host() == std::vector<float>(10, 20.0f));
  float a = 1.0f;
  const auto x = gpu.upload(std::vector<float>(10, 2.0f));
  tg::deferred early(axpy, tg::cover(10), x, y, a, 10u);
  a = 100.0f;
  y = gpu.zeros<float>(10);
  early.launch(gpu);
  CHECK(y.to_host() == std::vector<float>(10, 2.0f));
}

TEST_CASE("a prediction knows the grid and the scalars; wrong arguments are refused as by a launch") {
  tg::device gpu("emulator");
  const auto& on = *tg::analysis::find_device("H100");
  auto x = gpu.zeros<float>(1000), y = gpu.zeros<float>(1000);
  const auto p = tg::deferred(axpy, tg::cover(1000), x, y, 1.0f, 1000u).predict(gpu, on);
  CHECK(p.cost.blocks == 16);
  CHECK(p.us > 0);
  auto api = hand_written::emulator_table();
  tg::device other(tg::runtime::machine{&api});
  auto theirs = other.zeros<float>(1000);
  CHECK(error_of([&] { tg::deferred(axpy, tg::cover(1000), theirs, y, 1.0f, 1000u).predict(gpu, on); }).number == 524);
  CHECK(error_of([&] { tg::deferred(axpy, tg::cover(0), x, y, 1.0f, 0u).predict(gpu, on); }).number == 521);
}

TEST_CASE("of variants it is the one that the device runs") {
  constexpr auto quick = tg::kernel<"quick">(
      tg::block<128>, [](auto block, tg::in<float> x, tg::inout<float> y, tg::scalar<float> a, tg::scalar<unsigned> n) {
        const auto i = tg::let(block.global_index());
        tg::if_(i < n, [&] { y(i) = a * x(i); });
      });
  constexpr auto both = tg::variants(tg::requires_exactly_sm<90>(quick), axpy);
  const auto& on = *tg::analysis::find_device("H100");
  auto old = hand_written::emulator_table();
  old.cuDeviceGetAttribute = [](int* out, tg::driver::device_attribute a, tg::driver::device_id d) {
    const auto r = tg::emulator::driver_table().cuDeviceGetAttribute(out, a, d);
    if (a == tg::driver::device_attribute::compute_capability_major) *out = 8;
    return r;
  };
  tg::device newer("emulator"), older(tg::runtime::machine{&old});
  REQUIRE(newer.limits().compute_capability == 90);
  for (tg::device* gpu : {&newer, &older}) {
    const bool is_new = gpu == &newer;
    auto x = gpu->upload(std::vector<float>(100, 2.0f)), y = gpu->upload(std::vector<float>(100, 1.0f));
    tg::deferred later(both, tg::cover(100), x, y, 3.0f, 100u);
    CHECK(later.predict(*gpu, on).cost.block_threads == (is_new ? 128 : 64));
    CHECK((later.text(*gpu).find(".entry quick") != std::string::npos) == is_new);
    later.launch(*gpu);
    CHECK(y.to_host() == std::vector<float>(100, is_new ? 6.0f : 7.0f));
  }
}

namespace {

// Loops up to arguments: from a constant, from the thread, by a step, and one inside of another.
constexpr auto nest = tg::kernel<"nest">(
    tg::block<64>, [](auto block, tg::in<float> x, tg::out<float> y, tg::scalar<unsigned> n, tg::scalar<unsigned> m) {
      using namespace tg::literals;
      tg::var<float> sum = x(block.thread.x);
      tg::for_(tg::range(n), [&](auto) { sum = sum + 1.0f; });
      tg::for_(tg::range(block.thread.x, m, 64_c), [&](auto) { sum = sum * 0.5f + 3.0f; });
      tg::for_(tg::range(1_c, n, 3_c), [&](auto) { tg::for_(tg::range(m), [&](auto) { sum = sum - 0.25f; }); });
      y(block.thread.x) = sum;
    });

}  // namespace

TEST_CASE("operations that are predicted are those that the emulator counts") {
  tg::device gpu("emulator");
  const auto& on = *tg::analysis::find_device("H100");
  const auto x = gpu.zeros<float>(64);
  auto y = gpu.zeros<float>(64);
  std::mt19937 random(random_seed());
  for (int k = 0; k < 60; ++k) {
    // A thread whose first number is no smaller than m makes no turn, which is counted as one.
    const unsigned n = 2 + random() % 70, m = 64 + random() % 300;
    CAPTURE(n);
    CAPTURE(m);
    tg::deferred launch(nest, tg::grid(1), x, y, n, m);
    tg::emulator::count_launches(true);
    launch.launch(gpu);
    gpu.synchronize();
    tg::emulator::count_launches(false);
    const auto& counted = tg::emulator::counters_of_last_launch();
    const auto expected = launch.predict(gpu, on).cost;
    CHECK(expected.flops == counted.flops_f32);
    CHECK(expected.uncounted_loops.empty());
  }
}
