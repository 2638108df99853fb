#include <tg/emulator/decode/decode_video.hpp>

#include <doctest/doctest.h>

#include "../runner.hpp"

using runner::evaluate;

TEST_CASE("video instructions take parts of words and put results into parts") {
  CHECK_EQ(evaluate("vabsdiff4.u32.u32.u32.add %r20, %r10, %r11, %r12;", {{0x01020304, 0x04030201, 10}}, "%r20")[0], 18);
  CHECK_EQ(evaluate("vadd.s32.s32.u32 %r20.h1, %r10.b3, %r11.b0, %r12;", {{0xff000000, 3, 0x12345678}}, "%r20")[0], 0x00025678);
  CHECK_EQ(evaluate("vavrg2.s32.s32.s32 %r20, %r10, %r11, %r12;", {{0x0001fffe, 0x0002ffff, 0}}, "%r20")[0], 0x0002fffe);
}

TEST_CASE("parts that are not there are refused") {
  using runner::failure, runner::has;
  CHECK(has(failure([] { evaluate("vadd.u32.u32.u32 %r20, %r10.b7, %r11;", {{1, 2}}, "%r20"); }), "TG400"));
  CHECK(has(failure([] { evaluate("vadd2.u32.u32.u32 %r20.b1, %r10, %r11, %r12;", {{1, 2, 3}}, "%r20"); }), "TG400"));
  CHECK(failure([] { evaluate("add.u32 %r20, %r10.b1, %r11;", {{1, 2}}, "%r20"); }) != "");
  CHECK(failure([] { evaluate("add.u32 %r20, %r10, %r11;", {{1, 2}}, "%r20"); }) == "");
}
