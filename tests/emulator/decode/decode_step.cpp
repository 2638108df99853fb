#include <tg/emulator/decode/decode_step.hpp>

#include <doctest/doctest.h>

using namespace tg::emulator;
using tg::ptx::token;

TEST_CASE("an instruction's types are read from its modifiers, in their order") {
  const tg::ptx::instruction i(
      tg::ptx::opcode::mma,
      {token::sync, token::aligned, token::m16n8k256, token::row, token::col, token::s32, token::b1, token::b1, token::s32},
      {});
  CHECK(detail::types_of(i) == tg::dynamic_array<token>{token::s32, token::b1, token::b1, token::s32});
}
