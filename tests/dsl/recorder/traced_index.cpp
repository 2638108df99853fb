#include <tg/dsl/recorder/traced_index.hpp>

#include <tg/dsl/flow/for_.hpp>
#include <tg/dsl/flow/if_.hpp>
#include <tg/dsl/value/cast.hpp>
#include <tg/dsl/value/let.hpp>
#include <tg/dsl/value/var.hpp>

#include "../recording.hpp"

using namespace tg::literals;

using tg::analysis::lane_value;

template <class Block = tg::block_t<256>, class F> lane_value lanes_of(F f, int warp = 0) {
  lane_value out;
  recording::of<Block>([&](auto block, recording::parameters p) {
    auto& t = tg::detail::tracer::current().recorded();
    const tg::ptx::operand found = f(block, p).get().operand;
    out = tg::detail::traced_index(t, warp)(found);
  });
  return out;
}

TEST_CASE("what is recorded has the lanes that its form has") {
  const auto same = [](auto f) {
    recording::of<tg::block_t<32, 8>>([&](auto block, recording::parameters p) {
      const auto v = f(block, p);
      auto& t = tg::detail::tracer::current().recorded();
      for (int warp = 0; warp < 8; ++warp)
        CHECK(tg::detail::traced_index(t, warp)(v.operand) == tg::index::evaluate<typename decltype(v)::form>(warp));
    });
  };
  same([](auto block, auto) { return block.thread.x * 33_c + block.thread.y; });
  same([](auto block, auto) { return block.thread_index() / 5_c; });
  same([](auto block, auto) { return (block.thread.x ^ block.thread.y) & 31_c; });
  same([](auto block, auto) { return block.thread.x >> 2_c; });
  same([](auto block, auto p) { return block.thread.y * p.n + block.thread.x; });
  same([](auto block, auto) { return block.global.x; });
}

TEST_CASE("a value that is read many times is followed once") {
  const lane_value lanes = lanes_of([](auto block, auto) {
    tg::value<unsigned> i{tg::let(block.thread.x).operand};
    for (int step = 0; step < 28; ++step) i.operand = tg::let(i ^ (i & 7u)).operand;
    return i;
  });
  REQUIRE(lanes.known);
  for (std::size_t lane = 0; lane < 32; ++lane) CHECK(lanes.offset[lane] == std::int64_t(lane / 8 * 8));
}

TEST_CASE("what a variable holds is known where it was written, and not where a loop or a branch may have changed it") {
  recording::of<tg::block_t<64>>([&](auto block, recording::parameters p) {
    auto& t = tg::detail::tracer::current().recorded();
    const auto place = [&](auto i, int warp) { return tg::detail::traced_index(t, warp)(i.operand); };
    tg::var<unsigned> v = block.thread.x;
    tg::if_(block.thread.x < 7u, [&] { (void)(p.a + p.a); });  // behind it v is read anew
    const auto lane = tg::let(block.thread.x & 31_c);
    const auto next = tg::let(v + 1u);
    CHECK(!place(next, 0).known);
    CHECK(place(lane, 1) == place(lane, 0));
    v = block.thread.x * 2u;
    CHECK(place(tg::let(v + 1u), 0).offset[31] == 63);
    CHECK(place(tg::let(v + 1u), 1).offset[31] == 127);
    CHECK(!place(next, 0).known);
    tg::for_(tg::range(0_c, 4_c), [&](auto) {
      CHECK(!place(tg::let(v + 1u), 0).known);  // what follows is recorded later and comes first in the next turn
      v = v + 32u;
    });
    CHECK(place(lane, 1).offset[31] == 31);
  });
}

TEST_CASE("data, and what a variable holds where ways meet, is not known") {
  CHECK(!lanes_of([](auto block, auto p) { return p.u(block.thread.x); }).known);
  CHECK(!lanes_of([](auto block, auto p) {
           tg::var<unsigned> v = block.thread.x;
           tg::if_(p.n < 3, [&] { v = v + 1; });
           return v;
         }).known);
  const lane_value straight = lanes_of([](auto block, auto) {
    tg::var<unsigned> v = block.thread.x;
    v = v + 1;
    return v;
  });
  REQUIRE(straight.known);
  CHECK(straight.offset[31] == 32);
}

TEST_CASE("a register that wraps around holds what is left") {
  const auto hashed = lanes_of([](auto block, auto) { return (block.thread.x * 2654435761u) >> 24; });
  REQUIRE(hashed.known);
  for (unsigned lane = 0; lane < 32; ++lane) CHECK(hashed.offset[lane] == (lane * 2654435761u) >> 24);
  CHECK(!lanes_of([](auto block, auto) { return tg::cast<unsigned long long>(block.thread.x - 5u); }).known);
  CHECK(lanes_of([](auto block, auto) { return tg::cast<unsigned long long>(block.thread.x + 5u); }).known);
}
