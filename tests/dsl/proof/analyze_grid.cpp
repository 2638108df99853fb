// Asynchronous copies, races in global memory, contracts and barriers that nothing needs.
#include <doctest/doctest.h>

#include "planted.hpp"

using planted::check_proved;
using planted::check_refuted;
using planted::check_unknown;
using tg::question;
using namespace tg::literals;

namespace {

using tg::ptx::opcode;
using tg::ptx::operand;
using tg::ptx::token;

/// cp.async of 16 bytes per thread from x to the tile at `base`, as an instruction of its own.
struct copies {
  operand tile = tg::detail::tracer::current().new_tile(2048);

  template <class Block, class X>
  void start(const Block& b, const X& x, long long stage = 0,
             tg::source_location where = tg::source_location::current()) const {
    auto& t = tg::detail::tracer::current();
    const auto own = tg::let(b.thread.x * 16_c);
    (void)x;
    const operand base = t.compute(token::b32, opcode::mov, {token::u32}, {tile});
    const operand to = t.compute(token::b32, opcode::add, {token::u32}, {base, own.operand});
    const operand source = t.compute(token::b64, opcode::ld, {token::param, token::u64},
                                     {operand::address(operand::named(tg::ptx::operand_kind::param, 0))});
    t.at(where);
    t.emit(opcode::cp, {token::async, token::ca, token::shared, token::global},
           {operand::address(to, stage * 1024), operand::address(source), operand::integer(16)});
  }
  static void commit() { tg::detail::tracer::current().emit(opcode::cp, {token::async, token::commit_group}, {}); }
  static void wait(int groups) {
    tg::detail::tracer::current().emit(opcode::cp, {token::async, token::wait_group}, {operand::integer(groups)});
  }

  template <class Block>
  void read(const Block& b, long long stage, tg::source_location where = tg::source_location::current()) const {
    auto& t = tg::detail::tracer::current(where);
    const auto own = tg::let((63_c - b.thread.x) * 16_c);
    const operand base = t.compute(token::b32, opcode::mov, {token::u32}, {tile});
    const operand from = t.compute(token::b32, opcode::add, {token::u32}, {base, own.operand});
    const operand to = t.new_register(token::f32);
    t.at(where);
    t.emit(opcode::ld, {token::volatile_, token::shared, token::f32}, {to, operand::address(from, stage * 1024)});
  }
};

}  // namespace

TEST_CASE("an asynchronous copy is read before anybody has waited for it") {
  constexpr int at = __LINE__;
  check_refuted(question::async_copy, at + 6, 0, [](auto b, auto x, auto...) {
    const copies c;
    c.start(b, x);
    c.commit();
    b.sync();
    c.read(b, 0);
  });
  check_proved([](auto b, auto x, auto...) {
    const copies c;
    c.start(b, x);
    c.commit();
    c.wait(0);
    b.sync();
    c.read(b, 0);
  });
}

TEST_CASE("each thread has waited for its own copy, and not met those who wait for theirs") {
  constexpr int at = __LINE__;
  check_refuted(question::shared_race, at + 6, 0, [](auto b, auto x, auto...) {
    const copies c;
    c.start(b, x);
    c.commit();
    c.wait(0);
    c.read(b, 0);
  });
}

TEST_CASE("one group too many is still on its way") {
  constexpr int at = __LINE__;
  check_refuted(question::async_copy, at + 9, 0, [](auto b, auto x, auto...) {
    const copies c;
    c.start(b, x, 0);
    c.commit();
    c.start(b, x, 1);
    c.commit();
    c.wait(1);
    b.sync();
    c.read(b, 1);
  });
  check_proved([](auto b, auto x, auto...) {
    const copies c;
    c.start(b, x, 0);
    c.commit();
    c.start(b, x, 1);
    c.commit();
    c.wait(1);
    b.sync();
    c.read(b, 0);
  });
}

TEST_CASE("the buffer is filled again while others still read it") {
  constexpr int at = __LINE__;
  check_refuted(question::shared_race, 0, at + 7, [](auto b, auto x, auto...) {
    const copies c;
    c.start(b, x);
    c.commit();
    c.wait(0);
    b.sync();
    c.read(b, 0);
    c.start(b, x);
  });
}

