#include <tg/dsl/cost/prediction.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <cstring>
#include <vector>

#include <tg/dsl.hpp>

using namespace tg::literals;

namespace {

// y(i) = x(i) + ... over n rows, in blocks of `Threads`.
template <int Threads>
constexpr auto column_sums = tg::kernel<"column_sums">(
    tg::block<Threads>, [](auto block, tg::in2<float, tg::multiple_of<4>> x, tg::out<float> y, tg::scalar<unsigned> n) {
      const auto i = tg::let(block.global_index());
      tg::var<float> sum = 0.0f;
      tg::for_(tg::range(n), [&](auto row) { sum += x(row, i); });
      y(i) = sum;
    });

constexpr auto multiply_adds =
    tg::kernel<"multiply_adds">(tg::block<1024>, [](auto block, tg::scalar<unsigned> n, tg::out<float> y) {
      tg::var<float> sum = 1.0f;
      tg::for_(tg::range(n), [&](auto) { tg::unroll<16>([&](auto k) { sum = sum * 0.5f + static_cast<float>(k.value); }); });
      tg::if_(sum < 0.0f, [&] { y(block.thread.x) = sum; });
    });

std::vector<std::byte> bytes_of(std::uint32_t n) {
  std::vector<std::byte> out(sizeof n);
  std::memcpy(out.data(), &n, sizeof n);
  return out;
}

struct packed {
  std::uint64_t x = 0;
  std::uint32_t row_bytes = 4096;
  std::uint32_t padding = 0;
  std::uint64_t y = 0;
  std::uint32_t n = 0;
};
std::vector<std::byte> rows(std::uint32_t n) {
  packed all;
  all.n = n;
  std::vector<std::byte> out(28);
  std::memcpy(out.data(), &all, out.size());
  return out;
}
const auto& h100 = *tg::analysis::find_device("H100");

}  // namespace

TEST_CASE("loops up to an argument are counted, with any number of turns") {
  for (const std::uint32_t n : {1u, 2u, 3u, 4u, 5u, 8u, 97u, 1000u}) {
    CAPTURE(n);
    const auto p = tg::predict(column_sums<128>, h100, 8, rows(n));
    CHECK((n == 1 || p.cost.uncounted_loops.empty()));  // a single turn is none
    CHECK(p.cost.flops == std::uint64_t{8} * 128 * n);
    CHECK(p.cost.sectors_best == std::uint64_t{8} * 128 / 8 * (n + 1));
  }
  CHECK(tg::predict(column_sums<128>, h100, 8).cost.uncounted_loops.size() == 1);
}

TEST_CASE("the roof of memory is below the time, and large launches are near it") {
  const std::uint64_t blocks = 132 * 64, bytes = blocks * 128 * 4 * 1001;
  const auto p = tg::predict(column_sums<128>, h100, blocks, rows(1000));
  const double least = static_cast<double>(bytes) / (h100.memory_gb_per_s * 1e3);
  CHECK(p.us >= least);
  CHECK(p.us < 1.3 * least);
}

TEST_CASE("more work takes longer, and a block more than the device holds at once another turn") {
  double before = 0;
  for (const std::uint32_t n : {1u, 10u, 100u, 1000u}) {
    const double now = tg::predict(column_sums<128>, h100, 1000, rows(n)).us;
    CHECK(now > before);
    before = now;
  }
  const auto us = [](std::uint64_t blocks) { return tg::predict(multiply_adds, h100, blocks, bytes_of(100u)).us; };
  CHECK(us(132) == doctest::Approx(us(1)).epsilon(0.01));
  CHECK(us(133) > 1.9 * us(132));
}

TEST_CASE("shared memory that does not fit leaves no block, and a newer instruction no device") {
  const auto p = tg::predict(column_sums<128>, h100, 1, {}, 100000);
  CHECK(p.occupancy.blocks == 2);
  CHECK(p.runs_on(90));
  CHECK(p.runs_on(75));
  CHECK(!tg::predict(column_sums<128>, h100, 1, {}, 300000).runs_on(90));
  tg::prediction for_one = p;
  for_one.least_sm = 90;
  CHECK(!for_one.runs_on(80));
  CHECK(for_one.runs_on(100));
  for_one.is_for_one_sm = true;
  CHECK(!for_one.runs_on(100));
  CHECK(for_one.runs_on(90));
}

TEST_CASE("devices by the names of drivers") {
  using tg::analysis::figures_for;
  CHECK(figures_for("NVIDIA H100 80GB HBM3", 90).name == "H100");
  CHECK(figures_for("NVIDIA GeForce RTX 4090", 89).name == "RTX 4090");
  CHECK(figures_for("NVIDIA A10", 86).name == "A100");
  CHECK(figures_for("tg emulator", 90).name == "H100");
  CHECK(figures_for("tg emulator", 121).name == "RTX 5090");
  CHECK(figures_for("Tesla V100", 70).name == "A100");
}
