#include <tg/ptx/passes/distribute_scales.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <string>

#include <tg/ptx/ir/opcode_name.hpp>
#include <tg/ptx/passes/remove_dead.hpp>

#include "machine.hpp"
#include "sketch.hpp"

namespace {

using namespace tg::ptx;
using tg::ptx::test::machine;
using tg::ptx::test::sketch;

/// A loop over k, which begins at `n` and ends behind `end`.
struct walk {
  sketch s;
  operand base, lane, n, end, pointer, k;

  walk() {
    base = s.parameter(token::u32), lane = s.parameter(token::u32), n = s.parameter(token::u32), end = s.parameter(token::u32);
    pointer = s.parameter(token::u64), k = s.variable(token::u32);
    s.move(k, n);
    s.loop();
  }
  operand plus(operand a, operand b) { return s.op(opcode::add, token::u32, {a, b}); }
  operand times(operand a, std::int64_t by) { return s.op(opcode::shl, token::b32, {a, sketch::imm(by)}); }
  operand product(operand a, std::int64_t by) { return s.op(opcode::mul, token::lo, token::u32, {a, sketch::imm(by)}); }
  void write(operand address, operand what) { s.b.emit(opcode::st, {token::shared, token::u32}, {sketch::at(address), what}); }
  void write(operand address) { write(address, lane); }
  void end_loop() {
    const operand next = plus(s.read(k), sketch::imm(1));
    s.move(k, next);
    s.endloop(s.set(token::lt, token::u32, next, end));
    s.b.emit(opcode::ret, {}, {});
  }
  void distribute() {
    distribute_scales(s.f());
    remove_dead(s.f());
    drop_empty(s.f());
  }
  void use(operand what) { s.use(what); }
  /// What is left of the loop.
  std::string loop() {
    end_loop();
    distribute();
    const std::string all = s.text();
    return all.substr(all.find("<loop>"));
  }
};

}  // namespace

TEST_CASE("an element of a row that the loop changes is one product and sum away") {
  walk w;
  w.write(w.plus(w.base, w.times(w.plus(w.times(w.s.read(w.k), 5), w.lane), 2)));
  const std::string loop = w.loop();
  CHECK(loop.starts_with("<loop>\nmov.u32 r6, r4\nmad.lo.u32 r7, r6, 128, r5\nst.shared.u32 [r7], r1\n"));
  CHECK(w.s.text().find("mad.lo.u32 r5, r1, 4, r0\n<loop>") != std::string::npos);
}

TEST_CASE("two tiles at one place, and one tile read twice") {
  walk w;
  const operand other = w.lane, at = w.times(w.plus(w.product(w.s.read(w.k), 33), w.n), 2);
  w.write(w.plus(w.base, at));
  w.write(w.plus(w.base, at));
  w.write(w.plus(other, at));
  w.end_loop();
  w.distribute();
  CHECK(w.s.count(opcode::mad) == 5);  // two in front of the loop
  CHECK(w.s.count(opcode::mul) == 0);
  CHECK(w.s.count(opcode::shl) == 0);
}

TEST_CASE("traps: two terms that change, bases that change, no fixed term, long loops, more sums than registers") {
  const auto is_kept = [](auto body) {
    walk w;
    body(w);
    w.end_loop();
    w.distribute();
    return w.s.count(opcode::mad) == 0;
  };
  const auto sum = [](walk& w) { return w.plus(w.times(w.s.read(w.k), 5), w.lane); };
  CHECK_FALSE(is_kept([&](walk& w) { w.write(w.plus(w.base, w.times(sum(w), 2))); }));
  CHECK(is_kept([&](walk& w) { w.write(w.plus(w.base, w.times(w.plus(w.times(w.s.read(w.k), 5), w.s.read(w.k)), 2))); }));
  CHECK(is_kept([&](walk& w) { w.write(w.plus(w.s.read(w.k), w.times(sum(w), 2))); }));
  CHECK(is_kept([&](walk& w) { w.write(w.plus(w.base, w.times(w.s.read(w.k), 2))); }));
  CHECK(is_kept([&](walk& w) { w.write(w.base, w.plus(w.base, w.times(sum(w), 2))); }));
  CHECK(is_kept([&](walk& w) {
    for (std::uint32_t i = 0; i < long_loop; ++i) w.write(w.base);
    w.write(w.plus(w.base, w.times(sum(w), 2)));
  }));
  walk w;
  for (std::int64_t scale = 1; scale < 8; ++scale) w.write(w.plus(w.base, w.times(sum(w), scale)));
  w.end_loop();
  w.distribute();
  CHECK(w.s.count(opcode::mad) == 2 * most_distributed);
}

