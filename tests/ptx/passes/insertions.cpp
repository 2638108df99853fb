#include <tg/ptx/passes/insertions.hpp>

#include <doctest/doctest.h>

#include "sketch.hpp"

namespace {
using namespace tg::ptx;
using tg::ptx::test::sketch;
}  // namespace

TEST_CASE("instructions land in front of their place, in order, and empty ones go") {
  sketch s;
  const operand x = s.parameter(token::u32);
  s.b.at({"k.cpp", 12});
  s.use(x);
  s.use(operand::integer(1));
  insertions added;
  const operand t = added.compute(s.f(), 1, token::u32, opcode::add, {token::u32}, {x, operand::integer(2)});
  added.compute(s.f(), 1, token::u32, opcode::add, {token::u32}, {t, operand::integer(3)});
  added.before(3, {opcode::ret, {}, {}});
  s.f().body[2] = {};
  added.apply(s.f());
  CHECK(s.text() == "ld.param.u32 r0, [p0]\nadd.u32 r1, r0, 2\nadd.u32 r2, r1, 3\nst.global.u32 [v0], r0\nret\n");
  CHECK(s.f().body[1].where.line == 12);
}

TEST_CASE("the last of a sequence takes over the result") {
  sketch s;
  const operand x = s.parameter(token::u32);
  s.use(s.op(opcode::div, token::u32, {x, operand::integer(3)}));
  const std::size_t registers = s.f().registers.size();
  insertions added;
  const operand t = added.compute(s.f(), 1, token::u32, opcode::add, {token::u32}, {x, x});
  added.compute(s.f(), 1, token::u32, opcode::shr, {token::u32}, {t, operand::integer(1)});
  added.replace(s.f(), 1);
  added.apply(s.f());
  CHECK(s.text() == "ld.param.u32 r0, [p0]\nadd.u32 r1, r0, r0\nshr.u32 r2, r1, 1\nst.global.u32 [v0], r2\n");
  CHECK(s.f().registers.size() == registers + 1);
}
