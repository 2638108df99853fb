// Barriers and exchanges that some threads do not come to.
#include "planted.hpp"

#include <tg/dsl/block/block_vote.hpp>
#include <tg/dsl/value/assume_uniform.hpp>

using planted::check_proved;
using planted::check_refuted;
using planted::check_unknown;
using tg::question;
using namespace tg::literals;

namespace { using warp = tg::block_t<32>; }  // namespace

TEST_CASE("a barrier in divergent code") {
  constexpr int at = __LINE__;
  check_refuted(question::barrier, at + 3, at + 2, [](auto b, auto x, auto y, auto...) {
    tg::if_(b.thread.x < 48u, [&] {
      b.sync();
      y(b.thread.x) = x(b.thread.x);
    });
  });
  check_proved([](auto b, auto x, auto y, auto...) {
    b.sync();
    tg::if_(b.thread.x < 48u, [&] { y(b.thread.x) = x(b.thread.x); });
  });
}

TEST_CASE("a barrier behind the guard of the ragged edge") {
  constexpr int at = __LINE__;
  check_refuted(question::barrier, at + 3, at + 2, [](auto b, auto x, auto y, auto, auto, auto n, auto) {
    tg::if_(b.global_index() < n, [&] {
      b.sync();
      y(b.global_index()) = x(b.global_index());
    });
  });
  check_proved([](auto b, auto x, auto y, auto, auto, auto n, auto) {
    tg::if_(b.index.x * 64_c < n, [&] { b.sync(); });
    tg::if_(b.global_index() < n, [&] { y(b.global_index()) = x(b.global_index()); });
  });
}

TEST_CASE("a barrier in a branch that memory decides, which others write at the same time") {
  check_unknown(question::barrier, [](auto b, auto x, auto y, auto...) {
    tg::if_(y(b.index.x) > 3.0f, [&] {
      b.sync();
      y(b.global_index() + 64u) = x(b.thread.x);
    });
    tg::if_(b.thread.x == 0u, [&] { y(b.index.x) = 9.0f; });
  });
  check_proved([](auto b, auto x, auto y, auto...) {  // nobody writes what decides
    tg::if_(x(b.index.x) > 3.0f, [&] {
      b.sync();
      y(b.global_index()) = 1.0f;
    });
  });
  check_proved([](auto b, auto x, auto y, auto...) {
    auto decides = tg::shared<float>(tg::shape<1>);
    tg::if_(b.thread.x == 0u, [&] { decides(0_c) = x(b.index.x); });
    b.sync();
    tg::if_(decides(0_c) > 3.0f, [&] {
      b.sync();
      y(b.global_index()) = 1.0f;
    });
  });
}

TEST_CASE("a barrier on both ways of a branch is two barriers") {
  constexpr int at = __LINE__;
  check_refuted(question::barrier, at + 2, at + 2,
                [](auto b, auto...) { tg::if_(b.thread.x < 32u, [&] { b.sync(); }).else_([&] { b.sync(); }); });
  check_proved(
      [](auto b, auto, auto, auto, auto, auto n, auto) { tg::if_(n < 32u, [&] { b.sync(); }).else_([&] { b.sync(); }); });
}

TEST_CASE("a barrier of warps in a loop that each warp leaves by itself") {
  constexpr int at = __LINE__;
  check_refuted(question::shared_race, at + 5, at + 7, [](auto b, auto x, auto y, auto, auto, auto n, auto) {
    const auto warp = b.warp();
    auto tile = tg::shared<float>(tg::shape<2, 32>);
    tg::for_(tg::range(warp.index, n, 2_c), [&](auto i) {
      tile(warp.index, warp.lane) = x(i * 32_c + warp.lane);
      warp.sync();
      y(i * 32_c + warp.lane) = tile(warp.index, 31_c - warp.lane);
    });
  });
  check_proved([](auto b, auto x, auto y, auto, auto, auto n, auto) {
    const auto warp = b.warp();
    auto tile = tg::shared<float>(tg::shape<2, 32>);
    tile(warp.index, warp.lane) = 0.0f;
    warp.sync();
    tg::var<float> sum = 0.0f;
    tg::for_(tg::range(warp.index, n, 2_c), [&](auto i) {
      tile(warp.index, warp.lane) = x(i * 32_c + warp.lane);
      warp.sync();
      sum += tile(warp.index, 31_c - warp.lane);
      warp.sync();
    });
    y(b.global_index()) = sum + tile(warp.index, 31_c - warp.lane);
  });
  // The other warp's tile.
  check_refuted(question::shared_race, 0, 0, [](auto b, auto x, auto y, auto, auto, auto n, auto) {
    const auto warp = b.warp();
    auto tile = tg::shared<float>(tg::shape<2, 32>);
    tg::for_(tg::range(warp.index, n, 2_c), [&](auto i) {
      tile(warp.index, warp.lane) = x(i * 32_c + warp.lane);
      warp.sync();
      y(i * 32_c + warp.lane) = tile(1_c - warp.index, warp.lane);
      warp.sync();
    });
  });
}