TEST_CASE("an unsigned index splits where its parts are natural numbers, a signed one in any case") {
  const auto splits = [](auto index, token type = token::u32) {
    walk w;
    const operand i = index(w);
    const operand at =
        w.s.op(opcode::add, token::s64, {w.pointer, w.s.op(opcode::mul, token::wide, type, {i, sketch::imm(4)})});
    w.s.store(sketch::at(at), w.lane);
    w.end_loop();
    w.distribute();
    const std::string loop = w.s.text().substr(w.s.text().find("<loop>"));
    return loop.find("add.u32 r") == loop.rfind("add.u32 r");  // that of the counter
  };
  const auto negative = [](walk& w) { return w.s.op(opcode::sub, token::u32, {w.s.read(w.k), w.n}); };
  CHECK(splits([](walk& w) { return w.plus(w.s.read(w.k), w.n); }));
  CHECK(splits([](walk& w) { return w.plus(w.n, w.times(w.s.read(w.k), 5)); }));
  CHECK(splits([](walk& w) { return w.plus(w.n, w.s.op(opcode::and_, token::b32, {w.s.read(w.k), sketch::imm(31)})); }));
  CHECK_FALSE(splits([&](walk& w) { return w.plus(w.n, negative(w)); }));
  CHECK_FALSE(splits([&](walk& w) { return w.plus(w.n, w.times(negative(w), 1)); }));
  CHECK_FALSE(splits([&](walk& w) { return w.plus(w.n, w.s.load(token::global, token::u32, sketch::at(w.s.read(w.k)))); }));
  CHECK(splits([&](walk& w) { return w.plus(w.n, negative(w)); }, token::s32));
  CHECK_FALSE(splits([](walk& w) {
    const operand i = w.plus(w.s.read(w.k), w.n);
    w.use(i);
    return i;
  }));
}

TEST_CASE("random sums keep their addresses, those that wrap included") {
  std::mt19937_64 random(7);
  for (int run = 0; run < 500; ++run) {
    walk w;
    for (int n = 0; n < 4; ++n) {
      operand sum = w.s.read(w.k);
      for (int depth = static_cast<int>(random() % 4); depth >= 0; --depth) {
        const operand term = random() % 4 == 0 ? w.s.read(w.k) : random() % 2 == 0 ? w.lane : w.n;
        switch (random() % 4) {
          case 0: sum = w.times(sum, static_cast<std::int64_t>(random() % 20)); break;
          case 1: sum = w.product(sum, static_cast<std::int64_t>(random() % 70000)); break;
          default: sum = random() % 2 == 0 ? w.plus(sum, term) : w.plus(term, sum);
        }
      }
      const operand scaled = w.times(sum, 2);
      w.write(random() % 2 == 0 ? w.plus(w.base, scaled) : w.plus(scaled, w.base));
    }
    w.end_loop();
    const std::uint64_t first = random() % 1000;
    const tg::dynamic_array<std::uint64_t> params{random() & 0xffffffff, random() & 0xffffffff, first, first + 3, 0};
    const function old = w.s.f();
    machine before{old, 0, params};
    before.run();
    w.distribute();
    machine after{w.s.f(), 0, params};
    after.run();
    REQUIRE(before.stores.size() == 12);
    CHECK(std::equal(before.stores.begin(), before.stores.end(), after.stores.begin(), after.stores.end()));
  }
}
