#include <tg/emulator/image/floating_mode.hpp>

#include <doctest/doctest.h>

TEST_CASE("a mode holds for a scope") {
  using tg::emulator::floating_mode;
  volatile float one = 1.0f, three = 3.0f, tiny = 0x1p-140f;
  volatile float nearest = one / three;
  {
    const floating_mode scope(floating_mode::up);
    volatile float up = one / three;
    CHECK_GE(up, nearest);
    {
      const floating_mode inner(floating_mode::down);
      volatile float down = one / three;
      CHECK_LT(down, up);
    }
    volatile float again = one / three;
    CHECK_EQ(again, up);
  }
  {
    const floating_mode scope(floating_mode::flush);
    volatile float flushed = tiny * three;
    CHECK_EQ(flushed, 0.0f);
  }
  volatile float kept = tiny * three;
  CHECK_NE(kept, 0.0f);
}

TEST_CASE("modifiers of an instruction") {
  using tg::emulator::floating_mode;
  using tg::ptx::opcode, tg::ptx::token;
  CHECK_EQ(floating_mode::of({opcode::add, {token::rn, token::f32}, {}}), 0);
  CHECK_EQ(floating_mode::of({opcode::add, {token::rm, token::ftz, token::f32}, {}}),
           floating_mode::down | floating_mode::flush);
  CHECK_EQ(floating_mode::of({opcode::add, {token::rz, token::f32}, {}}), floating_mode::toward_zero);
}
