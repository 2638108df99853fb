#include <tg/dsl/proof/between_blocks.hpp>

#include "planted.hpp"

using tg::question;
using namespace tg::literals;

TEST_CASE("blocks are compared along the axes that the kernel looks at, one block is assumed along the others") {
  const auto own = planted::analyze<tg::block_t<64>>([](auto b, auto, auto y, auto...) { y(b.global_index()) = 1.0f; });
  INFO(own.text());
  CHECK(own.refuted().empty());
  CHECK_FALSE(own.assumed().one_block_x);
  CHECK(own.assumed().one_block_y);
  CHECK(own.assumed().one_block_z);
  const auto none = planted::analyze<tg::block_t<64>>([](auto b, auto, auto y, auto...) { y(b.thread.x) = 1.0f; });
  CHECK(none.refuted().empty());
  CHECK(none.assumed().one_block_x);
}

TEST_CASE("blocks that write the same elements are refuted, and those that only read them are not") {
  const int at = __LINE__;
  planted::check_refuted(question::global_race, at + 3, at + 3, [](auto b, auto, auto y, auto...) {
    const auto half = tg::let(b.index.x / 2u);
    y(half * 64_c + b.thread.x) = tg::cast<float>(b.index.x);
  });
  planted::check_proved([](auto b, auto x, auto y, auto...) { y(b.global_index()) = x((b.index.x / 2u) * 64_c + b.thread.x); });
}

TEST_CASE("atomics of blocks meet in one element, beside a plain access they race") {
  planted::check_proved([](auto b, auto, auto, auto u, auto...) { tg::atomic_add(u(0_c), b.thread.x); });
  const auto mixed = planted::analyze<tg::block_t<64>>([](auto b, auto, auto y, auto u, auto...) {
    tg::atomic_add(u(0_c), b.thread.x);
    y(b.global_index()) = tg::cast<float>(u(1_c));
    tg::if_(b.thread.x == 0u, [&] { u(b.index.x * 2u) = 1u; });
  });
  CHECK_FALSE(mixed.race_free());
}
