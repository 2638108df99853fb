#include <tg/ptx/passes/split_fields.hpp>

#include <doctest/doctest.h>

#include <random>
#include <string>

#include <tg/ptx/passes/fold_constants.hpp>
#include <tg/ptx/passes/forward_copies.hpp>
#include <tg/ptx/passes/remove_dead.hpp>

#include "../../random_seed.hpp"
#include "machine.hpp"
#include "sketch.hpp"

namespace {

using namespace tg::ptx;
using tg::ptx::test::machine;
using tg::ptx::test::sketch;

/// A thread of 256 and its lane.
struct lanes {
  sketch s;
  operand thread, lane;

  lanes() {
    s.f().bounds.required_threads = {256, 1, 1};
    thread = s.op(opcode::mov, token::u32, {operand::special(special::tid_x)});
    lane = s.op(opcode::and_, token::b32, {thread, sketch::imm(31)});
  }
  operand times(operand a, std::int64_t by) { return s.op(opcode::mul, token::lo, token::u32, {a, sketch::imm(by)}); }
  operand plus(operand a, std::int64_t by) { return s.op(opcode::add, token::u32, {a, sketch::imm(by)}); }
  operand quotient(operand a, std::int64_t by) { return s.op(opcode::div, token::u32, {a, sketch::imm(by)}); }
  operand rest(operand a, std::int64_t by) { return s.op(opcode::rem, token::u32, {a, sketch::imm(by)}); }
  /// What is left of the computation of `o` behind that of the lane.
  std::string left(operand o) {
    s.use(o);
    split_fields(s.f(), count_uses(s.f()));
    const auto uses = count_uses(s.f());
    forward_copies(s.f(), uses);
    fold_constants(s.f(), uses);
    remove_dead(s.f());
    drop_empty(s.f());
    const std::string text = s.text(), head = "mov.u32 r0, %tid.x\n";
    return text.substr(text.find(head) == 0 ? head.size() : 0);
  }
  /// Stores a chain of sums, products, quotients and remainders.
  void compute_at_random(std::mt19937& random) {
    const auto any = [&](unsigned below) { return static_cast<std::int64_t>(random() % below); };
    operand x = any(4) == 0 ? s.parameter(token::u32) : any(2) == 0 ? thread : lane;
    for (int step = 0; step < 8; ++step) {
      const std::int64_t power = std::int64_t{1} << any(12);
      switch (any(6)) {
        case 0: x = times(x, power); break;
        case 1: x = plus(x, any(2) == 0 ? power : any(4096)); break;
        case 2: x = quotient(x, power); break;
        case 3: x = rest(x, power); break;
        case 4: x = s.op(opcode::and_, token::b32, {x, sketch::imm(power - 1)}); break;
        default: x = s.op(opcode::shr, token::u32, {x, sketch::imm(any(12))}); break;
      }
      s.use(x);
    }
  }
};

}  // namespace

TEST_CASE("what the bits of a number decide is not computed") {
  lanes a, b, c, d;
  CHECK(a.left(a.quotient(a.times(a.lane, 4), 128)) == "st.global.u32 [v0], 0\n");
  CHECK(b.left(b.rest(b.times(b.lane, 4), 128)) == "and.b32 r1, r0, 31\nmul.lo.u32 r2, r1, 4\nst.global.u32 [v0], r2\n");
  CHECK(c.left(c.rest(c.times(c.lane, 4), 4)) == "st.global.u32 [v0], 0\n");
  CHECK(d.left(d.quotient(d.thread, 256)) == "st.global.u32 [v0], 0\n");
}

