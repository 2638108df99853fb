#include <tg/ptx/passes/forward_copies.hpp>

#include <doctest/doctest.h>

#include "sketch.hpp"

namespace {
using namespace tg::ptx;
using tg::ptx::test::sketch;
}  // namespace

TEST_CASE("a read of a variable becomes what was written last") {
  sketch s;
  const operand x = s.parameter(token::u32), v = s.variable(token::u32);
  s.move(v, x);
  s.use(s.read(v));
  s.move(v, sketch::imm(7));
  s.use(s.read(v));
  forward_copies(s.f(), count_uses(s.f()));
  CHECK(s.text() == "ld.param.u32 r0, [p0]\nmov.u32 r1, r0\nmov.u32 r2, r0\nst.global.u32 [v0], r0\n"
                    "mov.u32 r1, 7\nmov.u32 r3, 7\nst.global.u32 [v0], r3\n");
}

TEST_CASE("two reads of an unchanged variable are one value") {
  sketch s;
  const operand v = s.variable(token::u32);
  s.move(v, s.parameter(token::u32));
  s.loop();
  const operand a = s.read(v), b = s.read(v);
  s.use(a), s.use(b);
  s.move(v, s.parameter(token::u32));
  s.endloop(s.parameter(token::pred));
  forward_copies(s.f(), count_uses(s.f()));
  CHECK(s.f().body[5][1] == s.f().body[4][1]);
}

TEST_CASE("trap: a branch that may have written the variable") {
  sketch s;
  const operand x = s.parameter(token::u32), p = s.parameter(token::pred), v = s.variable(token::u32);
  s.move(v, x);
  s.if_(p);
  s.move(v, sketch::imm(7));
  s.endif();
  s.use(s.read(v));
  const std::string before = s.text();
  forward_copies(s.f(), count_uses(s.f()));
  CHECK(s.text() == before);
}

TEST_CASE("trap: the other branch") {
  sketch s;
  const operand x = s.parameter(token::u32), p = s.parameter(token::pred), v = s.variable(token::u32);
  s.move(v, x);
  s.if_(p);
  s.move(v, sketch::imm(7));
  s.else_();
  const operand t = s.read(v);
  s.use(t);
  s.endif();
  forward_copies(s.f(), count_uses(s.f()));
  CHECK_FALSE(s.f().body[6][1].is_immediate());
}

TEST_CASE("trap: a read inside a branch is no value outside") {
  sketch s;
  const operand p = s.parameter(token::pred), v = s.variable(token::u32);
  s.move(v, sketch::imm(1));
  s.if_(p);
  s.move(v, sketch::imm(2));
  s.endif();
  s.if_(p);
  s.use(s.read(v));
  s.endif();
  s.use(s.read(v));
  const std::string before = s.text();
  forward_copies(s.f(), count_uses(s.f()));
  CHECK(s.text() == before);
}

TEST_CASE("trap: a loop brings later writes to its start") {
  sketch s;
  const operand x = s.parameter(token::u32), v = s.variable(token::u32);
  s.move(v, x);
  s.loop();
  const operand t = s.read(v);
  s.use(t);
  s.move(v, s.op(opcode::add, token::u32, {t, sketch::imm(1)}));
  s.endloop(s.parameter(token::pred));
  const std::string before = s.text();
  forward_copies(s.f(), count_uses(s.f()));
  CHECK(s.text() == before);
}

TEST_CASE("trap: a guarded write") {
  sketch s;
  const operand x = s.parameter(token::u32), p = s.parameter(token::pred), v = s.variable(token::u32);
  s.move(v, x);
  s.move(v, sketch::imm(3));
  s.f().body.back().guard = p.id;
  s.use(s.read(v));
  const std::string before = s.text();
  forward_copies(s.f(), count_uses(s.f()));
  CHECK(s.text() == before);
}

TEST_CASE("trap: bits of a float are not the float") {
  sketch s;
  const operand x = s.parameter(token::f32), v = s.variable(token::b32);
  s.b.emit(opcode::mov, {token::b32}, {v, x});
  s.use(s.read(v));
  s.move(v, sketch::imm(0));
  const std::string before = s.text();
  forward_copies(s.f(), count_uses(s.f()));
  CHECK(s.text() == before);
}
