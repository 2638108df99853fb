#include <tg/ptx/passes/lower_bf16.hpp>

#include <doctest/doctest.h>

#include <tg/ptx/forms/requirements.hpp>

#include "sketch.hpp"

namespace {

using namespace tg::ptx;
using tg::ptx::test::sketch;

// `op` on two parameters of `type`, lowered; registers of constants come first.
std::string lowered(opcode op, token type, token reg) {
  sketch s;
  const operand a = s.parameter(reg), b = s.parameter(reg);
  s.b.compute(reg, op, {type}, {a, b});
  lower_bf16(s.f());
  derive_requirements(s.m);
  CHECK(s.m.sm <= 80);
  return s.text();
}

}  // namespace

TEST_CASE("sums and products are fma with 1, -1 and -0") {
  const std::string loads = "ld.param.b16 r1, [p0]\nld.param.b16 r2, [p1]\n";
  CHECK(lowered(opcode::add, token::bf16, token::b16) == "mov.b16 r0, 16256\n" + loads + "fma.rn.bf16 r3, r1, r0, r2\n");
  CHECK(lowered(opcode::sub, token::bf16, token::b16) == "mov.b16 r0, -16512\n" + loads + "fma.rn.bf16 r3, r2, r0, r1\n");
  CHECK(lowered(opcode::mul, token::bf16, token::b16) == "mov.b16 r0, -32768\n" + loads + "fma.rn.bf16 r3, r1, r2, r0\n");
  CHECK(lowered(opcode::add, token::bf16x2, token::b32).starts_with("mov.b32 r0, 1065369472\n"));
  CHECK(lowered(opcode::mul, token::bf16x2, token::b32).starts_with("mov.b32 r0, -2147450880\n"));
}

TEST_CASE("a constant is made once, and only where it is used") {
  sketch s;
  const operand a = s.parameter(token::b16);
  const operand b = s.b.compute(token::b16, opcode::add, {token::bf16}, {a, a});
  s.b.compute(token::b16, opcode::add, {token::bf16}, {b, a});
  lower_bf16(s.f());
  CHECK(s.count(opcode::mov) == 1);
  CHECK(s.count(opcode::fma) == 2);
}

TEST_CASE("a comparison is that of the floats") {
  sketch s;
  const operand a = s.parameter(token::b16), b = s.parameter(token::b16);
  s.set(token::lt, token::bf16, a, b);
  lower_bf16(s.f());
  CHECK(s.text().ends_with("cvt.f32.bf16 r2, r0\ncvt.f32.bf16 r3, r1\nsetp.lt.f32 r4, r2, r3\n"));
}

TEST_CASE("other types, and what sm_80 has, stay") {
  sketch s;
  const operand a = s.parameter(token::b16);
  s.b.compute(token::b16, opcode::add, {token::f16}, {a, a});
  s.b.compute(token::b16, opcode::neg, {token::bf16}, {a});
  s.b.compute(token::b16, opcode::fma, {token::rn, token::bf16}, {a, a, a});
  const std::string before = s.text();
  lower_bf16(s.f());
  CHECK(s.text() == before);
}