TEST_CASE("a field of a sum without common bits is a sum of fields") {
  lanes a, b, c, d;
  CHECK(a.left(a.quotient(a.plus(a.times(a.lane, 4), 128), 128)) == "st.global.u32 [v0], 1\n");
  CHECK(b.left(b.quotient(b.plus(b.times(b.lane, 4), 128), 32)) ==
        "and.b32 r1, r0, 31\nshr.u32 r2, r1, 3\nadd.u32 r3, r2, 4\nst.global.u32 [v0], r3\n");
  CHECK(c.left(c.rest(c.plus(c.times(c.lane, 4), 130), 128)) ==
        "and.b32 r1, r0, 31\nmul.lo.u32 r2, r1, 4\nadd.u32 r3, r2, 2\nst.global.u32 [v0], r3\n");
  // With a bit in common, there may be a carry.
  CHECK(d.left(d.quotient(d.plus(d.times(d.lane, 4), 132), 32)) ==
        "and.b32 r1, r0, 31\nmul.lo.u32 r2, r1, 4\nadd.u32 r3, r2, 132\ndiv.u32 r4, r3, 32\nst.global.u32 [v0], r4\n");
}

TEST_CASE("fields of fields are one") {
  lanes a, b, c, d, e;
  CHECK(a.left(a.quotient(a.times(a.lane, 4), 32)) == "and.b32 r1, r0, 31\nshr.u32 r2, r1, 3\nst.global.u32 [v0], r2\n");
  CHECK(b.left(b.rest(b.lane, 16)) == "and.b32 r1, r0, 15\nst.global.u32 [v0], r1\n");
  CHECK(c.left(c.quotient(c.quotient(c.thread, 4), 8)) == "shr.u32 r1, r0, 5\nst.global.u32 [v0], r1\n");
  CHECK(d.left(d.quotient(d.times(d.lane, 64), 16)) == "and.b32 r1, r0, 31\nshl.b32 r2, r1, 2\nst.global.u32 [v0], r2\n");
  // A product that may lose bits stays.
  const operand any = e.s.parameter(token::u32);
  CHECK(e.left(e.quotient(e.times(any, 4), 32)) ==
        "ld.param.u32 r0, [p0]\nmul.lo.u32 r1, r0, 4\ndiv.u32 r2, r1, 32\nst.global.u32 [v0], r2\n");
}

TEST_CASE("variables, signed numbers and other divisors stay") {
  lanes a, b, c;
  const operand changing = a.s.variable(token::u32);
  a.s.move(changing, a.lane);
  a.s.move(changing, sketch::imm(77));
  const operand q = a.quotient(a.s.read(changing), 32);
  CHECK(split_fields(a.s.f(), count_uses(a.s.f())).empty());
  (void)q;
  b.s.op(opcode::div, token::s32, {b.plus(b.s.parameter(token::u32), 64), sketch::imm(32)});
  CHECK(split_fields(b.s.f(), count_uses(b.s.f())).empty());
  c.quotient(c.s.parameter(token::u32), 12);
  c.rest(c.s.parameter(token::u32), 32);
  CHECK(split_fields(c.s.f(), count_uses(c.s.f())).empty());
}

TEST_CASE("chains of sums, products, quotients and remainders keep their values") {
  std::mt19937 random(4242);
  for (int trial = 0; trial < 300; ++trial) {
    lanes own;
    own.compute_at_random(random);
    const auto stores = [&](std::uint64_t thread) {
      machine one{own.s.f(), thread, {0x89abcdef}};
      one.run();
      return one.stores;
    };
    std::vector<decltype(stores(0))> before;
    for (std::uint64_t thread = 0; thread < 256; thread += 37) before.push_back(stores(thread));
    split_fields(own.s.f(), count_uses(own.s.f()));
    CAPTURE(trial);
    for (std::uint64_t thread = 0; thread < 256; thread += 37) CHECK(stores(thread) == before[thread / 37]);
  }
}

TEST_CASE("what is folded again is what folding of everything changes") {
  std::mt19937 random(random_seed());
  int folded = 0;
  for (int trial = 0; trial < 500; ++trial) {
    lanes own;
    own.compute_at_random(random);
    function& f = own.s.f();
    fold_constants(f, count_uses(f));
    const auto changed = split_fields(f, count_uses(f));
    if (changed.empty()) continue;
    const auto uses = count_uses(f);
    function all = f;
    fold_constants(all, uses);
    folded += !(all.body == f.body);
    fold_constants(f, uses, changed);
    CHECK(f.body == all.body);
  }
  CHECK(folded > 20);
}
