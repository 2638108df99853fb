#include <tg/dsl/proof/walk.hpp>

#include <doctest/doctest.h>

#include <tg/dsl/flow/break_.hpp>
#include <tg/dsl/flow/for_.hpp>
#include <tg/ptx/ir/builder.hpp>

#include "planted.hpp"

namespace pf = tg::proof;

TEST_CASE("a walk asks what the instructions ask for") {
  tg::ptx::module m;
  m.variables.push_back({.space = tg::ptx::token::shared, .count = 64});
  m.functions.emplace_back();
  tg::ptx::builder build(m, 0);
  using tg::ptx::opcode;
  using tg::ptx::token;
  const auto tile = tg::ptx::operand::address(tg::ptx::operand::named(tg::ptx::operand_kind::variable, 0));
  build.emit(opcode::st, {token::shared, token::u32}, {tile, tg::ptx::operand::integer(1)});
  build.emit(opcode::bar, {token::sync}, {tg::ptx::operand::integer(0)});
  build.emit(opcode::ret, {}, {});
  const tg::dynamic_array<pf::parameter_fact> none;
  pf::walk walk(m, {32, 1, 1}, none);
  walk.run();
  CHECK(walk.redundant_barriers().size() == 1);
  const auto all = walk.findings();
  REQUIRE(all.size() == 3);
  CHECK(all[0].question == tg::question::shared_race);
  CHECK(all[0].answer == tg::answer::refuted);
  CHECK(all[1].question == tg::question::extents);
  CHECK(all[2].question == tg::question::barrier);
  CHECK(all[2].answer == tg::answer::proved);
}

// The first iteration cannot leave the loop, later ones can, in front of the barrier.
TEST_CASE("what a loop's middle iteration did is not behind the barrier that it did not come to") {
  using namespace tg::literals;
  const auto statements = [](bool comes_to_barrier) {
    return [=](auto b, auto, auto y, auto, auto, auto n, auto) {
      auto tile = tg::shared<float>(tg::shape<64>);
      tg::for_(tg::range(0_c, 4_c), [&](auto i) {
        tile(b.thread.x) = 0.0f;
        tg::if_(n == 1u, [&] { tg::if_(i == 1u, [&] { tg::break_(); }); });
        b.sync();
      });
      if (comes_to_barrier) b.sync();
      y(b.thread.x) = tile(63_c - b.thread.x);
    };
  };
  CHECK_FALSE(planted::analyze<tg::block_t<64>>(statements(false)).is_proved(tg::question::shared_race));
  CHECK(planted::analyze<tg::block_t<64>>(statements(true)).is_proved(tg::question::shared_race));
}

// Element 1 where n is 0x7fffffff or 0xfffffffe, and nothing wraps around.
TEST_CASE("an index from a large constant down, or of an argument's turned bits, may be any element") {
  using namespace tg::literals;
  const auto statements = [](auto index) {
    return [=](auto b, auto, auto y, auto, auto, auto n, auto) {
      auto tile = tg::shared<unsigned>(tg::shape<64>);
      tg::atomic_add(tile(tg::scatter(index(n))), 1u);
      y(b.thread.x) = tg::cast<float>(tile(b.thread.x));
    };
  };
  const auto is_proved = [&](auto index) {
    return planted::analyze<tg::block_t<64>>(statements(index)).is_proved(tg::question::shared_race);
  };
  CHECK_FALSE(is_proved([](auto n) { return 0x80000000u - n; }));
  CHECK_FALSE(is_proved([](auto n) { return 0xc0000000u - n; }));
  CHECK_FALSE(is_proved([](auto n) { return ~n; }));
  CHECK(is_proved([](auto n) { return 128u + n; }));
}
