#include <tg/emulator/matrix/decode_step.hpp>

#include <doctest/doctest.h>

using namespace tg::emulator;
using tg::ptx::token;

TEST_CASE("an instruction's shape and types are read from its modifiers") {
  const tg::ptx::instruction i(tg::ptx::opcode::mma,
                               {token::sync, token::aligned, token::m16n8k256, token::row, token::col, token::s32,
                                token::b1, token::b1, token::s32},
                               {});
  const matrix_shape s = detail::shape_of(i);
  CHECK_EQ(s.m, 16);
  CHECK_EQ(s.n, 8);
  CHECK_EQ(s.k, 256);
  CHECK(detail::types_of(i) == std::vector<token>{token::s32, token::b1, token::b1, token::s32});
}
