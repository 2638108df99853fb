#include <tg/dsl/cost/cost.hpp>

#include <doctest/doctest.h>

#include <tg/dsl/async/async_copy.hpp>

#include "../transposing.hpp"

using namespace tg::literals;

namespace {

// The contract of the transposing kernel.
bool holds(const tg::kernel_cost& c) {
  return c.is_complete() && c.global_requests == 2 * 4 * 8 && c.sectors_best == 4 * c.global_requests &&
         c.wavefronts_per_request() == 1 && c.barriers == 1 && c.shared_bytes == 4096;
}

constexpr auto looped = tg::kernel<"looped">(tg::block<64>, [](auto block, tg::in<float> x, tg::out<float> y) {
  tg::var<float> sum = 0.0f;
  tg::for_(tg::range(0_c, 10_c), [&](auto i) { sum += x(i * 64_c + block.thread.x); });
  tg::if_(block.thread.x < 32u, [&] { y(block.thread.x) = sum; });
});
constexpr auto open = tg::kernel<"open">(tg::block<64>, [](auto block, tg::inout<float> y, tg::scalar<unsigned> n) {
  tg::for_(tg::range(block.thread.x, n, 64_c), [&](auto i) { y(i) = y(i) * 2.0f + 1.0f; });
});
constexpr auto gathered =
    tg::kernel<"gathered">(tg::block<64>, [](auto block, tg::in<unsigned> at, tg::in<float> x, tg::out<float> y) {
      const auto i = block.thread.x;
      y(i) = x(tg::gather(tg::let(at(i))));
    });
constexpr auto histogram = tg::kernel<"histogram">(tg::block<64>, [](auto block, tg::in<unsigned> x, tg::out<unsigned> y) {
  const auto bins = tg::shared<unsigned>(tg::shape<64>);
  bins(block.thread.x) = 0u;
  block.sync();
  tg::unroll<4>([&](auto k) {
    const auto word = tg::let(x(block.thread.x + k * 64_c));
    tg::unroll<4>([&](auto part) { tg::atomic_add(bins(tg::scatter((word >> (part * 8_c)) & 63u)), 1u); });
  });
  block.sync();
  y(block.thread.x) = bins(block.thread.x);
});
// The first of four warps loads, the others store.
constexpr auto one_warp =
    tg::kernel<"one_warp">(tg::block<128>, [](auto block, tg::in<float> x, tg::out<float> y, tg::out<float> z) {
      tg::var<float> v = 1.0f;
      tg::if_(block.thread.x < 32u, [&] { v = x(block.thread.x); }).else_([&] { z(block.thread.x) = 2.0f; });
      y(block.thread.x) = v;
    });
constexpr unsigned guarded_line = __LINE__ + 3;
constexpr auto guarded =
    tg::kernel<"guarded">(tg::block<128>, [](auto block, tg::in<float> x, tg::out<float> y, tg::scalar<unsigned> n) {
      tg::if_(block.thread.x < n, [&] { y(block.thread.x) = 1.0f; });
      y(block.thread.x + 128_c) = x(block.thread.x);
    });
constexpr auto few_lanes = tg::kernel<"few_lanes">(
    tg::block<32>, [](auto block, tg::out<float> y) { tg::if_(block.thread.x < 8u, [&] { y(block.thread.x) = 1.0f; }); });
constexpr auto copied = tg::kernel<"copied">(tg::block<64>, [](auto block, tg::in<float> x) {
  const auto tile = tg::shared<float>(tg::shape<128>);
  tg::async_copy(tile(block.thread.x * 2_c, tg::allow<tg::TG201>("two ways, to be seen")), x(block.thread.x));
});
constexpr auto scattered = tg::kernel<"scattered">(tg::block<64>, [](auto block, tg::in<unsigned> at, tg::in<float> x) {
  const auto tile = tg::shared<float>(tg::shape<64>);
  tg::async_copy(tile(tg::scatter(tg::let(at(block.thread.x)))), x(block.thread.x));
});
// The whole warp moves 16 sectors, the eight threads of the other 8 where 4 would do.
constexpr auto last_apart = tg::kernel<"last_apart">(tg::block<40>, [](auto block, tg::inout<float, tg::aligned<32>> y) {
  const auto i = block.thread.x;
  const auto v = y.vec<4>(i * 4_c * (1_c + i / 32_c), tg::allow<tg::TG202>("to be seen"));
  tg::for_(tg::range(block.thread.x, 96_c, 32_c),
           [&](auto) { y(i * (1_c + i / 32_c * 7_c), tg::allow<tg::TG202>("to be seen")) = v(0); });
});

}  // namespace

TEST_CASE("the contract of a kernel holds, and fails when the kernel is broken") {
  CHECK(holds(tg::cost(transposing::sound)));
  CHECK_FALSE(holds(tg::cost(transposing::without_swizzle)));
  CHECK_FALSE(holds(tg::cost(transposing::doubled_loads)));
  CHECK_FALSE(holds(tg::cost(transposing::added_barrier)));
}

TEST_CASE("what is broken shows in its own figure") {
  CHECK(tg::cost(transposing::without_swizzle).wavefronts == 4 * 8 + 4 * 8 * 32);
  CHECK(tg::cost(transposing::sound).wavefronts == 2 * 4 * 8);
  CHECK(tg::cost(transposing::doubled_loads).global_requests == 3 * 4 * 8);
  CHECK(tg::cost(transposing::doubled_loads).flops == 4 * 256);
  CHECK(tg::cost(transposing::added_barrier).barriers == 2);
}

