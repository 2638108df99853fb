#include <tg/ptx/passes/counted_loops.hpp>

#include <doctest/doctest.h>

#include <tg/base/dynamic_array.hpp>

#include <tg/dsl/flow/for_.hpp>
#include <tg/dsl/flow/unroll_by.hpp>
#include <tg/dsl/flow/while_.hpp>
#include <tg/dsl/kernel/kernel.hpp>
#include <tg/dsl/kernel/trace.hpp>
#include <tg/dsl/value/var.hpp>

using namespace tg::literals;

namespace {

/// The loops that count in a kernel whose loop is written by `loop(block, x, n, sum)`.
template <class Loop> tg::dynamic_array<tg::ptx::counted_loop> loops_in(Loop loop) {
  const auto traced =
      tg::trace(tg::kernel<"loops">(tg::block<32>, [=](auto block, tg::in<float> x, tg::out<float> z, tg::scalar<unsigned> n) {
        tg::var<float> sum = 0.0f;
        loop(block, x, n, sum);
        z(block.thread.x) = sum;
      }));
  const tg::ptx::function& f = traced.module.functions[0];
  return tg::ptx::counted_loops(f, tg::ptx::count_uses(f)).find();
}

}  // namespace

TEST_CASE("loops that count are found, with step, limit and the number of their iterations") {
  const auto unknown = loops_in([](auto, auto x, auto n, auto& sum) { tg::for_(tg::range(n), [&](auto j) { sum += x(j); }); });
  REQUIRE(unknown.size() == 1);
  CHECK(unknown[0].step.value == 1);
  CHECK(unknown[0].stop.is_reg());
  CHECK_FALSE(unknown[0].trips);
  CHECK(unknown[0].factor == tg::ptx::unroll_factor);

  const auto known = loops_in([](auto block, auto x, auto, auto& sum) {
    tg::for_(tg::range(block.thread.x, 320_c, 32_c), [&](auto j) { sum += x(j); });
  });
  REQUIRE(known.size() == 1);
  CHECK(known[0].step.value == 32);
  CHECK(known[0].trips == 10);

  const auto asked =
      loops_in([](auto, auto x, auto n, auto& sum) { tg::unroll_by<8>(tg::range(n), [&](auto j) { sum += x(j); }); });
  REQUIRE(asked.size() == 1);
  CHECK(asked[0].factor == 8);
  CHECK(asked[0].is_asked_for);
}

TEST_CASE("loops that do not count, differ between threads or must not be repeated are left alone") {
  CHECK(loops_in([](auto, auto x, auto n, auto& sum) {
          tg::var<unsigned> j = 0u;
          tg::while_([&] { return j < n; },
                     [&] {
                       sum += x(j);
                       j = j + j + 1u;
                     });
        }).empty());
  CHECK(loops_in([](auto block, auto x, auto, auto& sum) {
          tg::for_(tg::range(block.thread.x, 330_c, 32_c), [&](auto j) { sum += x(j); });
        }).empty());
  CHECK(loops_in([](auto block, auto x, auto n, auto& sum) {
          tg::for_(tg::range(n), [&](auto j) {
            sum += x(j);
            block.sync();
          });
        }).empty());
}

TEST_CASE("a loop says whether its body reads what its step and test compute") {
  const auto reads =
      loops_in([](auto, auto x, auto n, auto& sum) { tg::for_(tg::range(0u, n, 1u), [&](auto j) { sum += x(j + 1u); }); });
  REQUIRE(reads.size() == 1);
  CHECK(reads[0].next_is_read);
  CHECK_FALSE(reads[0].test_is_read);
  const auto does_not =
      loops_in([](auto, auto x, auto n, auto& sum) { tg::for_(tg::range(0u, n, 1u), [&](auto j) { sum += x(j); }); });
  REQUIRE(does_not.size() == 1);
  CHECK_FALSE(does_not[0].next_is_read);
}
