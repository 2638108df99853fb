#include <tg/ptx/passes/identities.hpp>

#include <doctest/doctest.h>

#include <string>

#include "sketch.hpp"

namespace {
using namespace tg::ptx;
using tg::ptx::test::sketch;
}  // namespace

TEST_CASE("operands that are equal") {
  sketch s;
  const operand x = s.parameter(token::u32);
  for (const opcode o : {opcode::sub, opcode::xor_, opcode::and_, opcode::max}) s.op(o, token::u32, {x, x});
  s.set(token::le, token::u32, x, x);
  s.set(token::ne, token::u32, x, x);
  s.op(opcode::add, token::u32, {x, x});
  const auto uses = count_uses(s.f());
  for (instruction& i : s.f().body) identities(s.f(), uses).simplify(i);
  CHECK(s.text() == "ld.param.u32 r0, [p0]\nmov.u32 r1, 0\nmov.u32 r2, 0\nmov.u32 r3, r0\nmov.u32 r4, r0\nmov.pred r5, "
                    "-1\nmov.pred r6, 0\n"
                    "add.u32 r7, r0, r0\n");
}

TEST_CASE("constants join only through values of the same kind") {
  sketch s;
  const operand x = s.parameter(token::u32), v = s.variable(token::u32);
  s.move(v, x);
  s.move(v, operand::integer(1));
  const operand masked = s.op(opcode::and_, token::b32, {x, operand::integer(12)});
  s.op(opcode::and_, token::b32, {masked, operand::integer(6)});
  s.op(opcode::or_, token::b32, {masked, operand::integer(6)});  // trap: another operation
  const operand sum = s.op(opcode::add, token::u32, {v, operand::integer(1)});
  s.op(opcode::add, token::u32, {sum, operand::integer(1)});  // trap: v may change in between
  const auto uses = count_uses(s.f());
  for (instruction& i : s.f().body) identities(s.f(), uses).simplify(i);
  CHECK(s.f().body[4][2].value == 4);
  CHECK(s.f().body[4][1] == x);
  CHECK(s.f().body[5][1] == masked);
  CHECK(s.f().body[7][1] == sum);
}

TEST_CASE("constants that join to 0 are simplified at once") {
  sketch s;
  const operand x = s.parameter(token::u32);
  const operand masked = s.op(opcode::and_, token::b32, {x, operand::integer(12)});
  s.op(opcode::and_, token::b32, {masked, operand::integer(3)});
  const operand product = s.op(opcode::mul, token::lo, token::u32, {x, operand::integer(1 << 20)});
  s.op(opcode::mul, token::lo, token::u32, {product, operand::integer(1 << 12)});
  const auto uses = count_uses(s.f());
  for (instruction& i : s.f().body) identities(s.f(), uses).simplify(i);
  CHECK(s.text() == "ld.param.u32 r0, [p0]\nand.b32 r1, r0, 12\nmov.b32 r2, 0\nmul.lo.u32 r3, r0, 1048576\nmov.u32 r4, 0\n");
}

TEST_CASE("a fused product by one is a sum") {
  sketch s;
  const operand x = s.parameter(token::f32), y = s.parameter(token::f32);
  s.b.compute(token::f32, opcode::fma, {token::rn, token::f32}, {operand::f32(1), x, y});
  const auto uses = count_uses(s.f());
  identities(s.f(), uses).normalise(s.f().body[2]);
  identities(s.f(), uses).simplify(s.f().body[2]);
  CHECK(s.text() == "ld.param.f32 r0, [p0]\nld.param.f32 r1, [p1]\nadd.rn.f32 r2, r0, r1\n");
}

TEST_CASE("unsigned comparisons that only zero passes are written as equality") {
  const auto written = [](token how, token type, std::int64_t c) {
    sketch s;
    const operand x = s.parameter(type);
    s.set(how, type, x, operand::integer(c));
    const auto uses = count_uses(s.f());
    for (instruction& i : s.f().body) identities(s.f(), uses).simplify(i);
    const std::string text = s.text();
    return text.substr(text.find('\n') + 1);
  };
  CHECK(written(token::lt, token::u32, 1) == "setp.eq.u32 r1, r0, 0\n");
  CHECK(written(token::ge, token::u64, 1) == "setp.ne.u64 r1, r0, 0\n");
  CHECK(written(token::gt, token::u32, 0) == "setp.ne.u32 r1, r0, 0\n");
  CHECK(written(token::le, token::u32, 0) == "setp.eq.u32 r1, r0, 0\n");
  CHECK(written(token::lt, token::s32, 1) == "setp.lt.s32 r1, r0, 1\n");
  CHECK(written(token::lt, token::u32, 2) == "setp.lt.u32 r1, r0, 2\n");
}
