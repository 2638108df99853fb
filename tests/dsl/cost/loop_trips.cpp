#include <tg/dsl/cost/loop_trips.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <vector>

#include <tg/dsl/flow/break_.hpp>
#include <tg/dsl/flow/for_.hpp>
#include <tg/dsl/flow/return_.hpp>
#include <tg/dsl/kernel/kernel.hpp>
#include <tg/dsl/kernel/lower.hpp>

using namespace tg::literals;

namespace {

constexpr auto fixed = tg::kernel<"fixed">(tg::block<64>, [](auto block, tg::inout<float> y) {
  tg::for_(tg::range(0_c, 3_c), [&](auto) { tg::for_(tg::range(10_c, 0_c, -4_c), [&](auto) { y(block.thread.x) += 1.0f; }); });
});
constexpr auto shared_out = tg::kernel<"shared_out">(tg::block<64>, [](auto block, tg::out<float> y) {
  tg::for_(tg::range(block.thread.x, 200_c, 64_c), [&](auto i) { y(i) = 1.0f; });
});
constexpr auto open = tg::kernel<"open">(tg::block<64>, [](auto block, tg::out<float> y, tg::scalar<unsigned> n) {
  tg::for_(tg::range(block.thread.x, n, 64_c), [&](auto i) { y(i) = 1.0f; });
});

/// How often each thread stores: an unrolled loop has a store for each of its copies.
template <class K> std::vector<std::uint64_t> runs_of_stores(const K& kernel) {
  const auto lowered = tg::lower(kernel);
  const auto& f = lowered.module.functions[0];
  const tg::detail::loop_trips trips(f, {K::block.x, K::block.y, K::block.z});
  std::vector<std::uint64_t> out(K::block.threads);
  for (std::uint32_t at = 0; at < f.body.size(); ++at) {
    if (f.body[at].op != tg::ptx::opcode::st) continue;
    const auto runs = trips.runs_of(at);
    for (std::size_t t = 0; t < out.size(); ++t) out[t] += runs[t];
  }
  return out;
}

}  // namespace

TEST_CASE("loops between constants are counted and multiplied") {
  for (const auto runs : runs_of_stores(fixed)) CHECK(runs == 3 * 3);  // 10, 6, 2
}

TEST_CASE("a loop that starts at the thread's coordinate has its own count in each thread") {
  const auto runs = runs_of_stores(shared_out);
  for (std::size_t t = 0; t < runs.size(); ++t) CHECK(runs[t] == (t < 200 - 3 * 64 ? 4 : 3));
}

TEST_CASE("a loop that lanes leave is not counted, one in which they skip something is") {
  const auto is_counted = [](auto body) {
    const auto lowered = tg::lower(tg::kernel<"left">(tg::block<64>, [body](auto block, tg::inout<float> y) {
      tg::for_(tg::range(0_c, 30_c), [&](auto) {
        y(block.thread.x) += 1.0f;
        tg::if_(y(block.thread.x) > 2.0f, body);
        y(block.thread.x) += 1.0f;
      });
    }));
    const tg::detail::loop_trips trips(lowered.module.functions[0], {64});
    return trips.loops().size() == 1 && trips.loops()[0].is_counted;
  };
  CHECK_FALSE(is_counted([] { tg::break_(); }));
  CHECK_FALSE(is_counted([] { tg::return_(); }));
  CHECK(is_counted([] { tg::continue_(); }));
}

TEST_CASE("a loop to a parameter is not counted") {
  const auto lowered = tg::lower(open);
  const tg::detail::loop_trips trips(lowered.module.functions[0], {64});
  REQUIRE(trips.loops().size() == 2);  // it is unrolled: four iterations at once, then the rest
  CHECK(trips.loops()[0].trips[0] == 0);
  CHECK_FALSE(trips.loops()[1].is_counted);
  CHECK(trips.loops()[1].trips[0] == 1);
}