TEST_CASE("a launch costs its blocks") {
  const tg::kernel_cost one = tg::cost(transposing::sound), many = tg::cost(transposing::sound, 7);
  for (const auto& [name, figure] : tg::cost_figure_names) {
    const auto what = name;  // clang 14 captures no bindings
    CAPTURE(what);
    CHECK(many.*figure == 7 * (one.*figure));
  }
}

TEST_CASE("a counted loop is multiplied out") {
  const tg::kernel_cost c = tg::cost(looped);
  CHECK(c.is_complete());
  CHECK(c.global_requests == 10 * 2 + 1);  // the second warp stores nothing
  CHECK(c.flops == 10 * 64);
  CHECK(c.bytes == 4 * (10 * 64 + 32));
  CHECK(c.open_branches.empty());
  CHECK(c.at_least.bytes == c.bytes);
  CHECK(c.at_least.sectors == c.sectors_best);
}

TEST_CASE("each warp costs its own sectors, as often as it comes by") {
  const tg::kernel_cost c = tg::cost(last_apart, 2);
  CHECK(c.is_complete());
  REQUIRE(c.lines.size() >= 2);
  const auto of = [&](std::uint64_t requests) {
    return *std::find_if(c.lines.begin(), c.lines.end(), [&](const auto& l) { return l.global_requests == 2 * requests; });
  };
  CHECK(of(2).sectors_best == 2 * (16 + 8));
  CHECK(of(2).ideal_sectors == 2 * (16 + 4));
  CHECK(of(5).sectors_best == 2 * (3 * 4 + 2 * 8));
  CHECK(of(5).ideal_sectors == 2 * (3 * 4 + 2 * 1));
}

TEST_CASE("a loop to a parameter costs one turn and is named") {
  const tg::kernel_cost c = tg::cost(open);
  CHECK_FALSE(c.is_complete());
  REQUIRE(c.uncounted_loops.size() == 1);
  CHECK(c.uncounted_loops[0].line == 25);
  CHECK(c.flops == 2 * 64);
}

TEST_CASE("a gathered access costs one sector or wavefront for each warp at least, and one for each lane at most") {
  const tg::kernel_cost c = tg::cost(gathered);
  CHECK_FALSE(c.is_complete());
  CHECK(c.uncounted_accesses == 1);
  CHECK(c.global_requests == 3 * 2);
  CHECK(c.sectors_best == 2 * 2 * 4 + 2 * 1);
  CHECK(c.sectors == 2 * 2 * 5 + 2 * 32);
  CHECK(c.at_least.sectors == 2 * 2 * 4 + 2 * 1);
  CHECK(c.data_sectors == 2 * 31);
  const tg::kernel_cost h = tg::cost(histogram);
  CHECK(h.uncounted_accesses == 16);
  CHECK(h.wavefronts == h.data_wavefronts + h.at_least.wavefronts);
  CHECK(h.data_wavefronts == 2 * 16 * 31);
}

TEST_CASE("a branch that coordinates decide is charged to the warps that take it") {
  const tg::kernel_cost c = tg::cost(one_warp);
  CHECK(c.global_requests == 1 + 3 + 4);
  CHECK(c.at_least.global_requests == c.global_requests);
  CHECK(c.open_branches.empty());
}

TEST_CASE("a branch that arguments decide costs all at most and nothing at least, and is named") {
  const tg::kernel_cost c = tg::cost(guarded);
  CHECK(c.global_requests == 4 + 4 + 4);
  CHECK(c.at_least.global_requests == 4 + 4);
  CHECK(c.at_least.sectors == 2 * 4 * 4);
  REQUIRE(c.open_branches.size() == 1);
  CHECK(c.open_branches[0].line == guarded_line);
}

TEST_CASE("some lanes of a warp cost no more than all, and one sector at least") {
  const tg::kernel_cost c = tg::cost(few_lanes);
  CHECK(c.bytes == 4 * 8);
  CHECK(c.sectors == 5);
  CHECK(c.at_least.sectors == 1);
}

TEST_CASE("lines and classes add up to the whole") {
  const tg::kernel_cost c = tg::cost(transposing::sound);
  tg::cost_figures sum;
  for (const auto& l : c.lines) sum += l;
  CHECK(sum == static_cast<const tg::cost_figures&>(c));
  std::uint64_t classes = 0;
  for (const auto n : c.by_class) classes += n;
  CHECK(classes == c.instructions);
  CHECK(c.of(tg::instruction_class::barrier) == 8);
  CHECK(c.of(tg::instruction_class::memory) >= c.global_requests + c.shared_requests);
  CHECK(c.arithmetic_intensity() == 0);
  CHECK(c.live_registers > 4);
}

TEST_CASE("an asynchronous copy is a request to global memory and one to shared memory") {
  const tg::kernel_cost c = tg::cost(copied);
  CHECK(c.is_complete());
  CHECK(c.global_requests == 2);
  CHECK(c.shared_requests == 2);
  CHECK(c.sectors_best == 2 * 4);
  CHECK(c.wavefronts == 2 * 2);
  CHECK(c.wavefronts_per_request() == 2);
  CHECK_FALSE(tg::cost(scattered).is_complete());
}