TEST_CASE("two threads of a block store to one element of a buffer") {
  constexpr int at = __LINE__;
  check_refuted(question::global_race, at + 3, at + 3, [](auto b, auto x, auto y, auto...) {
    (void)b;
    y(b.thread.x / 2_c) = x(b.thread.x);
  });
  check_proved([](auto b, auto x, auto y, auto...) { y(b.thread.x) = x(b.thread.x); });
}

TEST_CASE("two blocks store to one element") {
  constexpr int at = __LINE__;
  check_refuted(question::global_race, at + 2, at + 2,
                [](auto b, auto x, auto y, auto...) { y(b.index.x * 32_c + b.thread.x) = x(b.index.x); });
  check_refuted(question::global_race, at + 4, at + 4,
                [](auto b, auto x, auto y, auto...) { y(b.thread.x) = x(b.global_index()); });
  check_proved([](auto b, auto x, auto y, auto...) { y(b.global_index()) = x(b.global_index()); });
}

TEST_CASE("a block reads what its neighbour writes") {
  constexpr int at = __LINE__;
  check_refuted(question::global_race, at + 2, 0,
                [](auto b, auto, auto y, auto...) { y(b.global_index()) = y(b.global_index() + 1_c); });
  check_proved([](auto b, auto, auto y, auto...) { y(b.global_index()) = y(b.global_index()) + 1.0f; });
}

TEST_CASE("a plain store beside an atomic of another block") {
  constexpr int at = __LINE__;
  check_refuted(question::global_race, at + 3, at + 2, [](auto b, auto, auto, auto u, auto...) {
    tg::if_(b.thread.x == 0u && b.index.x == 0u, [&] { u(0_c) = 7u; });
    tg::if_(b.thread.x == 0u, [&] { tg::atomic_add(u(0_c), b.index.x); });
  });
  check_proved(
      [](auto b, auto, auto, auto u, auto...) { tg::if_(b.thread.x == 0u, [&] { tg::atomic_add(u(0_c), b.index.x); }); });
}

TEST_CASE("grid-stride loops have elements of their own; one that strides by the wrong number has not") {
  check_proved([](auto b, auto x, auto y, auto, auto, auto n, auto) {
    tg::for_(tg::range(b.global_index(), n, b.grid.x * b.size.x), [&](auto i) { y(i) = x(i); });
  });
  constexpr int at = __LINE__;
  check_refuted(question::global_race, at + 2, at + 2, [](auto b, auto x, auto y, auto, auto, auto n, auto) {
    tg::for_(tg::range(b.global_index(), n, 64_c), [&](auto i) { y(i) = x(i); });
  });
}

TEST_CASE("a quotient and the remainder of a block's number keep blocks apart, one of them or two numbers do not") {
  using row = tg::block_t<64>;
  check_proved<row>([](auto b, auto, auto, auto, auto m, auto n, auto) {
    const auto across = tg::let(tg::max(n, 1u));
    m(b.index.x / across, b.index.x % across * 64_c + b.thread.x) = 0.0f;
  });
  constexpr int at = __LINE__;
  check_refuted<row>(question::global_race, at + 3, at + 3, [](auto b, auto, auto, auto, auto m, auto n, auto) {
    const auto across = tg::let(tg::max(n, 1u));
    m(b.index.x / across, b.thread.x) = 0.0f;
  });
  check_refuted<row>(question::global_race, at + 7, at + 7, [](auto b, auto, auto, auto, auto m, auto n, auto) {
    const auto across = tg::let(tg::max(n, 1u));
    m(5u, b.index.x % across * 64_c + b.thread.x) = 0.0f;
  });
  check_refuted<row>(question::global_race, at + 11, at + 11, [](auto b, auto, auto, auto, auto m, auto n, auto) {
    const auto across = tg::let(tg::max(n, 1u));  // too narrow by one: the last column of a row is the first of it too
    m(b.index.x / (across + 1u), b.index.x % across * 64_c + b.thread.x) = 0.0f;
  });
  check_unknown<row>(question::global_race, [](auto b, auto, auto, auto, auto m, auto n, auto k) {
    m(b.index.x / tg::max(n, 1u), b.index.x % tg::max(k, 1u) * 64_c + b.thread.x) = 0.0f;
  });
}

TEST_CASE("rows of a matrix are apart, a row that two blocks share is not") {
  using square = tg::block_t<16, 4>;
  check_proved<square>([](auto b, auto, auto, auto, auto m, auto...) { m(b.global.y, b.global.x) = 0.0f; });
  constexpr int at = __LINE__;
  check_refuted<square>(question::global_race, at + 2, at + 2,
                        [](auto b, auto, auto, auto, auto m, auto...) { m(b.index.y * 3_c + b.thread.y, b.global.x) = 0.0f; });
}

