#include <tg/ptx/passes/remove_dead.hpp>

#include <doctest/doctest.h>

#include "sketch.hpp"

namespace {
using namespace tg::ptx;
using tg::ptx::test::sketch;
}  // namespace

TEST_CASE("unread values and plain loads go, chains included") {
  sketch s;
  const operand x = s.parameter(token::u32);
  s.parameter(token::u64);
  const operand t = s.load(token::shared, token::u32, sketch::at(x));
  s.op(opcode::add, token::u32, {s.op(opcode::add, token::u32, {t, x}), x});
  s.use(x);
  remove_dead(s.f());
  CHECK(s.text() == "ld.param.u32 r0, [p0]\nst.global.u32 [v0], r0\n");
}

TEST_CASE("traps: volatile loads, atomics, barriers, stores, clocks") {
  sketch s;
  const operand a = s.parameter(token::u64);
  s.b.compute(token::u32, opcode::ld, {token::volatile_, token::global, token::u32}, {sketch::at(a)});
  s.b.compute(token::u32, opcode::ld, {token::acquire, token::gpu, token::global, token::u32}, {sketch::at(a)});
  s.b.compute(token::u32, opcode::atom, {token::global, token::add, token::u32}, {sketch::at(a), operand::integer(1)});
  s.b.emit(opcode::bar, {token::sync}, {operand::integer(0)});
  s.op(opcode::mov, token::u32, {operand::special(special::clock)});
  const std::string before = s.text();
  remove_dead(s.f());
  CHECK(s.text() == before);
}

TEST_CASE("a variable that only feeds itself goes with its loop's work") {
  sketch s;
  const operand n = s.parameter(token::u32), v = s.variable(token::u32), i = s.variable(token::u32);
  s.move(v, operand::integer(0));
  s.move(i, operand::integer(0));
  s.loop();
  s.b.emit(opcode::add, {token::u32}, {v, v, n});
  s.b.emit(opcode::add, {token::u32}, {i, i, operand::integer(1)});
  s.endloop(s.set(token::lt, token::u32, i, n));
  remove_dead(s.f());
  CHECK(s.text() == "ld.param.u32 r0, [p0]\nmov.u32 r1, 0\n<loop>\nadd.u32 r1, r1, 1\nsetp.lt.u32 r2, r1, r0\n<endloop> r2\n");
}

TEST_CASE("trap: a loop carries a need back to its start") {
  sketch s;
  const operand p = s.parameter(token::pred), v = s.variable(token::u32), w = s.variable(token::u32);
  s.move(v, operand::integer(0));
  s.move(w, operand::integer(0));
  s.loop();
  s.use(v);
  s.move(v, w);
  s.b.emit(opcode::add, {token::u32}, {w, w, operand::integer(1)});
  s.endloop(p);
  const std::string before = s.text();
  remove_dead(s.f());
  CHECK(s.text() == before);
}

TEST_CASE("empty branches go with their predicate, full ones stay") {
  sketch s;
  const operand x = s.parameter(token::u32);
  const operand p = s.set(token::lt, token::u32, x, operand::integer(3));
  s.if_(p);
  s.if_(p);
  s.op(opcode::add, token::u32, {x, x});
  s.endif();
  s.else_();
  s.endif();
  const operand q = s.set(token::lt, token::u32, x, operand::integer(4));
  s.if_(q);
  s.else_();
  s.use(x);
  s.endif();
  remove_dead(s.f());
  CHECK(s.text() == "ld.param.u32 r0, [p0]\nsetp.lt.u32 r1, r0, 4\n<if> r1\n<else>\nst.global.u32 [v0], r0\n<endif>\n");
}

TEST_CASE("branches with a known predicate are settled") {
  const auto settled = [](bool condition, bool negated) {
    sketch s;
    operand p = operand::integer(condition ? -1 : 0);
    p.negated = negated;
    const operand q = s.parameter(token::pred);
    s.if_(p);
    s.use(operand::integer(1));
    s.if_(q);
    s.use(operand::integer(2));
    s.endif();
    s.else_();
    s.use(operand::integer(3));
    s.endif();
    s.loop();
    s.use(operand::integer(4));
    s.endloop(operand::integer(0));
    remove_dead(s.f());
    return s.text();
  };
  const std::string taken =
      "ld.param.pred r0, [p0]\nst.global.u32 [v0], 1\n<if> r0\nst.global.u32 [v0], 2\n<endif>\nst.global.u32 [v0], 4\n";
  const std::string other = "st.global.u32 [v0], 3\nst.global.u32 [v0], 4\n";
  CHECK(settled(true, false) == taken);
  CHECK(settled(false, true) == taken);
  CHECK(settled(false, false) == other);
  CHECK(settled(true, true) == other);
}
