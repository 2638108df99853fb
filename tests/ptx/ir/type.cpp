#include <tg/ptx/ir/type.hpp>

#include <doctest/doctest.h>

using tg::ptx::token;

TEST_CASE("widths and kinds of types") {
  CHECK(tg::ptx::width_bits(token::pred) == 1);
  CHECK(tg::ptx::width_bits(token::bf16) == 16);
  CHECK(tg::ptx::width_bits(token::f16x2) == 32);
  CHECK(tg::ptx::width_bits(token::b128) == 128);
  CHECK(tg::ptx::width_bits(token::global) == 0);
  CHECK(tg::ptx::is_signed(token::s8));
  CHECK_FALSE(tg::ptx::is_signed(token::b8));
  CHECK(tg::ptx::is_float(token::f64));
  CHECK_FALSE(tg::ptx::is_float(token::f16));
  CHECK(tg::ptx::is_integer(token::u16));
  for (const token t : {token::u8, token::b32, token::f32, token::pred, token::s16x2}) CHECK_FALSE(tg::ptx::is_integer(t));
  for (const token t : {token::s64, token::b16, token::pred}) CHECK(tg::ptx::is_word(t));
  for (const token t : {token::b8, token::f32, token::b128, token::f16}) CHECK_FALSE(tg::ptx::is_word(t));
}

TEST_CASE("registers keep width and floating point of their type, no more") {
  CHECK(tg::ptx::register_class(token::s32) == token::b32);
  CHECK(tg::ptx::register_class(token::f16) == token::b16);
  CHECK(tg::ptx::register_class(token::f32) == token::f32);
  CHECK(tg::ptx::register_class(token::pred) == token::pred);
  CHECK(tg::ptx::register_class(token::sync) == token::none);
}

TEST_CASE("numbers are kept sign-extended") {
  CHECK(tg::ptx::sign_extend(0xff, 8) == -1);
  CHECK(tg::ptx::sign_extend(0x7f, 8) == 127);
  CHECK(tg::ptx::sign_extend(0x100000005, 32) == 5);
  CHECK(tg::ptx::sign_extend(-7, 64) == -7);
}
