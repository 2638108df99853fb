#include <tg/emulator/decode/decode_half.hpp>

#include <doctest/doctest.h>

#include "../runner.hpp"

using runner::evaluate;

TEST_CASE("a bf16 fma rounds once") {
  // 1.0078125^2 is half way between two bf16; the addend decides though it is far below.
  CHECK_EQ(evaluate("fma.rn.bf16 %h19, %h10, %h11, %h12;", {{0x3f81, 0x3f81, 0x0080}}, "%h19")[0], 0x3f82);
  CHECK_EQ(evaluate("fma.rn.bf16 %h19, %h10, %h11, %h12;", {{0x3f88, 0x3f90, 0x0080}}, "%h19")[0], 0x3f99);
  CHECK_EQ(evaluate("fma.rn.bf16 %h19, %h10, %h11, %h12;", {{0x3f81, 0x3fc0, 0x0080}}, "%h19")[0], 0x3fc2);
  CHECK_EQ(evaluate("fma.rn.bf16 %h19, %h10, %h11, %h12;", {{0x3f81, 0x3fc0, 0x8080}}, "%h19")[0], 0x3fc1);
}

TEST_CASE("halves are flushed and limited as the instruction says") {
  CHECK_EQ(evaluate("add.ftz.f16 %h19, %h10, %h11;", {{0x0001, 0x8000}}, "%h19")[0], 0);
  CHECK_EQ(evaluate("add.f16 %h19, %h10, %h11;", {{0x0001, 0x8000}}, "%h19")[0], 1);
  CHECK_EQ(evaluate("fma.rn.relu.f16x2 %r20, %r10, %r11, %r12;", {{0xbc003c00, 0x3c003c00, 0}}, "%r20")[0], 0x3c00);
}