TEST_CASE("threads that skip the barrier of a loop's later iterations") {
  constexpr int at = __LINE__;
  check_refuted(question::barrier, at + 3, 0, [](auto b, auto x, auto y, auto, auto, auto n, auto) {
    tg::for_(tg::range(b.thread.x, n, 64_c), [&](auto i) {
      b.sync();
      y(i) = x(i);
    });
  });
  check_proved([](auto b, auto x, auto y, auto, auto, auto n, auto) {
    tg::for_(tg::range(0_c, n, 64_c), [&](auto i) {
      b.sync();
      tg::if_(i + b.thread.x < n, [&] { y(i + b.thread.x) = x(i + b.thread.x); });
    });
  });
}

TEST_CASE("a loop of known length that some threads leave first") {
  constexpr int at = __LINE__;
  check_refuted(question::barrier, at + 2, 0,
                [](auto b, auto...) { tg::for_(tg::range(b.thread.x, 100_c, 64_c), [&](auto) { b.sync(); }); });
  check_proved([](auto b, auto...) { tg::for_(tg::range(b.thread.x, 128_c, 64_c), [&](auto) { b.sync(); }); });
}

TEST_CASE("what a loop counted is another number for the threads that left it first") {
  constexpr int at = __LINE__;
  check_refuted(question::barrier, at + 4, 0, [](auto b, auto...) {
    tg::var<unsigned> turns = 0u;
    tg::for_(tg::range(b.thread.x, 100_c, 64_c), [&](auto) { turns += 1u; });
    tg::if_(turns == 2u, [&] { b.sync(); });
  });
  check_proved([](auto b, auto...) {
    tg::var<unsigned> turns = 0u;
    tg::for_(tg::range(b.thread.x, 128_c, 64_c), [&](auto) { turns += 1u; });
    tg::if_(turns == 2u, [&] { b.sync(); });
  });
}

TEST_CASE("an early exit before a barrier") {
  constexpr int at = __LINE__;
  check_refuted(question::barrier, at + 3, at + 2, [](auto b, auto, auto, auto, auto, auto n, auto) {
    tg::if_(b.global_index() >= n, [&] { planted::leave(); });
    b.sync();
  });
  check_proved([](auto b, auto, auto, auto, auto, auto n, auto) {
    tg::if_(n > 7u, [&] { planted::leave(); });
    b.sync();
  });
}

TEST_CASE("a barrier that data decides on is unknown, one that all threads read the same data for is proved") {
  check_unknown(question::barrier, [](auto b, auto x, auto...) { tg::if_(x(b.thread.x) > 0.0f, [&] { b.sync(); }); });
  check_proved([](auto b, auto x, auto...) { tg::if_(x(0_c) > 0.0f, [&] { b.sync(); }); });
}

TEST_CASE("an exchange in half a warp") {
  constexpr int at = __LINE__;
  check_refuted(question::barrier, at + 2, at + 2, [](auto b, auto x, auto y, auto...) {
    tg::if_(b.thread.x < 16u, [&] { y(b.thread.x) = b.warp().sum(x(b.thread.x)); });
  });
  check_proved(
      [](auto b, auto x, auto y, auto...) { tg::if_(b.thread.x < 32u, [&] { y(b.thread.x) = b.warp().sum(x(b.thread.x)); }); });
}

TEST_CASE("an exchange in a loop that goes on as long as data says") {
  const auto halve = [](auto b, auto x, auto y, const auto& goes_on) {
    const auto warp = b.warp();
    tg::var<float> v = x(b.thread.x);
    tg::while_([&] { return goes_on(warp.ballot(v > 1.0f)); }, [&] { v = 0.5f * warp.shuffle_xor(v, 1u); });
    y(b.thread.x) = v;
  };
  check_unknown(question::barrier,
                [&](auto b, auto x, auto y, auto...) { halve(b, x, y, [](const auto& lanes) { return lanes != 0u; }); });
  check_proved([&](auto b, auto x, auto y, auto...) {
    halve(b, x, y, [](const auto& lanes) { return tg::assume_warp_uniform(lanes) != 0u; });
  });
  // Warps may still differ.
  check_unknown(question::barrier, [](auto b, auto x, auto...) {
    tg::if_(tg::assume_warp_uniform(b.warp().ballot(x(b.thread.x) > 1.0f)) != 0u, [&] { b.sync(); });
  });
}

TEST_CASE("a barrier behind a vote of the block") {
  const auto behind_vote = [](auto b, auto x, auto...) {
    tg::if_(tg::block_any(b, x(b.thread.x) > 1.0f), [&] { (void)b.warp().sum(x(b.thread.x)); });
  };
  CHECK(planted::analyze<tg::block_t<64>>(behind_vote).refuted().empty());
  check_unknown(question::barrier,
                [](auto b, auto x, auto...) { tg::if_(b.warp().any(x(b.thread.x) > 1.0f), [&] { b.sync(); }); });
}
