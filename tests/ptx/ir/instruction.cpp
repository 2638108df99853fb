#include <tg/ptx/ir/instruction.hpp>

#include <doctest/doctest.h>

using namespace tg::ptx;

TEST_CASE("tokens and operands are added in order; none is no token") {
  instruction i(opcode::add, {token::rn, token::none, token::f32}, {operand::reg(0), operand::reg(1)});
  i.add(operand::reg(2));
  CHECK(i.tokens().size() == 2);
  CHECK(i.operands().size() == 3);
  CHECK(i.type() == token::f32);
  CHECK(i.has(token::rn));
  CHECK_FALSE(i.has(token::ftz));
  CHECK(instruction(opcode::ret, {}, {}).type() == token::none);
}

TEST_CASE("equality sees everything but the access number") {
  const instruction a(opcode::ld, {token::global, token::f32}, {operand::reg(0), operand::address(operand::reg(1))});
  instruction b = a;
  b.access = 5;
  CHECK(a == b);
  b.guard_negated = true;  // of no guard
  CHECK(a == b);
  b.guard = 0;
  CHECK_FALSE(a == b);
  b = a;
  b[1].value = 4;
  CHECK_FALSE(a == b);
  b = a;
  b.where = {1, 2};
  CHECK_FALSE(a == b);
}
