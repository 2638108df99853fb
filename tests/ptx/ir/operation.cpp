#include <tg/ptx/ir/operation.hpp>

#include <doctest/doctest.h>

#include <string>

#include <tg/ptx/ir/instruction.hpp>
#include <tg/ptx/ir/opcode_name.hpp>
#include <tg/ptx/ir/opcode_table.hpp>
#include <tg/ptx/ir/token_name.hpp>

using namespace tg::ptx;

namespace {

std::string text_of(const operation& what) {
  std::string out(name(what.op));
  for (const token t : what.tokens)
    if (t != token::none) out.append(".").append(name(t));
  return out;
}

}  // namespace

TEST_CASE("an operation has the opcode and the modifiers of PTX, in their order") {
  CHECK(text_of(operation::copy(token::b32)) == "mov.b32");
  CHECK(text_of(operation::convert(token::u64, token::u32)) == "cvt.u64.u32");
  CHECK(text_of(operation::convert(token::rn, token::f16, token::f32)) == "cvt.rn.f16.f32");
  CHECK(text_of(operation::compare(token::lt, token::s32)) == "setp.lt.s32");
  CHECK(text_of(operation::select(token::b64)) == "selp.b64");
  CHECK(text_of(operation::neg(token::s32)) == "neg.s32");
  CHECK(text_of(operation::neg(token::ftz, token::f32)) == "neg.ftz.f32");
  CHECK(text_of(operation::neg(token::none, token::f32)) == "neg.f32");
  CHECK(text_of(operation::add(token::u32)) == "add.u32");
  CHECK(text_of(operation::add(token::rn, token::f32)) == "add.rn.f32");
  CHECK(text_of(operation::sub(token::u32)) == "sub.u32");
  CHECK(text_of(operation::mul(token::rn, token::f64)) == "mul.rn.f64");
  CHECK(text_of(operation::mul_low(token::s64)) == "mul.lo.s64");
  CHECK(text_of(operation::mul_high(token::u32)) == "mul.hi.u32");
  CHECK(text_of(operation::mul_wide(token::u32)) == "mul.wide.u32");
  CHECK(text_of(operation::max(token::s32)) == "max.s32");
  CHECK(text_of(operation::bit_and(token::b32)) == "and.b32");
  CHECK(text_of(operation::bit_or(token::b32)) == "or.b32");
  CHECK(text_of(operation::bit_xor(token::b32)) == "xor.b32");
  CHECK(text_of(operation::bit_not(token::pred)) == "not.pred");
  CHECK(text_of(operation::shl(token::b32)) == "shl.b32");
  CHECK(text_of(operation::shr(token::s32)) == "shr.s32");
}

TEST_CASE("an operation and the column of the table with its name are about one opcode") {
  constexpr token t = token::u32;
  CHECK(computes(operation::copy(t).op, calculation::copy));
  CHECK(computes(operation::convert(t, t).op, calculation::convert));
  CHECK(computes(operation::compare(token::lt, t).op, calculation::compare));
  CHECK(computes(operation::select(t).op, calculation::select));
  CHECK(computes(operation::neg(t).op, calculation::neg));
  CHECK(computes(operation::add(t).op, calculation::add));
  CHECK(computes(operation::sub(t).op, calculation::sub));
  CHECK(computes(operation::mul(token::rn, t).op, calculation::mul));
  CHECK(computes(operation::mul_low(t).op, calculation::mul));
  CHECK(computes(operation::max(t).op, calculation::max));
  CHECK(computes(operation::bit_and(t).op, calculation::bit_and));
  CHECK(computes(operation::bit_or(t).op, calculation::bit_or));
  CHECK(computes(operation::bit_xor(t).op, calculation::bit_xor));
  CHECK(computes(operation::bit_not(t).op, calculation::bit_not));
  CHECK(computes(operation::shl(t).op, calculation::shl));
  CHECK(computes(operation::shr(t).op, calculation::shr));
}

TEST_CASE("an instruction is made of an operation and operands") {
  const operand a = operand::reg(1), b = operand::integer(2);
  CHECK(instruction(operation::mul_wide(token::u32), {operand::reg(0), a, b}) ==
        instruction(opcode::mul, {token::wide, token::u32}, {operand::reg(0), a, b}));
  CHECK(instruction(operation::add(token::u32), {operand::reg(0), a, b}).token_count == 1);
}
