#include <tg/runtime/deferred.hpp>

#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

#include <tg/dsl.hpp>
#include <tg/runtime/variants.hpp>

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

TEST_CASE("it holds what is no variable, and refers to what is one") {
  tg::device gpu("emulator");
  auto y = gpu.zeros<float>(10);
  float a = 1.0f;
  const auto make = [&] { return tg::deferred(axpy, tg::cover(10), gpu.upload(std::vector<float>(10, 2.0f)), y, a, 10u); };
  auto later = make();
  a = 5.0f;
  later.launch(gpu);
  CHECK(y.to_host() == std::vector<float>(10, 10.0f));
  auto moved = std::move(later);
  moved.launch(gpu);
  CHECK(y.to_host() == std::vector<float>(10, 20.0f));
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
