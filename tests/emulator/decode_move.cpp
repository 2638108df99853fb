#include <tg/emulator/decode_move.hpp>

#include <doctest/doctest.h>

#include "runner.hpp"

using runner::evaluate;

TEST_CASE("values are packed and unpacked in parts of every width") {
  const char* const bytes = ".reg .b8 %b<4>;\n";
  CHECK_EQ(
      evaluate(std::string("{") + bytes + "mov.b32 {%b0, %b1, %b2, %b3}, %r10; mov.b32 %r20, {%b3, %b2, %b1, %b0};}",
               {{0x11223344}}, "%r20")[0],
      0x44332211);
  CHECK_EQ(evaluate("mov.b64 {%h10, %h11, %h12, %h13}, %rd10; mov.b64 %rd20, {%h13, %h12, %h11, %h10};",
                    {{0x1111222233334444}}, "%rd20")[0],
           0x4444333322221111);
  CHECK_EQ(evaluate("mov.b32 {_, %h11}, %r10; cvt.u32.u16 %r20, %h11;", {{0xaaaabbbb}}, "%r20")[0], 0xaaaa);
}

TEST_CASE("128 bits are moved whole") {
  const std::string text =
      "{.reg .b128 %q<3>; mov.b128 %q0, {%rd10, %rd11}; mov.b128 %q1, %q0; mov.b128 {%rd20, %rd21}, %q1;"
      "mov.b128 {%r20, %r21, %r22, %r23}, %q1; mov.b128 %q2, {%r23, %r22, %r21, %r20}; mov.b128 {%rd22, %rd23}, %q2;}";
  CHECK_EQ(evaluate(text, {{1, 2}}, "%rd20")[0], 1);
  CHECK_EQ(evaluate(text, {{1, 2}}, "%rd21")[0], 2);
  CHECK_EQ(evaluate(text, {{0x100000002, 0x300000004}}, "%rd22")[0], 0x400000003);
  CHECK_EQ(evaluate(text, {{0x100000002, 0x300000004}}, "%rd23")[0], 0x200000001);
}