TEST_CASE("a view's contract is its extent") {
  const auto within = tg::kernel<"within">(
      tg::block<64>, [](auto b, tg::in<float, tg::at_least<64>> x, tg::out<float> y) { y(b.thread.x) = x(b.thread.x); });
  CHECK(tg::analyze(within).is_proved(question::extents));
  const auto past = tg::kernel<"past">(
      tg::block<64>, [](auto b, tg::in<float, tg::at_least<64>> x, tg::out<float> y) { y(b.thread.x) = x(b.thread.x + 1_c); });
  REQUIRE(tg::analyze(past).refuted().size() == 1);
  CHECK(tg::analyze(past).refuted()[0].question == question::extents);
  CHECK(tg::analyze(past).refuted()[0].byte == 259);
}

TEST_CASE("a lock is not followed: unknown, never refuted") {
  check_unknown(question::shared_race, [](auto b, auto x, auto y, auto...) {
    auto tile = tg::shared<float>(tg::shape<64>);
    tile(b.thread.x) = x(b.thread.x);
    tg::detail::tracer::current().emit(opcode::membar, {token::gl}, {});
    y(b.thread.x) = tile(63_c - b.thread.x);
  });
}

TEST_CASE("barriers that nothing needs") {
  constexpr int at = __LINE__;
  const auto a = planted::analyze<tg::block_t<64>>([](auto b, auto x, auto y, auto...) {
    auto tile = tg::shared<float>(tg::shape<64>);
    b.sync();
    tile(b.thread.x) = x(b.thread.x);
    b.sync();
    y(b.thread.x) = tile(63_c - b.thread.x);
    b.sync();
  });
  REQUIRE(a.redundant_barriers().size() == 2);
  CHECK(a.redundant_barriers()[0].line == at + 3);
  CHECK(a.redundant_barriers()[1].line == at + 7);
  CHECK(a.race_free());
}

TEST_CASE("the barrier of a loop is needed where one of its rounds needs it") {
  const auto loop = [](auto stored) {
    return planted::analyze<tg::block_t<64>>([stored](auto b, auto x, auto y, auto...) {
      auto tile = tg::shared<float>(tg::shape<64>);
      auto sum = tg::var<float>(0.0f);
      tg::unroll<3>([&](auto round) {
        if (stored(round.value)) tile(b.thread.x) = x(b.thread.x);
        b.sync();
        sum += tile(63_c - b.thread.x);
      });
      y(b.thread.x) = sum;
    });
  };
  CHECK(loop([](int round) { return round == 0; }).redundant_barriers().empty());
  CHECK(loop([](int) { return false; }).redundant_barriers().size() == 1);
}

TEST_CASE("a barrier is needed that joins threads to one that hands their work on to other blocks") {
  using block = tg::block_t<64>;
  const auto with = [](auto hand_on) {
    return planted::analyze<block>([hand_on](auto b, auto x, auto y, auto...) {
      y(b.global_index()) = x(b.global_index());
      b.sync();
      tg::if_(b.thread.x == 0u, [&] {
        hand_on();
        tg::atomic_add(y(0_c), 1.0f);
      });
      b.sync();
    });
  };
  const auto fence = [] { tg::detail::tracer::current().emit(opcode::membar, {token::gl}, {}); };
  CHECK(with(fence).redundant_barriers().empty());
  const auto plain = planted::analyze<block>([](auto b, auto x, auto y, auto...) {
    y(b.global_index()) = x(b.global_index());
    b.sync();
  });
  CHECK(plain.redundant_barriers().size() == 1);
}

TEST_CASE("races between blocks and copies on their way are thrown too") {
  using block = tg::block_t<64>;
  const auto race = planted::analyze<block>([](auto b, auto x, auto y, auto...) { y(b.thread.x) = x(b.global_index()); });
  CHECK(race.refuted().front().is_between_blocks);
  CHECK(planted::thrown(race) == 231);
  const auto copy = planted::analyze<block>([](auto b, auto x, auto...) {
    const copies c;
    c.start(b, x);
    b.sync();
    c.read(b, 0);
  });
  CHECK(planted::thrown(copy) == 234);
}
