#include <tg/ptx/passes/coalesce_copies.hpp>

#include <doctest/doctest.h>

#include "sketch.hpp"

namespace {

using namespace tg::ptx;
using tg::ptx::test::sketch;

// A variable that was set, and the function around it.
struct with_variable : sketch {
  operand x = parameter(token::u32);
  operand v = variable(token::u32);
  with_variable() { move(v, imm(0)); }

  std::string coalesced() {
    coalesce_copies(f());
    const std::string all = text();
    return all.substr(all.find("mov.u32 r1, 0\n") + 14);
  }
};

}  // namespace

TEST_CASE("a variable is updated in place") {
  with_variable s;
  s.move(s.v, s.op(opcode::add, token::u32, {s.read(s.v), s.x}));
  s.use(s.read(s.v));
  CHECK(s.coalesced().find("add.u32 r1, r1, r0\n") != std::string::npos);
}

TEST_CASE("a loop counter is one register") {
  with_variable s;
  s.loop();
  const operand next = s.op(opcode::add, token::u32, {s.read(s.v), sketch::imm(1)});
  s.move(s.v, next);
  s.endloop(s.set(token::lt, token::u32, next, s.x));
  CHECK(s.coalesced() == "<loop>\nmov.u32 r2, r1\nadd.u32 r1, r1, 1\nsetp.lt.u32 r3, r1, r0\n<endloop> r3\n");
}

TEST_CASE("elements of a vector go to their variables") {
  with_variable s;
  const operand w = s.variable(token::u32);
  s.move(w, sketch::imm(1));
  const operand parts[] = {s.variable(token::u32), s.variable(token::u32)};
  s.b.emit(opcode::ld, {token::global, token::v2, token::u32}, {s.f().new_vector(parts), sketch::at(s.x)});
  s.move(s.v, parts[0]);
  s.move(w, parts[1]);
  CHECK(s.coalesced() == "mov.u32 r2, 1\nld.global.v2.u32 {r1 r2}, [r0]\n");
}

TEST_CASE("trap: the old value is read after the new one is computed") {
  with_variable s;
  const operand old = s.read(s.v);
  const operand next = s.op(opcode::add, token::u32, {old, s.x});
  s.use(old);
  s.move(s.v, next);
  CHECK(s.coalesced() == "mov.u32 r2, r1\nadd.u32 r3, r1, r0\nst.global.u32 [v0], r1\nmov.u32 r1, r3\n");
}

TEST_CASE("trap: a copy outlives the next write") {
  with_variable s;
  const operand old = s.read(s.v);
  s.move(s.v, sketch::imm(5));
  s.use(old);
  CHECK(s.coalesced() == "mov.u32 r2, r1\nmov.u32 r1, 5\nst.global.u32 [v0], r2\n");
}

TEST_CASE("trap: a value that lives on after the variable changed") {
  with_variable s;
  const operand next = s.op(opcode::add, token::u32, {s.x, s.x});
  s.move(s.v, next);
  s.use(s.v);
  s.move(s.v, sketch::imm(5));
  s.use(next);
  CHECK(s.coalesced() == "add.u32 r2, r0, r0\nmov.u32 r1, r2\nst.global.u32 [v0], r1\nmov.u32 r1, 5\nst.global.u32 [v0], r2\n");
}

TEST_CASE("trap: the value is computed outside the branch") {
  with_variable s;
  const operand next = s.op(opcode::add, token::u32, {s.x, s.x});
  s.if_(s.parameter(token::pred));
  s.move(s.v, next);
  s.endif();
  s.use(s.v);
  CHECK(s.coalesced().find("mov.u32 r1, r2") != std::string::npos);
}

TEST_CASE("trap: guards on either side") {
  with_variable s;
  const operand p = s.parameter(token::pred);
  const operand next = s.op(opcode::add, token::u32, {s.x, s.x});
  s.f().body.back().guard = p.id;
  s.move(s.v, next);
  const operand other = s.op(opcode::not_, token::b32, {s.x});
  s.move(s.v, other);
  s.f().body.back().guard = p.id;
  coalesce_copies(s.f());
  CHECK(s.count(opcode::mov) == 3);
}

TEST_CASE("a variable of a product is not written before the wait for it") {
  for (const bool waits : {false, true}) {
    with_variable s;
    const operand sum = s.op(opcode::add, token::u32, {s.x, sketch::imm(1)});
    if (waits) s.b.emit(opcode::wgmma, {token::wait_group, token::sync, token::aligned}, {operand::integer(0)});
    s.move(s.v, sum);
    s.use(s.read(s.v));
    CHECK((s.coalesced().find("mov.u32 r1, ") != std::string::npos) == waits);
  }
}
